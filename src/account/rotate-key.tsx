/** Replaces an API key: the old one stays valid while programs change to the new one. */
import { randomBytes } from 'node:crypto';
import type { VNode } from 'preact';
import { AccountError, isActive } from '../access/access.ts';
import { Filled } from '../pages/messages/filled.tsx';
import { Button, ButtonLink, CsrfField, DatedText } from '../pages/parts.tsx';
import { SelectField } from '../pages/select-field.tsx';
import type { SignedInRequest } from './account-request.ts';
import { logAccountChange } from './audit.ts';
import { showDeveloper } from './developer.tsx';
import { showNotFound } from './error-pages.tsx';
import { CreatedKeyPage } from './new-key.tsx';

/** How long the old key can stay valid, the default first. */
const overlaps = ['24h', '1h', '7d', '30d', '0m'] as const;

/** Asks how long the old key stays valid. */
export async function confirmRotate(visit: SignedInRequest): Promise<void> {
  const key = await visit.deps.access.keys.findOwn(visit.session.account.id, visit.recordId);
  if (key === null) return showNotFound(visit);
  if (!isActive(key, visit.deps.clock.now())) return visit.redirect('/account/developer#keys');
  const words = visit.words.key;
  const options = overlaps.map((overlap) => [overlap, words.overlaps[overlap]] as const);
  const children = (
    <>
      <h1>{words.replaceHeading}</h1>
      <p class="lead">
        <Filled
          text={words.replaceLead}
          parts={{ name: <bdi>{key.name}</bdi>, hint: <code>{key.hint}</code> }}
        />
      </p>
      <form
        class="stack actions-below"
        method="post"
        action={visit.path(`/account/developer/keys/${key.id}/rotate`)}
      >
        <CsrfField token={visit.session.csrf} />
        <input type="hidden" name="form" value={randomBytes(12).toString('base64url')} />
        <SelectField name="overlap" label={words.overlap} options={options} />
        <div class="actions">
          <Button>{words.createNew}</Button>
          <ButtonLink look="quiet" href={visit.path('/account/developer#keys')}>
            {visit.messages.controls.keepIt}
          </ButtonLink>
        </div>
      </form>
    </>
  );
  visit.render(200, { title: words.replaceTitle, children });
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
      title: visit.words.key.newTitle,
      current: '/account/developer',
      children: (
        <CreatedKeyPage visit={visit} apiKey={key}>
          <OldKey
            visit={visit}
            endsAt={Date.parse(key.replaces.expires_at ?? '')}
            now={visit.deps.clock.now()}
          />
        </CreatedKeyPage>
      ),
    });
  } catch (failure) {
    if (!(failure instanceof AccountError)) throw failure;
    await showDeveloper(visit, failure);
  }
}

/** When the old key ends. */
function OldKey({ visit, endsAt, now }: { visit: SignedInRequest; endsAt: number; now: number }): VNode {
  const words = visit.words.key;
  if (endsAt <= now) return <p>{words.oldEnded}</p>;
  return (
    <p>
      <DatedText text={words.oldValid} at={endsAt} time />
    </p>
  );
}
