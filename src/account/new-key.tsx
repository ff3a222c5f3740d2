/** Creates an API key from the form of /account/developer, and shows it once (docs/spec/credentials.md). */
import type { ComponentChildren, VNode } from 'preact';
import { AccountError, type CreatedApiKey } from '../access/access.ts';
import { Filled } from '../pages/messages/filled.tsx';
import { ButtonLink, Copyable } from '../pages/parts.tsx';
import type { SignedInRequest } from './account-request.ts';
import { logAccountChange } from './audit.ts';
import { showDeveloper } from './developer.tsx';

/** Creates a key and shows it. This response is the only place where the whole key appears. */
export async function createKey(visit: SignedInRequest): Promise<void> {
  const { keys } = visit.deps.access;
  try {
    const key = await keys.createOwn(
      visit.session.account,
      visit.field('name'),
      visit.field('form').slice(0, 64),
      { scope: visit.field('scope'), expires: visit.field('expires') },
    );
    if (key === null) return visit.redirect('/account/developer?done=sent-before#keys');
    logAccountChange(visit, 'key created', visit.session.account.id, { key: key.id });
    visit.render(200, {
      title: visit.words.key.newTitle,
      current: '/account/developer',
      children: <CreatedKeyPage visit={visit} apiKey={key} />,
    });
  } catch (failure) {
    if (!(failure instanceof AccountError)) throw failure;
    await showDeveloper(visit, failure);
  }
}

/** The page with the new key and a request to try; `children` is more about it. */
export function CreatedKeyPage(props: {
  visit: SignedInRequest;
  apiKey: CreatedApiKey;
  children?: ComponentChildren;
}): VNode {
  const { visit, apiKey, children } = props;
  const { baseUrl } = visit.deps;
  const words = visit.words.key;
  const curl = `curl -H 'Authorization: Bearer ${apiKey.key}' '${baseUrl}/api/v1/events?limit=3'`;
  return (
    <>
      <h1>{words.newTitle}</h1>
      <p class="lead">
        <Filled text={words.newLead} parts={{ name: <bdi>{apiKey.name}</bdi> }} />
      </p>
      <div class="flow actions-below measure">
        <div class="secret">
          <Copyable id="key" text={apiKey.key} label={words.copyKey} />
        </div>
        {children}
        <h2>{words.tryIt}</h2>
        {apiKey.scope === 'agents' ? (
          <p>
            <Filled text={words.forAgent} parts={{ address: <code>{baseUrl}/mcp</code> }} />
          </p>
        ) : (
          <Copyable id="curl" text={curl} label={words.copyCommand} />
        )}
        <div class="actions">
          <ButtonLink href={visit.path('/account/developer')}>{words.isCopied}</ButtonLink>
        </div>
      </div>
    </>
  );
}
