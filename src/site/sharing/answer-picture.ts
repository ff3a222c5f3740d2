/** Answers requests for the pictures of pages and the icons of the app. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Problem } from '../../contract/errors.ts';
import { matchesETag } from '../../http/etag.ts';
import { sendProblem } from '../../http/problem-response.ts';
import { chargeTime } from '../../http/visitor-gate.ts';
import { type Painter, type Picture, pictureDigest, TooManyPictures } from '../../pictures/painter.ts';
import type { PageContext } from '../page-context.ts';
import type { Route } from '../route.ts';
import { listCard, pictureIdentity, recordCard, siteCard } from './cards.ts';

type PictureRoute = Route & { to: 'picture' | 'icon' };

const cacheControl = 'public, max-age=86400';
const busySeconds = 5;
/** Charged before a picture is drawn, in ms: requests at the same time would otherwise all pass. */
const reservedMs = 40;

/** Returns what the picture of a route shows; null if its record does not exist. */
export function pictureOf(context: PageContext, route: PictureRoute): Picture | null {
  if (route.to === 'icon') {
    const { logo, accent } = pictureIdentity(context);
    return { icon: { logo, accent, size: route.size, maskable: route.maskable } };
  }
  const { of } = route;
  if (of === null) return { card: siteCard(context) };
  if (of.to === 'list') return { card: listCard(context, of.kind) };
  if (of.to !== 'record') return null;
  const { reader } = context;
  const recordId = reader.find(of.kind === 'edition' ? 'festival' : of.kind, of.slug);
  if (recordId === null) return null;
  const id = of.kind === 'edition' ? reader.details.festivals.findEdition(recordId, of.edition) : recordId;
  return id === null ? null : { card: recordCard(context, of.kind, id) };
}

/**
 * Sends a picture as PNG. The time of the drawing thread counts towards the limit of the client's network, so that a
 * network gets a few new pictures per second; kept ones cost nothing.
 */
export async function sendPicture(
  request: IncomingMessage,
  response: ServerResponse,
  painter: Painter,
  picture: Picture,
): Promise<void> {
  const digest = pictureDigest(picture);
  const headers = { ETag: `"${digest}"`, 'Cache-Control': cacheControl };
  if (matchesETag(request.headers['if-none-match'], headers.ETag)) {
    response.writeHead(304, headers).end();
    return;
  }
  // There are only a few icons, and every browser asks for them.
  const isCharged = 'card' in picture && painter.kept(digest) === undefined;
  if (isCharged) chargeTime(request, reservedMs);
  try {
    const { png, ms } = await painter.draw(picture, digest);
    if (isCharged) chargeTime(request, Math.max(0, ms - reservedMs));
    response.writeHead(200, {
      ...headers,
      'Content-Type': 'image/png',
      'Content-Length': png.length,
      'X-Content-Type-Options': 'nosniff',
      // Pages of other sites show these pictures.
      'Cross-Origin-Resource-Policy': 'cross-origin',
    });
    response.end(request.method === 'HEAD' ? undefined : png);
  } catch (failure) {
    if (!(failure instanceof TooManyPictures)) throw failure;
    const problem = new Problem(
      'unavailable',
      `Too many pictures wait to be drawn. Try again in ${busySeconds} s.`,
    );
    sendProblem(response, problem, { 'Retry-After': String(busySeconds) });
  }
}
