/** Imports the modules of the pages when a service starts. Other commands do not need them. */
import { type App, loadFetch, programVersion } from '../app.ts';
import type { RequestHandler } from '../http/server.ts';
import type { Log } from '../log.ts';
import type { Settings } from '../settings.ts';

/** Loads the public pages of the catalogue, and the pictures of their records. */
export async function loadSite() {
  const [{ SiteHandler }, { createSiteUrl }, { openSiteReader }, { openMedia }] = await Promise.all([
    import('../site/handler.ts'),
    import('../pages/site-url.ts'),
    import('../store/site/site-reader.ts'),
    import('../media/open.ts'),
  ]);
  const site = (app: App, { baseUrl, ...options }: SiteOptions) => {
    const { reader, search, clock } = app;
    const siteUrl = createSiteUrl(baseUrl, () => app.identity.current());
    const site = app.readSite(openSiteReader);
    return new SiteHandler({ ...options, reader, search, site, clock, siteUrl, version: programVersion() });
  };
  const media = (readApp: () => App, { config, log, baseUrl }: MediaOptions) => {
    let latest: { app: App; pictures: ReturnType<typeof openSiteReader>['pictures'] } | undefined;
    const readPictures = () => {
      const app = readApp();
      if (latest?.app !== app) latest = { app, pictures: app.readSite(openSiteReader).pictures };
      return latest.pictures;
    };
    return openMedia({
      folder: config.mediaDir ?? `${readApp().path}.media`,
      maxBytes: config.mediaCacheMb * 1_000_000,
      openFetch: () => loadFetch({ baseUrl, fetchAllow: config.fetchAllow }),
      readIdentity: () => readApp().identity.current(),
      findRecord: (id) => readPictures().byPublicId(id),
      compress: config.compression === 'on',
      log,
    });
  };
  return { site, media };
}
type MediaOptions = { config: Settings; log: Log; baseUrl: string };
/** Serves the pictures of records. `close` ends their downloads and conversions. */
export type Media = { handle: RequestHandler; close: () => Promise<void> };
type SiteOptions = {
  log: Log;
  baseUrl: string;
  hasPublicUrl: boolean;
  accountUrl: string;
  compress: boolean;
};

/** Loads the pages of accounts, console, OAuth and documentation, and what all pages share. */
export async function loadPages() {
  const [account, openid, admin, oauth, docs, assets, siteUrl, secure, tooMany] = await Promise.all([
    import('../account/routes.ts'),
    import('../account/openid/provider.ts'),
    import('../console.ts'),
    import('../oauth/handler.ts'),
    import('../site/docs/handler.ts'),
    import('../pages/assets.ts'),
    import('../pages/site-url.ts'),
    import('../pages/security-headers.ts'),
    import('../pages/too-many-requests.ts'),
  ]);
  const { mountAccount } = account;
  const { mountConsole } = admin;
  const { mountOAuth } = oauth;
  const { mountDocs } = docs;
  const { sendAsset } = assets;
  return {
    mountAccount,
    mountConsole,
    OpenIdProvider: openid.OpenIdProvider,
    mountOAuth,
    mountDocs,
    sendAsset,
    createSiteUrl: siteUrl.createSiteUrl,
    securePages: secure.withSecurityHeaders,
    hidePages: secure.withoutIndexing,
    tooManyPage: tooMany.tooManyRequestsPage,
  };
}
