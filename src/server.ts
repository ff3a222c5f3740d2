/**
 * Connects the entry points: REST, MCP and web pages to one HTTP server, and MCP to standard input and output.
 * `app.ts` builds what is behind them.
 */
import { type App, problemForState, programVersion } from './app.ts';
import { localUrl } from './config.ts';
import type { Plan } from './contract/plans.ts';
import { includesRole } from './contract/roles.ts';
import { detectProxy } from './http/client-address.ts';
import { readSessionToken } from './http/cookies.ts';
import { watchEventLoop } from './http/event-loop.ts';
import { FairScheduler } from './http/fair-scheduler.ts';
import { forgetDamage } from './http/problem-response.ts';
import { type ListeningServer, listen, type RequestHandler } from './http/server.ts';
import { limitVisitors } from './http/visitor-gate.ts';
import { stderrLog, throttleRepeats } from './log.ts';
import { indexWordsInBackground, scheduleCleanup } from './server/background.ts';
import { collectOldGenerationOften, limitYoungGeneration } from './server/heap-size.ts';
import {
  type HandlerContext,
  type LoadedModules,
  loadModules,
  type ServerOptions,
} from './server/load-modules.ts';
import type { Media } from './server/load-pages.ts';
import {
  mountCatalogueRoutes,
  mountOtherRoutes,
  openCatalogueRoutes,
  openSite,
  runAtOnce,
  runInTurns,
  siteUrlOf,
  withNames,
} from './server/mount.ts';
import { ServedCatalogue } from './server/served-catalogue.ts';
import { createRouter, createRouterTo, reportProxy, serviceEndpoints } from './server/service-router.ts';
import { type WarmUpStep, warmUp } from './server/warm-up.ts';

export type { SetServiceIdentity } from './console.ts';
export type { ProcessMetrics } from './http/metrics.ts';
export { processMetrics, sumMetrics } from './http/metrics.ts';
export { onDamage } from './http/problem-response.ts';
export { checkPortAvailable } from './http/server.ts';
export type { PublicationState } from './http/service-endpoints.ts';
export type { ServerOptions } from './server/load-modules.ts';

/** Serves a catalogue from now on; returns a function that resolves when no open response reads the former one. */
export type PreparedCatalogue = () => () => Promise<void>;

export type RunningServer = ListeningServer & {
  baseUrl: string;
  /** Ends when the code of first requests has run once, some seconds after the start. */
  prepared: Promise<void>;
  /** Opens the routes of another catalogue of the cluster; calling the result serves it. */
  prepareCatalogue(app: App): Promise<PreparedCatalogue>;
};

/** Starts the server on the configured address. Rejects with a `Failure` if the address is not available. */
export async function startServer(app: App, options: ServerOptions): Promise<RunningServer> {
  const { config } = options;
  const log = throttleRepeats(options.log);
  collectOldGenerationOften();
  // Before the modules are loaded: what they leave would double the space.
  const endLimit = limitYoungGeneration();
  app.identity.configure(config);
  const modules = await loadModules(app, config);
  const { host, port, smtpUrl, mailFrom } = config;
  const mail =
    smtpUrl === null || mailFrom === null ? null : new modules.Mailer({ smtpUrl, from: mailFrom, log });
  let baseUrl = '';
  let media: Media | null = null;
  let firstSteps: readonly WarmUpStep[] = [];
  let context: HandlerContext | undefined;
  let current = app;
  const readApp = () => current;
  const servedCatalogue = app.cluster === null ? null : new ServedCatalogue();
  const trouble = () => problemForState(current.file.state);
  const listening = await listen({ host, port, log, trouble }, (actualPort) => {
    baseUrl = config.baseUrl ?? localUrl(host, actualPort);
    media = modules.openSite?.media(readApp, { config, log, baseUrl }) ?? null;
    context = { ...options, log, baseUrl, mail, media };
    const { handler, steps } = createHandler(readApp, modules, context, servedCatalogue);
    firstSteps = steps;
    return handler;
  });
  const stopCleanup = scheduleCleanup(modules.access, log);
  const preparation = warmUp(firstSteps, log);
  let stopIndexing = indexWordsInBackground(app.search, log);
  const stopWatching = config.metricsToken !== null ? watchEventLoop() : () => {};
  const stop = async () => {
    stopCleanup();
    stopIndexing();
    preparation.stop();
    mail?.close();
    stopWatching();
    endLimit();
    await Promise.all([listening.close(), media?.close()]);
  };
  const prepareCatalogue = async (next: App): Promise<PreparedCatalogue> => {
    next.identity.configure(config);
    const work = openCatalogueRoutes(
      next,
      modules,
      context as HandlerContext,
      servedCatalogue as ServedCatalogue,
    );
    // Requests are answered meanwhile.
    const { handlers } = await runInTurns(work);
    return () => {
      current = next;
      forgetDamage();
      stopIndexing();
      stopIndexing = indexWordsInBackground(next.search, log);
      return (servedCatalogue as ServedCatalogue).change(handlers);
    };
  };
  return { ...listening, close: stop, baseUrl, prepared: preparation.done, prepareCatalogue };
}

/** Processing time that visitors of one network may use per second, in ms. */
const defaultPageLimitMs = 100;
/** What style sheets and scripts may use in addition, as a fraction of it: about 60 per second. */
const assetShare = 0.1;

type Mounted = { handler: RequestHandler; steps: readonly WarmUpStep[] };

/**
 * Mounts all entry points. Returns their handler, and the steps that prepare their first requests. In a cluster,
 * `servedCatalogue` holds those that read the catalogue, which changes as a whole.
 */
function createHandler(
  readApp: () => App,
  modules: LoadedModules,
  service: HandlerContext,
  servedCatalogue: ServedCatalogue | null,
): Mounted {
  const { config, log, baseUrl } = service;
  const { pages, access } = modules;
  const { trustProxy } = config;
  const readIdentity = () => readApp().identity.current();
  const siteUrl = siteUrlOf(modules, service, readIdentity);
  const { handler: routes, steps } = mountRoutes(readApp, modules, service, servedCatalogue);
  const isSecure = [baseUrl, config.accountUrl ?? baseUrl].some((url) => url.startsWith('https:'));
  const pageLimitMs = config.pageLimit ?? (config.dev ? 0 : defaultPageLimitMs);
  const limitedRoutes = limitVisitors(routes, {
    limit: new modules.VisitorLimit(pageLimitMs),
    assetLimit: new modules.VisitorLimit(pageLimitMs * assetShare),
    turns: new FairScheduler(),
    trustProxy,
    log,
    hasValidCredential: async ({ headers }, path) =>
      (await access.authenticate(
        headers.authorization,
        path.startsWith('/mcp') ? `${baseUrl}/mcp` : undefined,
      )) !== null,
    needsComparison: access.needsComparison,
    takeComparison: access.takeComparison,
    hasConsoleSession: async (request) => {
      const session = await access.sessions.find(readSessionToken(request, siteUrl));
      return session !== null && includesRole(session.account.role, 'editor');
    },
    sendPage: pages.tooManyPage(pages.createSiteUrl(baseUrl, readIdentity)),
  });
  const secured = isSecure ? pages.securePages(limitedRoutes) : limitedRoutes;
  const handler = pages.hidePages(secured, readIdentity);
  const entry = trustProxy ? handler : detectProxy(handler, () => reportProxy(readApp(), log));
  return { handler: entry, steps };
}

/** Mounts all entry points on one router; in a cluster on three, two of which change with the catalogue. */
function mountRoutes(
  readApp: () => App,
  modules: LoadedModules,
  service: HandlerContext,
  servedCatalogue: ServedCatalogue | null,
): { handler: RequestHandler; steps: readonly WarmUpStep[] } {
  const { log } = service;
  const app = readApp();
  if (servedCatalogue === null) {
    const router = createRouter(
      openSite(app, modules, service),
      serviceEndpoints(app, modules, service),
      log,
    );
    const steps = runAtOnce(mountCatalogueRoutes(router, app, modules, service));
    const otherSteps = mountOtherRoutes(router, readApp, modules, service);
    return { handler: router.handler as RequestHandler, steps: [...steps, ...otherSteps] };
  }
  const others = createRouterTo(servedCatalogue.handleRest, log);
  const otherSteps = mountOtherRoutes(others, readApp, modules, service);
  servedCatalogue.others = others.handler as RequestHandler;
  const { handlers, steps } = runAtOnce(openCatalogueRoutes(app, modules, service, servedCatalogue));
  servedCatalogue.change(handlers);
  // A former catalogue may be closed.
  const ownSteps = steps.map((step) => () => (readApp() === app ? step() : undefined));
  return { handler: servedCatalogue.handle, steps: [...ownSteps, ...otherSteps] };
}

/** Serves an agent over standard input and output until they are closed (`mcp/stdio.ts`). */
export async function serveMcpOnStdio(
  app: App,
  options: { plan: Plan; baseUrl: string; hasAllTools?: boolean },
): Promise<void> {
  const { reader, search, clock } = app;
  const [{ serveOverStdio }, { tools, allTools }] = await Promise.all([
    import('./mcp/stdio.ts'),
    import('./mcp/tool-list.ts'),
  ]);
  const version = programVersion();
  const { hasAllTools: hasResources = false, ...rest } = options;
  const offered = hasResources ? allTools : tools;
  const deps = { ...rest, tools: offered, hasResources, reader, search, clock, log: stderrLog, version };
  await serveOverStdio(withNames(app, deps));
}

/** Returns the entry of a service for the MCP registry. */
export async function describeForRegistry(facts: {
  baseUrl: string;
  accountUrl: string;
  name: string;
}): Promise<object> {
  const { registryEntry } = await import('./mcp/discovery.ts');
  return registryEntry({ ...facts, version: programVersion() });
}
