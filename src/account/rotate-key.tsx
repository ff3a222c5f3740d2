/** Replaces an API key: the old one stays valid while programs change to the new one. */
import { randomBytes } from 'node:crypto';
import type { VNode } from 'preact';
import { AccountError } from '../access/access.ts';
import { Button, ButtonLink, CsrfField, DateTime } from '../pages/parts.tsx';
import { SelectField } from '../pages/select-field.tsx';
import type { SignedInRequest } from './account-request.ts';
import { logAccountChange } from './audit.ts';
import { showDeveloper } from './developer.tsx';
import { showNotFound } from './error-pages.tsx';
import { isActive } from './keys.tsx';
import { CreatedKeyPage } from './new-key.tsx';
import { refusalStatus } from './refusals.ts';

const overlaps = [
  ['24h', 'one more day'],
  ['1h', 'one more hour'],
  ['7d', 'one more week'],
  ['30d', '30 more days'],
  ['0m', 'not at all: it ends now'],
] as const;

/** Asks how long the old key stays valid. */
export async function confirmRotate(visit: SignedInRequest): Promise<void> {
  const key = await visit.deps.access.keys.findOwn(visit.session.account.id, visit.recordId);
  if (key === null) return showNotFound(visit);
  if (!isActive(key, visit.deps.clock.now())) return visit.redirect('/account/developer#keys');
  const children = (
    <>
      <h1>Replace this key?</h1>
      <p class="lead">
        <bdi>{key.name}</bdi>, <code>{key.hint}</code>: you get a new key with the same name and the same
        rights. The old key stays valid for a while, so that you can change your programs one by one.
      </p>
      <form
        class="stack actions-below"
        method="post"
        action={visit.path(`/account/developer/keys/${key.id}/rotate`)}
      >
        <CsrfField token={visit.session.csrf} />
        <input type="hidden" name="form" value={randomBytes(12).toString('base64url')} />
        <SelectField name="overlap" label="The old key is valid" options={overlaps} />
        <div class="actions">
          <Button>Create the new key</Button>
          <ButtonLink look="quiet" href={visit.path('/account/developer#keys')}>
            Keep it
          </ButtonLink>
        </div>
      </form>
    </>
  );
  visit.render(200, { title: 'Replace a key', inEnglish: true, children });
}

/** Creates the new key and shows it once. */
export async function rotateKey(visit: SignedInRequest): Promise<void> {
  const { account } = visit.session;
  const [overlap, form] = [visit.field('overlap'), visit.field('form').slice(0, 64)];
  try {
    const key = await visit.deps.access.keys.rotateOwn(account, visit.recordId, overlap, form);
    if (key === 'missing') return showNotFound(visit);
    if (key === null) return visit.redirect('/account/developer?done=sent-before#keys');
    logAccountChange(visit, 'key rotated', account.id, { key: key.id, replaces: key.replaces.id });
    visit.render(200, {
      title: 'Your new key',
      current: '/account/developer',
      inEnglish: true,
      children: (
        <CreatedKeyPage visit={visit} made={key}>
          <OldKey endsAt={Date.parse(key.replaces.expires_at ?? '')} now={visit.deps.clock.now()} />
        </CreatedKeyPage>
      ),
    });
  } catch (failure) {
    if (!(failure instanceof AccountError)) throw failure;
    await showDeveloper(visit, failure, refusalStatus(failure));
  }
}

/** When the old key ends. */
function OldKey({ endsAt, now }: { endsAt: number; now: number }): VNode {
  if (endsAt <= now) return <p>The old key is no longer valid.</p>;
  return (
    <p>
      The old key is valid until <DateTime at={endsAt} time />. Change your programs before then.
    </p>
  );
}
