/**
 * Wires the doors: to one HTTP server for programs, agents and browsers, and for one agent to standard input and output.
 * What is behind them is built in `app.ts`.
 */
import { setFlagsFromString } from 'node:v8';
import polka, { type Polka } from 'polka';
import type { Access } from './access/access.ts';
import { type App, loadFetch, problemOfState, programVersion } from './app.ts';
import type { Search } from './catalogue/search.ts';
import { prepareTimeWords } from './catalogue/time-words.ts';
import { localUrl } from './config.ts';
import { Problem } from './contract/errors.ts';
import type { Plan } from './contract/plans.ts';
import { FairTurns } from './http/fair-turns.ts';
import { watchForwarded } from './http/forwarded.ts';
import { type Counts, ownCounts } from './http/metrics.ts';
import { answerFailure, type Handler, type Listening, listen } from './http/server.ts';
import { limitVisitors } from './http/visitors.ts';
import { describeFailure, type Log, sparing, stderrLog } from './log.ts';
import type { Settings } from './settings.ts';
import type { SiteDoor } from './site/door.ts';

export type { Counts } from './http/metrics.ts';
export { ownCounts, sumCounts } from './http/metrics.ts';
export { checkFree } from './http/server.ts';

export type ServerOptions = {
  config: Settings;
  log: Log;
  /** The counts of all processes that answer; without it, of this one alone. */
  totals?: () => Promise<Counts>;
};

export type RunningServer = Listening & { baseUrl: string };

/** Starts answering on the configured address. Rejects with a `Failure` where that cannot be had. */
export async function startServer(app: App, options: ServerOptions): Promise<RunningServer> {
  const { config } = options;
  const log = sparing(options.log);
  // A server makes much garbage that dies young. V8 would double the room for that again and again, to over 100 MB; it
  // collects as fast in less.
  setFlagsFromString('--semi-space-growth-factor=1');
  const loaded = await load(app, config);
  const { host, port } = config;
  let baseUrl = '';
  const counted = config.metricsToken !== null;
  const trouble = () => problemOfState(app.fileState);
  const listening = await listen({ host, port, counted, log, trouble }, (chosen) => {
    baseUrl = config.baseUrl ?? localUrl(host, chosen);
    return wire(app, loaded, { ...options, log, baseUrl });
  });
  const endTidying = tidyNowAndThen(loaded.access, log);
  const endLearning = learnWords(app.search, log);
  const stop = async () => {
    endTidying();
    endLearning();
    await listening.stop();
  };
  return { ...listening, stop, baseUrl };
}

type Loaded = Awaited<ReturnType<typeof load>>;

/** All that answers, loaded side by side. */
async function load(app: App, { site }: Settings) {
  const [
    { mountRest },
    { mountMcp },
    { tools },
    { answerAround },
    { VisitorLimit },
    pages,
    openSite,
    access,
  ] = await Promise.all([
    import('./rest/rest.ts'),
    import('./mcp/door.ts'),
    import('./mcp/tools.ts'),
    import('./http/around.ts'),
    import('./access/access.ts'),
    loadPages(),
    site === 'on' ? loadSite() : null,
    app.access(),
  ]);
  return { mountRest, mountMcp, tools, answerAround, VisitorLimit, pages, openSite, access };
}

type Service = ServerOptions & { baseUrl: string };

/** Processing time that the visitors of one network may use in a second, in ms. */
const defaultPageLimit = 100;

/** Mounts every door. */
function wire(app: App, loaded: Loaded, service: Service): Handler {
  const { config, log, baseUrl } = service;
  const { pages, tools, access } = loaded;
  const { reader, search, clock } = app;
  const { name, fail, registration, trustProxy, fetchAllow } = config;
  const version = programVersion();
  const accountUrl = config.accountUrl ?? baseUrl;
  const site = loaded.openSite?.(app, { log, baseUrl, accountUrl, name });
  const doors = openDoors(site, around(app, loaded, service), log);
  const deps = { reader, search, access, clock, log, baseUrl, version, fail };
  loaded.mountRest(doors, deps);
  loaded.mountMcp(doors, { ...deps, tools, accountUrl, name });
  const place = pages.placeOf(accountUrl, name);
  pages.mountAccount(doors, { access, clock, log, place, baseUrl, registration, trustProxy });
  const openFetch = () => loadFetch({ baseUrl, fetchAllow });
  pages.mountOAuth(doors, { access, log, place, baseUrl, trustProxy, openFetch });
  const docs = { access, log, baseUrl, accountUrl, name, version, site: site !== undefined };
  pages.mountDocs(doors, docs);
  doors.all('/assets/*', pages.sendAsset);
  const isSecure = [baseUrl, accountUrl].some((url) => url.startsWith('https:'));
  const limited = limitVisitors(doors.handler as Handler, {
    limit: new loaded.VisitorLimit(config.pageLimit ?? (config.dev ? 0 : defaultPageLimit)),
    turns: new FairTurns(),
    trustProxy,
    log,
    isKnown: async ({ headers }, path) =>
      (await access.identify(
        headers.authorization,
        path.startsWith('/mcp') ? `${baseUrl}/mcp` : undefined,
      )) !== null,
    sendPage: pages.tooManyPage(pages.placeOf(baseUrl, name)),
  });
  const handler = isSecure ? pages.securePages(limited) : limited;
  return trustProxy ? handler : watchForwarded(handler, () => tellForwarded(app, log));
}

/** What is asked of a service beside its doors: health, metrics, and all that nobody answers. */
function around(app: App, { answerAround }: Loaded, { config, log, baseUrl, totals }: Service) {
  const watch = app.watchLock((isStuck) =>
    isStuck
      ? log('error', 'another process has locked the data file for more than five seconds', {
          advice: 'an import or another program does not go on: end it',
        })
      : log('info', 'the data file is no longer locked'),
  );
  return answerAround({
    baseUrl,
    name: config.name,
    version: programVersion(),
    metricsToken: config.metricsToken,
    readRevision: () => usable(() => app.revisionOnDisk()),
    tryWrite: () => writing(app, log),
    isLocked: () => watch.isStuck,
    fileState: () => app.fileState,
    sourceStates: () => app.sourceStates(),
    totals: totals ?? (async () => ownCounts()),
  });
}

type Around = ReturnType<typeof around>;

/** A server with no door yet: what none takes goes to the pages of the catalogue, then to `around`. */
function openDoors(site: SiteDoor | undefined, around: Around, log: Log): Polka {
  return polka({
    onNoMatch: (request, response) => {
      if (site?.take(request, response)) return;
      around(request, response).catch((failure: unknown) => {
        const isMissing = failure instanceof Problem && failure.type === 'not_found';
        if (isMissing && site?.tellMissing(request, response)) return;
        answerFailure(failure, response, log);
      });
    },
    onError: (failure, _request, response) => answerFailure(failure, response, log),
  });
}

/** Throws where the file cannot be written; the log has it even where nobody asks for anything else. */
function writing(app: App, log: Log): void {
  try {
    app.tryWrite();
  } catch (failure) {
    log('warn', 'the data file cannot be written', describeFailure(failure));
    throw failure;
  }
}

/** Requests come through a proxy that the service was not told of: all callers look like one. */
function tellForwarded(app: App, log: Log): void {
  log('warn', 'requests come through a proxy', {
    advice:
      'start with --trust-proxy, or all visitors share the limits of one, and with --base-url as the address that people use',
  });
  try {
    app.noteForwarded();
  } catch (failure) {
    log('warn', 'the proxy could not be noted', describeFailure(failure));
  }
}

/** The pages of the catalogue, for everybody. */
async function loadSite() {
  const [{ SiteDoor }, { placeOf }, { openSiteReader }] = await Promise.all([
    import('./site/door.ts'),
    import('./pages/place.ts'),
    import('./store/site.ts'),
  ]);
  return (app: App, { log, baseUrl, accountUrl, name }: SiteSettings) => {
    const { reader, search, clock } = app;
    const place = placeOf(baseUrl, name);
    const site = app.readSite(openSiteReader);
    return new SiteDoor({ reader, search, site, clock, log, place, accountUrl, version: programVersion() });
  };
}
type SiteSettings = { log: Log; baseUrl: string; accountUrl: string; name: string };

/** What people see in a browser. */
async function loadPages() {
  const [account, oauth, docs, assets, place, secure, tooMany] = await Promise.all([
    import('./account/door.ts'),
    import('./oauth/oauth.ts'),
    import('./site/docs/door.ts'),
    import('./pages/assets.ts'),
    import('./pages/place.ts'),
    import('./pages/secure.ts'),
    import('./pages/too-many.tsx'),
  ]);
  const { mountAccount } = account;
  const { mountOAuth } = oauth;
  const { mountDocs } = docs;
  const { sendAsset } = assets;
  return {
    mountAccount,
    mountOAuth,
    mountDocs,
    sendAsset,
    placeOf: place.placeOf,
    securePages: secure.securePages,
    tooManyPage: tooMany.tooManyPage,
  };
}

const tidyMs = 3_600_000;

/** Forgets what is past, now and every hour; gives how to end that. */
function tidyNowAndThen(access: Access, log: Log): () => void {
  const tidy = () => {
    access.tidy().catch((failure: unknown) => log('warn', 'tidying failed', describeFailure(failure)));
  };
  tidy();
  const timer = setInterval(tidy, tidyMs).unref();
  return () => clearInterval(timer);
}

/** Between two steps of learning the words of names, and between two looks for new ones, in ms. */
const learnMs = { busy: 5, idle: 1_000 };

/** Has search learn the words of names beside the requests, and of times before them; gives how to end that. */
function learnWords(search: Search, log: Log): () => void {
  const times = prepareTimeWords();
  const step = () => {
    let isDone = true;
    try {
      isDone = times.next().done === true && search.learnWords();
    } catch (failure) {
      log('warn', 'the words of names could not be read', describeFailure(failure));
    }
    timer = setTimeout(step, isDone ? learnMs.idle : learnMs.busy).unref();
  };
  // Not at once: whoever waits for the start is answered first.
  let timer = setTimeout(step, learnMs.idle).unref();
  return () => clearTimeout(timer);
}

/** Where the file cannot be asked at all, that is not a mistake of the program. */
function usable<T>(ask: () => T): T {
  try {
    return ask();
  } catch (failure) {
    if (failure instanceof Problem) throw failure;
    throw new Problem('unavailable', 'The data file cannot be read at present.');
  }
}

/** Answers an agent over standard input and output, until it closes them (`mcp/local.ts`). */
export async function serveAgent(
  { reader, search, clock }: App,
  options: { plan: Plan; name: string; baseUrl: string },
): Promise<void> {
  const [{ serveLocal }, { tools }] = await Promise.all([import('./mcp/local.ts'), import('./mcp/tools.ts')]);
  await serveLocal({ ...options, tools, reader, search, clock, log: stderrLog, version: programVersion() });
}
