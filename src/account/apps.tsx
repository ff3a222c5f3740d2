/** Apps connected through OAuth: list with permissions, and disconnecting. */
import type { VNode } from 'preact';
import type { ConnectedApp } from '../access/access.ts';
import { catalogueScope } from '../contract/scopes.ts';
import { ButtonLink, Confirm, DateTime, EmptyState, HostName } from '../pages/parts.tsx';
import type { SignedInRequest } from './account-request.ts';
import { logAccountChange } from './audit.ts';
import { showNotFound } from './error-pages.tsx';

/** Short descriptions of scopes; `contract/scopes.ts` has whole sentences. */
const scopeTexts: Record<string, string> = { [catalogueScope]: 'read the catalogue' };

export function Apps({ apps, visit }: { apps: readonly ConnectedApp[]; visit: SignedInRequest }): VNode {
  if (apps.length === 0) {
    return (
      <EmptyState>
        No app is connected. Give an agent the address <code>{visit.deps.baseUrl}/mcp</code>: it asks you
        here, and needs no key.
      </EmptyState>
    );
  }
  return (
    <ul class="rows">
      {apps.map((app) => (
        <li key={app.id}>
          <div class="what">
            <p>
              <strong>
                <bdi>{app.name}</bdi>
              </strong>{' '}
              <span class="soft small">
                {app.host === null ? (
                  'on a machine of yours, not verified'
                ) : app.verified ? (
                  <>
                    name verified by <HostName name={app.host} />
                  </>
                ) : (
                  <>
                    <HostName name={app.host} />, not verified
                  </>
                )}
              </span>
            </p>
            <p class="small">May {scopeText(app)}.</p>
            <p class="small soft">
              Connected <DateTime at={app.createdTs} />,{' '}
              {app.lastUsedTs === null ? (
                'never used'
              ) : (
                <>
                  last used <DateTime at={app.lastUsedTs} time />
                </>
              )}
            </p>
          </div>
          <ButtonLink
            look="quiet"
            href={visit.path(`/account/developer/apps/${encodeURIComponent(app.id)}/disconnect`)}
            label={`Disconnect ${app.name}`}
          >
            Disconnect
          </ButtonLink>
        </li>
      ))}
    </ul>
  );
}

const scopeText = ({ scopes }: ConnectedApp): string =>
  scopes.length === 0 ? 'do nothing' : scopes.map((scope) => scopeTexts[scope] ?? scope).join(', ');

/** Asks for confirmation. */
export async function confirmDisconnect(visit: SignedInRequest): Promise<void> {
  const apps = await visit.deps.access.apps.list(visit.session.account.id);
  const app = apps.find(({ id }) => id === visit.recordId);
  if (app === undefined) return showNotFound(visit);
  const title = 'Disconnect an app';
  const children = (
    <>
      <h1>Disconnect this app?</h1>
      <p class="lead">
        <bdi>{app.name}</bdi> is refused from its next request on, and has to ask you again to come back.
      </p>
      <Confirm
        action={visit.path(`/account/developer/apps/${encodeURIComponent(app.id)}/disconnect`)}
        csrf={visit.session.csrf}
        verb="Disconnect"
        back={visit.path('/account/developer#apps')}
      />
    </>
  );
  visit.render(200, { title, inEnglish: true, children });
}

export async function disconnect(visit: SignedInRequest): Promise<void> {
  const gone = await visit.deps.access.apps.disconnect(visit.session.account.id, visit.recordId);
  if (!gone) return showNotFound(visit);
  logAccountChange(visit, 'app disconnected', visit.session.account.id, { app: visit.recordId });
  visit.redirect('/account/developer?done=disconnected#apps');
}
