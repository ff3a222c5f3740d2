/** Mounts the entry points of a service on its routers. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Polka } from 'polka';
import { type App, loadFetch, programVersion } from '../app.ts';
import type { RequestHandler } from '../http/server.ts';
import type { Settings } from '../settings.ts';
import type { HandlerContext, LoadedModules } from './load-modules.ts';
import type { CatalogueHandlers, ServedCatalogue } from './served-catalogue.ts';
import { createRouter, createRouterTo, serviceEndpoints } from './service-router.ts';
import type { WarmUpStep } from './warm-up.ts';

/** Work in parts of some milliseconds, between which other work may run. */
export type InParts<T> = Generator<void, T>;

/** Runs work in parts at once. */
export function runAtOnce<T>(work: InParts<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

/** Runs each part of work in a turn of the event loop of its own. */
export async function runInTurns<T>(work: InParts<T>): Promise<T> {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    await nextTurn();
  }
}

/** The address of the account pages, with the present identity of the service. */
export const siteUrlOf = (
  { pages }: LoadedModules,
  { config, baseUrl }: HandlerContext,
  readIdentity: () => ReturnType<App['identity']['current']>,
) => pages.createSiteUrl(config.accountUrl ?? baseUrl, readIdentity);

/** Opens the public pages; undefined if they are off. */
export function openSite(app: App, modules: LoadedModules, { config, log, baseUrl }: HandlerContext) {
  const compress = config.compression === 'on';
  const hasPublicUrl = config.baseUrl !== null;
  const accountUrl = config.accountUrl ?? baseUrl;
  return modules.openSite?.site(app, { log, baseUrl, hasPublicUrl, accountUrl, compress });
}

/**
 * Opens the routes that read the catalogue of a cluster: a router of their own, before the other routes. Returns their
 * handlers, and the steps that prepare their first requests.
 */
export function* openCatalogueRoutes(
  app: App,
  modules: LoadedModules,
  service: HandlerContext,
  servedCatalogue: ServedCatalogue,
): InParts<{ handlers: CatalogueHandlers; steps: readonly WarmUpStep[] }> {
  const { log } = service;
  const router = createRouterTo((request, response) => servedCatalogue.others(request, response), log);
  const steps = yield* mountCatalogueRoutes(router, app, modules, service);
  yield;
  const site = openSite(app, modules, service);
  yield;
  const rest = createRouter(site, serviceEndpoints(app, modules, service), log);
  yield;
  const handlers = {
    handle: router.handler as RequestHandler,
    handleRest: rest.handler as RequestHandler,
    // A published catalogue is never written.
    revision: app.reader.state().revision,
  };
  return { handlers, steps };
}

/**
 * Mounts the routes that read the catalogue: REST, the mirror, MCP and the console. Returns the steps that prepare their
 * first requests.
 */
export function* mountCatalogueRoutes(
  router: Polka,
  app: App,
  modules: LoadedModules,
  service: HandlerContext,
): InParts<readonly WarmUpStep[]> {
  const { config, log, baseUrl, mail, runAction, totals } = service;
  const { pages, tools, allTools, access } = modules;
  const { reader, search, clock } = app;
  const { fail, trustProxy } = config;
  const compress = config.compression === 'on';
  const accountUrl = config.accountUrl ?? baseUrl;
  const version = programVersion();
  const deps = { reader, search, access, clock, log, baseUrl, version, fail };
  yield;
  modules.mountRest(router, { ...deps, compress });
  yield;
  modules.mountMirror(router, {
    ...deps,
    compress,
    mirror: app.exports.mirror(reader),
    epoch: app.exports.epoch(),
    exports: config.exportDir === null ? null : app.exports.folder(config.exportDir),
  });
  yield;
  const questions = modules.mountMcp(
    router,
    withNames(app, { ...deps, tools, allTools, accountUrl, registryKey: config.mcpRegistryKey }),
  );
  yield;
  pages.mountConsole(router, app, {
    access,
    log,
    siteUrl: siteUrlOf(modules, service, () => app.identity.current()),
    baseUrl,
    trustProxy,
    localPasswords: config.localPasswords === 'on',
    mail,
    runAction,
    totals,
    setIdentity: service.setIdentity,
    publication: service.publication,
  });
  return questions;
}

/** Mounts the other routes: accounts, OAuth, documentation and files. Returns the steps that prepare their first requests. */
export function mountOtherRoutes(
  router: Polka,
  readApp: () => App,
  modules: LoadedModules,
  service: HandlerContext,
): readonly WarmUpStep[] {
  const { config, log, baseUrl, mail } = service;
  const { pages, access } = modules;
  const { registration, trustProxy, fetchAllow } = config;
  const readIdentity = () => readApp().identity.current();
  const { clock } = readApp();
  const accountUrl = config.accountUrl ?? baseUrl;
  const siteUrl = siteUrlOf(modules, service, readIdentity);
  const openFetch = () => loadFetch({ baseUrl, fetchAllow });
  const openid = openIdProvider(modules, config, siteUrl.url, openFetch);
  const entry = { registration, localPasswords: config.localPasswords === 'on', openid, mail };
  pages.mountAccount(router, { access, clock, log, siteUrl, baseUrl, trustProxy, ...entry });
  const oauthSteps = pages.mountOAuth(router, { access, log, siteUrl, baseUrl, trustProxy, openFetch });
  const hasSite = modules.openSite !== null;
  const version = programVersion();
  const documents = pages.mountDocs(router, {
    access,
    log,
    baseUrl,
    accountUrl,
    readIdentity,
    version,
    site: hasSite,
  });
  router.all('/assets/*', pages.sendAsset(readIdentity));
  if (service.media !== null) router.all('/media/*', service.media.handle);
  return [...documents, ...oauthSteps];
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

/** Adds the present name, attribution and home city of the service, which may change while it runs. */
export const withNames = <T extends object>(app: App, deps: T) =>
  Object.defineProperties(deps, {
    name: { get: () => app.identity.current().name, enumerable: true },
    attribution: { get: () => app.identity.current().attribution, enumerable: true },
    homeCity: { get: () => app.identity.current().homeCity, enumerable: true },
  }) as T & { readonly name: string; readonly attribution: string | null; readonly homeCity: string | null };
