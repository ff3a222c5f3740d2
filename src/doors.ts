/**
 * Connects the entry points: REST, MCP and web pages to one HTTP server, and MCP to standard input and output.
 * `app.ts` builds what is behind them.
 */
import { setFlagsFromString } from 'node:v8';
import polka, { type Polka } from 'polka';
import { type App, loadFetch, problemForState, programVersion } from './app.ts';
import { localUrl } from './config.ts';
import type { ActionRunner } from './contract/action-runner.ts';
import { Problem } from './contract/errors.ts';
import type { Plan } from './contract/plans.ts';
import { includesRole } from './contract/roles.ts';
import { indexWordsInBackground, scheduleCleanup } from './doors/background.ts';
import { loadPages, loadSite, type Media } from './doors/load-pages.ts';
import { detectProxy } from './http/client-address.ts';
import { readSessionToken } from './http/cookies.ts';
import { watchEventLoop } from './http/event-loop.ts';
import { FairScheduler } from './http/fair-scheduler.ts';
import { type ProcessMetrics, processMetrics } from './http/metrics.ts';
import { answerFailure, type ListeningServer, listen, type RequestHandler } from './http/server.ts';
import { limitVisitors } from './http/visitor-gate.ts';
import { describeFailure, type Log, stderrLog, throttleRepeats } from './log.ts';
import type { Mailer } from './mail/mailer.ts';
import type { Settings } from './settings.ts';
import type { SiteHandler } from './site/handler.ts';

export type { ProcessMetrics } from './http/metrics.ts';
export { processMetrics, sumMetrics } from './http/metrics.ts';
export { checkPortAvailable } from './http/server.ts';

export type ServerOptions = {
  config: Settings;
  log: Log;
  /** Metrics of all server processes; by default those of this process only. */
  totals?: () => Promise<ProcessMetrics>;
  /** Runs actions of the console; without it, the console only reads the catalogue. */
  runAction?: ActionRunner;
};

export type RunningServer = ListeningServer & { baseUrl: string };

/** Starts the server on the configured address. Rejects with a `Failure` if the address is not available. */
export async function startServer(app: App, options: ServerOptions): Promise<RunningServer> {
  const { config } = options;
  const log = throttleRepeats(options.log);
  // Most garbage of a server is short-lived. By default V8 doubles the young generation repeatedly, to over 100 MB,
  // without collecting faster.
  setFlagsFromString('--semi-space-growth-factor=1');
  app.identity.configure(config);
  const loaded = await loadModules(app, config);
  const { host, port, smtpUrl, mailFrom } = config;
  const mail =
    smtpUrl === null || mailFrom === null ? null : new loaded.Mailer({ smtpUrl, from: mailFrom, log });
  let baseUrl = '';
  let media: Media | null = null;
  const trouble = () => problemForState(app.file.state);
  const listening = await listen({ host, port, log, trouble }, (chosen) => {
    baseUrl = config.baseUrl ?? localUrl(host, chosen);
    media = loaded.openSite?.media(app, { config, log, baseUrl }) ?? null;
    return createHandler(app, loaded, { ...options, log, baseUrl, mail, media });
  });
  const endTidying = scheduleCleanup(loaded.access, log);
  const endLearning = indexWordsInBackground(app.search, log);
  const endWatching = config.metricsToken !== null ? watchEventLoop() : () => {};
  const stop = async () => {
    endTidying();
    endLearning();
    mail?.close();
    endWatching();
    await Promise.all([listening.close(), media?.close()]);
  };
  return { ...listening, close: stop, baseUrl };
}

type LoadedModules = Awaited<ReturnType<typeof loadModules>>;

/** Loads all entry points in parallel. */
async function loadModules(app: App, { site }: Settings) {
  const [
    { mountRest },
    { mountMirror },
    { mountMcp },
    { tools, allTools },
    { handleServiceEndpoints: answerAround },
    { VisitorLimit },
    pages,
    openSite,
    access,
    { Mailer },
  ] = await Promise.all([
    import('./rest/routes.ts'),
    import('./mirror/routes.ts'),
    import('./mcp/handler.ts'),
    import('./mcp/tool-list.ts'),
    import('./http/service-endpoints.ts'),
    import('./access/access.ts'),
    loadPages(),
    site === 'on' ? loadSite() : null,
    app.access(),
    import('./mail/mailer.ts'),
  ]);
  return {
    mountRest,
    mountMirror,
    mountMcp,
    tools,
    allTools,
    answerAround,
    VisitorLimit,
    pages,
    openSite,
    access,
    Mailer,
  };
}

type HandlerContext = ServerOptions & { baseUrl: string; mail: Mailer | null; media: Media | null };

/** Processing time that visitors of one network may use per second, in ms. */
const defaultPageLimitMs = 100;

/** Mounts all entry points. */
function createHandler(app: App, loaded: LoadedModules, service: HandlerContext): RequestHandler {
  const { config, log, baseUrl, mail } = service;
  const { pages, tools, allTools, access } = loaded;
  const { reader, search, clock } = app;
  const { fail, registration, trustProxy, fetchAllow } = config;
  const compress = config.compression === 'on';
  const readIdentity = () => app.identity.current();
  const version = programVersion();
  const accountUrl = config.accountUrl ?? baseUrl;
  const hasPublicUrl = config.baseUrl !== null;
  const site = loaded.openSite?.site(app, { log, baseUrl, hasPublicUrl, accountUrl, compress });
  const doors = createRouter(site, serviceEndpoints(app, loaded, service), log);
  const deps = { reader, search, access, clock, log, baseUrl, version, fail };
  loaded.mountRest(doors, { ...deps, compress });
  loaded.mountMirror(doors, {
    ...deps,
    compress,
    mirror: app.exports.mirror(reader),
    epoch: app.exports.epoch(),
    exports: config.exportDir === null ? null : app.exports.folder(config.exportDir),
  });
  loaded.mountMcp(
    doors,
    withNames(app, { ...deps, tools, allTools, accountUrl, registryKey: config.mcpRegistryKey }),
  );
  const siteUrl = pages.createSiteUrl(accountUrl, readIdentity);
  const localPasswords = config.localPasswords === 'on';
  const openFetch = () => loadFetch({ baseUrl, fetchAllow });
  const openid = openIdProvider(loaded, config, siteUrl.url, openFetch);
  const entry = { registration, localPasswords, openid, mail };
  pages.mountAccount(doors, { access, clock, log, siteUrl, baseUrl, trustProxy, ...entry });
  const { runAction, totals } = service;
  pages.mountConsole(doors, app, {
    access,
    log,
    siteUrl,
    baseUrl,
    trustProxy,
    localPasswords,
    mail,
    runAction,
    totals,
  });
  pages.mountOAuth(doors, { access, log, siteUrl, baseUrl, trustProxy, openFetch });
  const docs = { access, log, baseUrl, accountUrl, readIdentity, version, site: site !== undefined };
  pages.mountDocs(doors, docs);
  doors.all('/assets/*', pages.sendAsset(readIdentity));
  if (service.media !== null) doors.all('/media/*', service.media.handle);
  const isSecure = [baseUrl, accountUrl].some((url) => url.startsWith('https:'));
  const limited = limitVisitors(doors.handler as RequestHandler, {
    limit: new loaded.VisitorLimit(config.pageLimit ?? (config.dev ? 0 : defaultPageLimitMs)),
    turns: new FairScheduler(),
    trustProxy,
    log,
    hasValidCredential: async ({ headers }, path) =>
      (await access.authenticate(
        headers.authorization,
        path.startsWith('/mcp') ? `${baseUrl}/mcp` : undefined,
      )) !== null,
    hasConsoleSession: async (request) => {
      const session = await access.sessions.find(readSessionToken(request, siteUrl));
      return session !== null && includesRole(session.account.role, 'editor');
    },
    sendPage: pages.tooManyPage(pages.createSiteUrl(baseUrl, readIdentity)),
  });
  const secured = isSecure ? pages.securePages(limited) : limited;
  const handler = pages.hidePages(secured, readIdentity);
  return trustProxy ? handler : detectProxy(handler, () => reportProxy(app, log));
}

/** Creates the client of the OpenID provider, if one is configured. */
function openIdProvider(
  { pages }: LoadedModules,
  config: Settings,
  accountUrl: string,
  openFetch: () => ReturnType<typeof loadFetch>,
) {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret } = config;
  if (issuer === null || clientId === null) return null;
  return new pages.OpenIdProvider({
    issuer,
    clientId,
    clientSecret,
    name: config.oidcName,
    domains: config.oidcDomains,
    redirectUri: `${accountUrl}/account/openid/callback`,
    openFetch,
  });
}

/** Returns the other endpoints of a service: health, metrics and "not found". */
function serviceEndpoints(
  app: App,
  { answerAround, access }: LoadedModules,
  { config, log, baseUrl, totals }: HandlerContext,
) {
  const watch = app.file.watchLock((isStuck) =>
    isStuck
      ? log('error', 'another process has locked the data file for more than five seconds', {
          advice: 'an import or another program does not go on: end it',
        })
      : log('info', 'the data file is no longer locked'),
  );
  return answerAround({
    baseUrl,
    readIdentity: () => app.identity.current(),
    version: programVersion(),
    metricsToken: config.metricsToken,
    readRevision: () => readOrUnavailable(() => app.file.revisionOnDisk()),
    tryWrite: () => checkWritable(app, log),
    isLocked: () => watch.isStuck,
    fileState: () => app.file.state,
    sourceStates: () => app.sourceRuns.states(),
    sourceMetrics: () => app.metrics.sources(),
    fileMetrics: () => app.metrics.file(),
    undecidedPairs: () => app.metrics.undecidedPairs(),
    backupMetrics: () => (config.backupDir === null ? null : app.metrics.backups(config.backupDir)),
    exportMetrics: () => (config.exportDir === null ? null : app.metrics.exports(config.exportDir)),
    changesFrom: () => app.exports.changesFrom(),
    plansInForce: () => access.plans.inForce(),
    totals: totals ?? (async () => processMetrics()),
  });
}

type ServiceEndpoints = ReturnType<typeof serviceEndpoints>;

/** Creates the router without routes. Unmatched requests go to the public pages, then to `endpoints`. */
function createRouter(site: SiteHandler | undefined, endpoints: ServiceEndpoints, log: Log): Polka {
  return polka({
    onNoMatch: (request, response) => {
      if (site?.handle(request, response)) return;
      endpoints(request, response).catch((failure: unknown) => {
        const isMissing = failure instanceof Problem && failure.type === 'not_found';
        if (isMissing && site?.sendNotFound(request, response)) return;
        answerFailure(failure, response, log);
      });
    },
    onError: (failure, _request, response) => answerFailure(failure, response, log),
  });
}

/** Throws if the file cannot be written, and logs it even if no other request fails. */
function checkWritable(app: App, log: Log): void {
  try {
    app.file.tryWrite();
  } catch (failure) {
    log('warn', 'the data file cannot be written', describeFailure(failure));
    throw failure;
  }
}

/** Logs a warning: an unconfigured proxy makes all callers look like one. */
function reportProxy(app: App, log: Log): void {
  log('warn', 'requests come through a proxy', {
    advice:
      'start with --trust-proxy, or all visitors share the limits of one, and with --base-url as the address that people use',
  });
  try {
    app.services.recordProxySeen();
  } catch (failure) {
    log('warn', 'the proxy could not be noted', describeFailure(failure));
  }
}

/** Adds the present name and attribution of the service, which may change while it runs. */
const withNames = <T extends object>(app: App, deps: T) =>
  Object.defineProperties(deps, {
    name: { get: () => app.identity.current().name, enumerable: true },
    attribution: { get: () => app.identity.current().attribution, enumerable: true },
  }) as T & { readonly name: string; readonly attribution: string | null };

/** Maps errors of an unreadable file to "unavailable" instead of an internal error. */
function readOrUnavailable<T>(read: () => T): T {
  try {
    return read();
  } catch (failure) {
    if (failure instanceof Problem) throw failure;
    throw new Problem('unavailable', 'The data file cannot be read at present.');
  }
}

/** Serves an agent over standard input and output until they are closed (`mcp/stdio.ts`). */
export async function serveMcpOnStdio(
  app: App,
  options: { plan: Plan; baseUrl: string; hasAllTools?: boolean },
): Promise<void> {
  const { reader, search, clock } = app;
  const [{ serveOverStdio: serveLocal }, { tools, allTools }] = await Promise.all([
    import('./mcp/stdio.ts'),
    import('./mcp/tool-list.ts'),
  ]);
  const version = programVersion();
  const { hasAllTools: hasResources = false, ...rest } = options;
  const offered = hasResources ? allTools : tools;
  const deps = { ...rest, tools: offered, hasResources, reader, search, clock, log: stderrLog, version };
  await serveLocal(withNames(app, deps));
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
