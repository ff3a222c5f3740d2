/** API keys: the form for a new one, the list, and revocation. */
import { randomBytes } from 'node:crypto';
import type { VNode } from 'preact';
import { type AccountError, type ApiKeySummary, isActive } from '../access/access.ts';
import { keyScopes } from '../contract/scopes.ts';
import { Filled } from '../pages/messages/filled.tsx';
import { useMessages } from '../pages/messages/messages.ts';
import {
  BoldName,
  Button,
  ButtonLink,
  Confirm,
  CsrfField,
  DatedText,
  EmptyState,
  Field,
  Notice,
} from '../pages/parts.tsx';
import { SelectField } from '../pages/select-field.tsx';
import type { SignedInRequest } from './account-request.ts';
import { lastUsed } from './apps.tsx';
import { logAccountChange } from './audit.ts';
import { showNotFound } from './error-pages.tsx';
import { refusalText } from './refusals.ts';

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
  const orderedKeys = [
    ...newest.filter((key) => isActive(key, now)),
    ...newest.filter((key) => !isActive(key, now)),
  ];
  const pages = Math.max(1, Math.ceil(orderedKeys.length / keysPerPage));
  const page = Math.min(pages, Math.max(1, Number.parseInt(visit.query.get('page') ?? '1', 10) || 1));
  const pageKeys = orderedKeys.slice((page - 1) * keysPerPage, page * keysPerPage);
  return (
    <>
      {(refusal?.reason === 'full' || refusal?.reason === 'terms') && (
        <Notice tone="bad">{refusalText(visit.words, refusal)}</Notice>
      )}
      <NewKeyForm visit={visit} refusal={refusal} />
      {keys.length === 0 ? (
        <EmptyState>{visit.words.keys.none}</EmptyState>
      ) : (
        <ul class="rows">
          {pageKeys.map((key) => (
            <KeyRow key={key.id} visit={visit} apiKey={key} now={now} />
          ))}
        </ul>
      )}
      {pages > 1 && <Pagination visit={visit} page={page} pages={pages} />}
    </>
  );
}

const lifetimes = ['30d', '90d', '365d'] as const;

function NewKeyForm({ visit, refusal }: { visit: SignedInRequest; refusal: AccountError | null }): VNode {
  const words = visit.words.keys;
  const scopes = keyScopes.map((scope) => [scope, words.scopes[scope]] as const);
  const ends = [
    ['', words.lifetimes.never] as const,
    ...lifetimes.map((lifetime) => [lifetime, words.lifetimes[lifetime]] as const),
  ];
  return (
    <form class="line" method="post" action={visit.path('/account/developer/keys')}>
      <CsrfField token={visit.session.csrf} />
      <input type="hidden" name="form" value={randomBytes(12).toString('base64url')} />
      <Field
        name="name"
        label={words.newName}
        value={refusal === null ? '' : visit.field('name').slice(0, 100)}
        error={refusal?.reason === 'name' ? refusalText(visit.words, refusal) : null}
        maxLength={100}
      />
      <SelectField name="scope" label={words.mayCall} options={scopes} value={visit.field('scope')} />
      <SelectField name="expires" label={words.expires} options={ends} value={visit.field('expires')} />
      <Button>{words.create}</Button>
    </form>
  );
}

function KeyRow(props: { visit: SignedInRequest; apiKey: ApiKeySummary; now: number }): VNode {
  const { visit, apiKey: key, now } = props;
  const { revoked_at: revoked, last_used_at: used, expires_at: expires } = key;
  const active = isActive(key, now);
  const words = visit.words.keys;
  return (
    <li class={active ? undefined : 'past'}>
      <div class="what">
        <p>
          <BoldName>{key.name}</BoldName> {revoked !== null && <span class="tag">{words.revoked}</span>}
          {revoked === null && !active && <span class="tag">{words.expired}</span>}
          {key.scope !== 'all' && <span class="soft small"> {words.scopes[key.scope]}</span>}
        </p>
        <p>
          <code>{key.hint}</code>
        </p>
        <p class="small soft">
          <DatedText text={words.created} at={Date.parse(key.created_at)} />,{' '}
          {lastUsed(visit, used === null ? null : Date.parse(used))}
          {revoked === null && expires !== null && (
            <>
              , <DatedText text={active ? words.expiresOn : words.expiredOn} at={Date.parse(expires)} time />
            </>
          )}
          {revoked !== null && (
            <>
              , <DatedText text={words.revokedOn} at={Date.parse(revoked)} time />
            </>
          )}
        </p>
      </div>
      {active && (
        <div class="do">
          <ButtonLink
            look="quiet"
            href={visit.path(`/account/developer/keys/${key.id}/rotate`)}
            label={words.replaceNamed(key.name)}
          >
            {words.replace}
          </ButtonLink>
          <ButtonLink
            look="quiet"
            href={visit.path(`/account/developer/keys/${key.id}/revoke`)}
            label={words.revokeNamed(key.name)}
          >
            {words.revoke}
          </ButtonLink>
        </div>
      )}
    </li>
  );
}

function Pagination({ visit, page, pages }: { visit: SignedInRequest; page: number; pages: number }): VNode {
  const words = visit.words.keys;
  const { number } = useMessages().formats;
  const link = (to: number, text: string) => (
    <a href={visit.path(`/account/developer?page=${to}#keys`)}>{text}</a>
  );
  return (
    <nav class="pages" aria-label={words.pages}>
      {page > 1 && link(page - 1, words.newer)}
      <span class="soft">{words.page(number(page), number(pages))}</span>
      {page < pages && link(page + 1, words.older)}
    </nav>
  );
}

/** Asks for confirmation before a key is revoked. */
export async function confirmRevoke(visit: SignedInRequest): Promise<void> {
  const key = await visit.deps.access.keys.findOwn(visit.session.account.id, visit.recordId);
  if (key === null) return showNotFound(visit);
  if (!isActive(key, visit.deps.clock.now())) return visit.redirect('/account/developer#keys');
  const words = visit.words.key;
  const children = (
    <>
      <h1>{words.revokeHeading}</h1>
      <p class="lead">
        <Filled
          text={words.revokeLead}
          parts={{ name: <bdi>{key.name}</bdi>, hint: <code>{key.hint}</code> }}
        />
      </p>
      <Confirm
        action={visit.path(`/account/developer/keys/${key.id}/revoke`)}
        csrf={visit.session.csrf}
        verb={words.revokeButton}
        back={visit.path('/account/developer#keys')}
      />
    </>
  );
  visit.render(200, { title: words.revokeTitle, children });
}

/** Revokes the key of the path. One of another account counts as missing. */
export async function revokeKey(visit: SignedInRequest): Promise<void> {
  const key = await visit.deps.access.keys.revokeOwn(visit.session.account.id, visit.recordId);
  if (key === null) return showNotFound(visit);
  logAccountChange(visit, 'key revoked', visit.session.account.id, { key: key.id });
  visit.redirect('/account/developer?done=revoked#keys');
}
