/** Apps that were let in through OAuth: what they may do, and disconnecting them. */
import type { VNode } from 'preact';
import type { App } from '../access/access.ts';
import { catalogueScope } from '../contract/scopes.ts';
import { ButtonLink, Confirm, Empty, Host, When } from '../pages/parts.tsx';
import { tellMissing } from './failures.tsx';
import { tellDone } from './told.ts';
import type { Member } from './visit.ts';

/** What a scope lets an app do, in two or three words; `contract/scopes.ts` has the whole sentence. */
const meanings: Record<string, string> = { [catalogueScope]: 'read the catalogue' };

export function Apps({ apps, visit }: { apps: readonly App[]; visit: Member }): VNode {
  if (apps.length === 0) {
    return (
      <Empty>
        No app is connected. Give an agent the address <code>{visit.deps.baseUrl}/mcp</code>: it asks you
        here, and needs no key.
      </Empty>
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
                    name verified by <Host name={app.host} />
                  </>
                ) : (
                  <>
                    <Host name={app.host} />, not verified
                  </>
                )}
              </span>
            </p>
            <p class="small">May {mayOf(app)}.</p>
            <p class="small soft">
              Connected <When at={app.createdTs} />,{' '}
              {app.lastUsedTs === null ? (
                'never used'
              ) : (
                <>
                  last used <When at={app.lastUsedTs} time />
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

const mayOf = ({ scopes }: App): string =>
  scopes.length === 0 ? 'do nothing' : scopes.map((scope) => meanings[scope] ?? scope).join(', ');

/** Are you sure? */
export async function askDisconnect(visit: Member): Promise<void> {
  const apps = await visit.deps.access.apps.list(visit.session.account.id);
  const app = apps.find(({ id }) => id === visit.id);
  if (app === undefined) return tellMissing(visit);
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
  visit.show(200, { title, children });
}

export async function disconnect(visit: Member): Promise<void> {
  const gone = await visit.deps.access.apps.disconnect(visit.session.account.id, visit.id);
  if (!gone) return tellMissing(visit);
  tellDone(visit, 'app disconnected', visit.session.account.id, { app: visit.id });
  visit.go('/account/developer?done=disconnected#apps');
}
