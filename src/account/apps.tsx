/** Apps connected through OAuth: list with permissions, and disconnecting. */
import type { VNode } from 'preact';
import type { ConnectedApp } from '../access/access.ts';
import { Filled } from '../pages/messages/filled.tsx';
import type { Messages } from '../pages/messages/messages.ts';
import { BoldName, ButtonLink, Confirm, DatedText, EmptyState, HostName } from '../pages/parts.tsx';
import type { SignedInRequest } from './account-request.ts';
import { logAccountChange } from './audit.ts';
import { showNotFound } from './error-pages.tsx';

/** The list of connected apps on the dashboard; without any, how to connect one. */
export function Apps({ apps, visit }: { apps: readonly ConnectedApp[]; visit: SignedInRequest }): VNode {
  const words = visit.words.apps;
  if (apps.length === 0) {
    return (
      <EmptyState>
        <Filled text={words.none} parts={{ address: <code>{visit.deps.baseUrl}/mcp</code> }} />
      </EmptyState>
    );
  }
  return (
    <ul class="rows">
      {apps.map((app) => (
        <li key={app.id}>
          <div class="what">
            <p>
              <BoldName>{nameOf(visit, app)}</BoldName>{' '}
              <span class="soft small">
                {app.host === null ? (
                  words.onYourMachine
                ) : (
                  <Filled
                    text={app.verified ? words.verified : words.unverified}
                    parts={{ host: <HostName name={app.host} /> }}
                  />
                )}
              </span>
            </p>
            <p class="small">{words.may(scopeText(app, words))}</p>
            <p class="small soft">
              <DatedText text={words.connected} at={app.createdTs} />, {lastUsed(visit, app.lastUsedTs)}
            </p>
          </div>
          <ButtonLink
            look="quiet"
            href={visit.path(`/account/developer/apps/${encodeURIComponent(app.id)}/disconnect`)}
            label={words.disconnectNamed(nameOf(visit, app))}
          >
            {words.disconnect}
          </ButtonLink>
        </li>
      ))}
    </ul>
  );
}

const nameOf = ({ messages }: SignedInRequest, { name }: ConnectedApp): string =>
  name === '' ? messages.consent.noName : name;

/** When a key or an app was last used, or that it was not. @param at in ms since 1970 */
export function lastUsed({ words }: SignedInRequest, at: number | null): VNode | string {
  return at === null ? words.keys.neverUsed : <DatedText text={words.keys.lastUsed} at={at} time />;
}

/** Short descriptions of what an app may do. */
function scopeText({ scopes }: ConnectedApp, words: Messages['account']['apps']): string {
  const texts: Record<string, string> = words.scopes;
  return scopes.length === 0 ? words.nothing : scopes.map((scope) => texts[scope] ?? scope).join(', ');
}

/** Asks for confirmation before an app is disconnected. */
export async function confirmDisconnect(visit: SignedInRequest): Promise<void> {
  const apps = await visit.deps.access.apps.list(visit.session.account.id);
  const app = apps.find(({ id }) => id === visit.recordId);
  if (app === undefined) return showNotFound(visit);
  const words = visit.words.apps;
  const children = (
    <>
      <h1>{words.heading}</h1>
      <p class="lead">
        <Filled text={words.lead} parts={{ name: <bdi>{nameOf(visit, app)}</bdi> }} />
      </p>
      <Confirm
        action={visit.path(`/account/developer/apps/${encodeURIComponent(app.id)}/disconnect`)}
        csrf={visit.session.csrf}
        verb={words.disconnect}
        back={visit.path('/account/developer#apps')}
      />
    </>
  );
  visit.render(200, { title: words.title, children });
}

/** Disconnects the app of the path. One of another account counts as missing. */
export async function disconnect(visit: SignedInRequest): Promise<void> {
  const gone = await visit.deps.access.apps.disconnect(visit.session.account.id, visit.recordId);
  if (!gone) return showNotFound(visit);
  logAccountChange(visit, 'app disconnected', visit.session.account.id, { app: visit.recordId });
  visit.redirect('/account/developer?done=disconnected#apps');
}
