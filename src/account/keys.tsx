/** API keys: the form for a new one, the list, and revocation. */
import { randomBytes } from 'node:crypto';
import type { VNode } from 'preact';
import type { AccountError, ApiKeySummary } from '../access/access.ts';
import { keyScopes, keyScopeTitles } from '../contract/scopes.ts';
import {
  Button,
  ButtonLink,
  Confirm,
  CsrfField,
  DateTime,
  EmptyState,
  Field,
  Notice,
} from '../pages/parts.tsx';
import { SelectField } from '../pages/select-field.tsx';
import type { SignedInRequest } from './account-request.ts';
import { logAccountChange } from './audit.ts';
import { showNotFound } from './error-pages.tsx';

const keysPerPage = 20;

/** The form for a new key, then all keys: active ones first, each group from the newest. */
export function Keys(props: {
  visit: SignedInRequest;
  keys: readonly ApiKeySummary[];
  refusal: AccountError | null;
}): VNode {
  const { visit, keys, refusal } = props;
  const newest = keys.toReversed();
  const now = visit.deps.clock.now();
  const sorted = [
    ...newest.filter((key) => isActive(key, now)),
    ...newest.filter((key) => !isActive(key, now)),
  ];
  const pages = Math.max(1, Math.ceil(sorted.length / keysPerPage));
  const page = Math.min(pages, Math.max(1, Number.parseInt(visit.query.get('page') ?? '1', 10) || 1));
  const shown = sorted.slice((page - 1) * keysPerPage, page * keysPerPage);
  return (
    <>
      {(refusal?.reason === 'full' || refusal?.reason === 'terms') && (
        <Notice tone="bad">{refusal.message}</Notice>
      )}
      <NewKeyForm visit={visit} refusal={refusal} />
      {keys.length === 0 ? (
        <EmptyState>
          No keys yet. Name one above, after the program or the machine that will use it.
        </EmptyState>
      ) : (
        <ul class="rows">
          {shown.map((key) => (
            <KeyRow key={key.id} visit={visit} apiKey={key} now={now} />
          ))}
        </ul>
      )}
      {pages > 1 && <Pagination visit={visit} page={page} pages={pages} />}
    </>
  );
}

const hasExpired = ({ expires_at: expires }: ApiKeySummary, now: number): boolean =>
  expires !== null && Date.parse(expires) <= now;

/** Whether requests with the key are accepted at `now` (ms). */
export const isActive = (key: ApiKeySummary, now: number): boolean =>
  key.revoked_at === null && !hasExpired(key, now);

const lifetimes = [
  ['', 'never'],
  ['30d', 'after 30 days'],
  ['90d', 'after 90 days'],
  ['365d', 'after a year'],
] as const;
const scopeOptions = keyScopes.map((scope) => [scope, keyScopeTitles[scope]] as const);

function NewKeyForm({ visit, refusal }: { visit: SignedInRequest; refusal: AccountError | null }): VNode {
  return (
    <form class="line" method="post" action={visit.path('/account/developer/keys')}>
      <CsrfField token={visit.session.csrf} />
      <input type="hidden" name="form" value={randomBytes(12).toString('base64url')} />
      <Field
        name="name"
        label="Name of a new key"
        value={refusal === null ? '' : visit.field('name').slice(0, 100)}
        error={refusal?.reason === 'name' ? refusal.message : null}
        maxLength={100}
      />
      <SelectField name="scope" label="It may call" options={scopeOptions} value={visit.field('scope')} />
      <SelectField name="expires" label="It expires" options={lifetimes} value={visit.field('expires')} />
      <Button>Create API key</Button>
    </form>
  );
}

function KeyRow(props: { visit: SignedInRequest; apiKey: ApiKeySummary; now: number }): VNode {
  const { visit, apiKey: key, now } = props;
  const { revoked_at: revoked, last_used_at: used, expires_at: expires } = key;
  const active = isActive(key, now);
  return (
    <li class={active ? undefined : 'past'}>
      <div class="what">
        <p>
          <strong>
            <bdi>{key.name}</bdi>
          </strong>{' '}
          {revoked !== null && <span class="tag">revoked</span>}
          {revoked === null && !active && <span class="tag">expired</span>}
          {key.scope !== 'all' && <span class="soft small"> {keyScopeTitles[key.scope]}</span>}
        </p>
        <p>
          <code>{key.hint}</code>
        </p>
        <p class="small soft">
          Created <DateTime at={Date.parse(key.created_at)} />,{' '}
          {used === null ? (
            'never used'
          ) : (
            <>
              last used <DateTime at={Date.parse(used)} time />
            </>
          )}
          {revoked === null && expires !== null && (
            <>
              , {active ? 'expires' : 'expired'} <DateTime at={Date.parse(expires)} time />
            </>
          )}
          {revoked !== null && (
            <>
              , revoked <DateTime at={Date.parse(revoked)} time />
            </>
          )}
        </p>
      </div>
      {active && (
        <div class="do">
          <ButtonLink
            look="quiet"
            href={visit.path(`/account/developer/keys/${key.id}/rotate`)}
            label={`Replace ${key.name}`}
          >
            Replace
          </ButtonLink>
          <ButtonLink
            look="quiet"
            href={visit.path(`/account/developer/keys/${key.id}/revoke`)}
            label={`Revoke ${key.name}`}
          >
            Revoke
          </ButtonLink>
        </div>
      )}
    </li>
  );
}

function Pagination({ visit, page, pages }: { visit: SignedInRequest; page: number; pages: number }): VNode {
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

/** Asks for confirmation. */
export async function confirmRevoke(visit: SignedInRequest): Promise<void> {
  const key = await visit.deps.access.keys.findOwn(visit.session.account.id, visit.recordId);
  if (key === null) return showNotFound(visit);
  if (!isActive(key, visit.deps.clock.now())) return visit.redirect('/account/developer#keys');
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
  visit.render(200, { title: 'Revoke a key', inEnglish: true, children });
}

export async function revokeKey(visit: SignedInRequest): Promise<void> {
  const key = await visit.deps.access.keys.revokeOwn(visit.session.account.id, visit.recordId);
  if (key === null) return showNotFound(visit);
  logAccountChange(visit, 'key revoked', visit.session.account.id, { key: key.id });
  visit.redirect('/account/developer?done=revoked#keys');
}
