/** Remembers the city of a visitor in a cookie, and finds the city near a position. The service stores neither. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Problem } from '../contract/errors.ts';
import { cityCookie, readCityCookie } from '../http/cookies.ts';
import { sendProblem } from '../http/problem-response.ts';
import { isCrossSite } from '../pages/same-site.ts';
import { redirect } from '../pages/send.ts';
import type { SiteUrl } from '../pages/site-url.ts';
import type { CatalogueReader } from '../store/reader.ts';
import type { SiteReader } from '../store/site/site-reader.ts';
import { nearestCitiesWithEvents } from './days/nearest-city.ts';
import { type PageContext, queryParameter, recordPath } from './page-context.ts';
import type { Route } from './route.ts';

type ChoiceDeps = { reader: CatalogueReader; siteUrl: SiteUrl };
const maxSlugLength = 200;
/** The methods of the form that remembers or forgets a city. */
export const choiceMethods = 'POST, OPTIONS';

/**
 * Returns the slug of the city in the cookie of a request; the present one if the cookie has a former one. Null without a
 * cookie, or if the city does not exist.
 */
export function rememberedCity(
  request: IncomingMessage,
  { reader, site, siteUrl }: ChoiceDeps & { site: SiteReader },
): string | null {
  const value = readCityCookie(request, siteUrl);
  if (value === undefined || value === '' || value.length > maxSlugLength) return null;
  try {
    const id = reader.find('city', decodeURIComponent(value));
    return id === null ? null : site.map.slug('city', id);
  } catch {
    return null;
  }
}

/** Answers the form that remembers or forgets a city: sets the cookie and redirects to the home page. */
export function answerCityChoice(
  request: IncomingMessage,
  response: ServerResponse,
  { slug, remember }: Route & { to: 'city choice' },
  { reader, siteUrl }: ChoiceDeps,
): void {
  if (request.method !== 'POST') {
    const problem = new Problem('method_not_allowed', 'Use the button on the page of the city.');
    sendProblem(response, problem, { Allow: choiceMethods });
  } else if (isCrossSite(request, siteUrl)) {
    sendProblem(response, new Problem('forbidden', 'A page of another site sent this form.'));
  } else if (remember && reader.find('city', slug) === null) {
    sendProblem(response, new Problem('not_found', 'There is no such city.'));
  } else {
    redirect(response, `${siteUrl.prefix}/`, { 'Set-Cookie': cityCookie(remember ? slug : '', siteUrl) });
  }
}

/** Redirects to the nearest city with upcoming events (`at=52.5,13.4`), or to the list of cities. */
export function answerNear(context: PageContext, response: ServerResponse): void {
  const { siteUrl } = context;
  const [, latitude, longitude] =
    /^(-?\d{1,2}(?:\.\d{1,6})?),(-?\d{1,3}(?:\.\d{1,6})?)$/.exec(queryParameter(context, 'at', 40)) ?? [];
  const [nearest] =
    latitude === undefined
      ? []
      : nearestCitiesWithEvents(context, { latitude: Number(latitude), longitude: Number(longitude) }, 1);
  redirect(
    response,
    nearest === undefined ? `${siteUrl.prefix}/cities` : recordPath(context, 'city', nearest.slug),
  );
}

/**
 * Lets pages with the button "Near me" ask the browser for its position, on a click. Without https there is no policy to
 * change, and browsers give positions on localhost only.
 */
export const positionHeaders = (route: Route, siteUrl: SiteUrl): Record<string, string> =>
  siteUrl.secure && (route.to === 'home' || route.to === 'list')
    ? {
        'Permissions-Policy':
          'camera=(), geolocation=(self), microphone=(), payment=(), usb=(), browsing-topics=()',
      }
    : {};
