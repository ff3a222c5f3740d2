/** Keys: listed and revoked. */
import { randomBytes } from 'node:crypto';
import type { VNode } from 'preact';
import type { KeySummary, Refusal } from '../access/access.ts';
import { Button, ButtonLink, Confirm, Csrf, Empty, Field, Notice, When } from '../pages/parts.tsx';
import { tellMissing } from './failures.tsx';
import { tellDone } from './told.ts';
import type { Member } from './visit.ts';

const perPage = 20;

/** The form for a new key, then all there are: active ones first, the newest of each first. */
export function Keys(props: { visit: Member; keys: readonly KeySummary[]; refusal: Refusal | null }): VNode {
  const { visit, keys, refusal } = props;
  const newest = keys.toReversed();
  const sorted = [...newest.filter(isActive), ...newest.filter((key) => !isActive(key))];
  const pages = Math.max(1, Math.ceil(sorted.length / perPage));
  const page = Math.min(pages, Math.max(1, Number.parseInt(visit.query.get('page') ?? '1', 10) || 1));
  const shown = sorted.slice((page - 1) * perPage, page * perPage);
  return (
    <>
      {refusal?.reason === 'full' && <Notice tone="bad">{refusal.message}</Notice>}
      <NewKey visit={visit} refusal={refusal} />
      {keys.length === 0 ? (
        <Empty>No keys yet. Name one above, after the program or the machine that will use it.</Empty>
      ) : (
        <ul class="rows">
          {shown.map((key) => (
            <Row key={key.id} visit={visit} apiKey={key} />
          ))}
        </ul>
      )}
      {pages > 1 && <Pages visit={visit} page={page} pages={pages} />}
    </>
  );
}

const isActive = (key: KeySummary): boolean => key.revoked_at === null;

function NewKey({ visit, refusal }: { visit: Member; refusal: Refusal | null }): VNode {
  return (
    <form class="line" method="post" action={visit.path('/account/developer/keys')}>
      <Csrf token={visit.session.csrf} />
      <input type="hidden" name="form" value={randomBytes(12).toString('base64url')} />
      <Field
        name="name"
        label="Name of a new key"
        value={refusal === null ? '' : visit.field('name').slice(0, 100)}
        error={refusal?.reason === 'name' ? refusal.message : null}
        maxLength={100}
      />
      <Button>Create API key</Button>
    </form>
  );
}

function Row({ visit, apiKey: key }: { visit: Member; apiKey: KeySummary }): VNode {
  const { revoked_at: revoked, last_used_at: used } = key;
  return (
    <li class={revoked === null ? undefined : 'past'}>
      <div class="what">
        <p>
          <strong>
            <bdi>{key.name}</bdi>
          </strong>{' '}
          {revoked !== null && <span class="tag">revoked</span>}
        </p>
        <p>
          <code>{key.hint}</code>
        </p>
        <p class="small soft">
          Created <When at={Date.parse(key.created_at)} />,{' '}
          {used === null ? (
            'never used'
          ) : (
            <>
              last used <When at={Date.parse(used)} time />
            </>
          )}
          {revoked !== null && (
            <>
              , revoked <When at={Date.parse(revoked)} time />
            </>
          )}
        </p>
      </div>
      {revoked === null && (
        <ButtonLink
          look="quiet"
          href={visit.path(`/account/developer/keys/${key.id}/revoke`)}
          label={`Revoke ${key.name}`}
        >
          Revoke
        </ButtonLink>
      )}
    </li>
  );
}

function Pages({ visit, page, pages }: { visit: Member; page: number; pages: number }): VNode {
  const link = (to: number, text: string) => (
    <a href={visit.path(`/account/developer?page=${to}#keys`)}>{text}</a>
  );
  return (
    <nav class="pages" aria-label="Pages of keys">
      {page > 1 && link(page - 1, 'Newer keys')}
      <span class="soft">
        Page {page} of {pages}
      </span>
      {page < pages && link(page + 1, 'Older keys')}
    </nav>
  );
}

/** Are you sure? */
export async function askRevoke(visit: Member): Promise<void> {
  const key = await visit.deps.access.keys.findOwn(visit.session.account.id, visit.id);
  if (key === null) return tellMissing(visit);
  if (!isActive(key)) return visit.go('/account/developer#keys');
  const children = (
    <>
      <h1>Revoke this key?</h1>
      <p class="lead">
        <bdi>{key.name}</bdi>, <code>{key.hint}</code>: whatever uses it is refused from its next request on.
        A revoked key cannot be brought back.
      </p>
      <Confirm
        action={visit.path(`/account/developer/keys/${key.id}/revoke`)}
        csrf={visit.session.csrf}
        verb="Revoke key"
        back={visit.path('/account/developer#keys')}
      />
    </>
  );
  visit.show(200, { title: 'Revoke a key', children });
}

export async function revokeKey(visit: Member): Promise<void> {
  const key = await visit.deps.access.keys.revokeOwn(visit.session.account.id, visit.id);
  if (key === null) return tellMissing(visit);
  tellDone(visit, 'key revoked', visit.session.account.id, { key: key.id });
  visit.go('/account/developer?done=revoked#keys');
}
