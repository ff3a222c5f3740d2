/** Loads the modules of the entry points of a service (REST, mirror, MCP, pages), and defines their options. */
import type { App } from '../app.ts';
import type { SetServiceIdentity } from '../console.ts';
import type { ActionRunner } from '../contract/action-runner.ts';
import type { ProcessMetrics } from '../http/metrics.ts';
import type { PublicationState } from '../http/service-endpoints.ts';
import type { Log } from '../log.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { Settings } from '../settings.ts';
import { loadPages, loadSite, type Media } from './load-pages.ts';

export type ServerOptions = {
  config: Settings;
  log: Log;
  /** Metrics of all server processes; by default those of this process only. */
  totals?: () => Promise<ProcessMetrics>;
  /** Runs actions of the console; without it, the console only reads the catalogue. */
  runAction?: ActionRunner;
  /** Changes the identity of the service; by default in the open data file. */
  setIdentity?: SetServiceIdentity;
  /** What a node of a cluster serves. */
  publication?: () => PublicationState;
};

export type LoadedModules = Awaited<ReturnType<typeof loadModules>>;

/** Loads the modules of all entry points in parallel. */
export async function loadModules(app: App, { site }: Settings) {
  const [
    { mountRest },
    { mountMirror },
    { mountMcp },
    { tools, allTools },
    { handleServiceEndpoints },
    { VisitorLimit },
    pages,
    openSite,
    access,
    { Mailer },
  ] = await Promise.all([
    import('../rest/routes.ts'),
    import('../mirror/routes.ts'),
    import('../mcp/handler.ts'),
    import('../mcp/tool-list.ts'),
    import('../http/service-endpoints.ts'),
    import('../access/access.ts'),
    loadPages(),
    site === 'on' ? loadSite() : null,
    app.access(),
    import('../mail/mailer.ts'),
  ]);
  return {
    mountRest,
    mountMirror,
    mountMcp,
    tools,
    allTools,
    handleServiceEndpoints,
    VisitorLimit,
    pages,
    openSite,
    access,
    Mailer,
  };
}

/** What all entry points of one service share. */
export type HandlerContext = ServerOptions & { baseUrl: string; mail: Mailer | null; media: Media | null };
