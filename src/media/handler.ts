/**
 * Serves everything below /media/: pictures of records, covers for records without one, and maps. Requests to other
 * services happen only for addresses in the catalogue, and never while a visitor waits longer than a moment.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Problem } from '../contract/errors.ts';
import type { ReadIdentity } from '../contract/identity.ts';
import { compressBody, contentCodings, minCompressedBytes, negotiateCoding } from '../http/compression.ts';
import { matchesETag, strongETag } from '../http/etag.ts';
import { newRequestId, sendProblem } from '../http/problem-response.ts';
import { answerFailure } from '../http/server.ts';
import { chargeBytes, chargeTime, runInTurn } from '../http/visitor-gate.ts';
import type { Log } from '../log.ts';
import { JobFailure } from '../thread-jobs.ts';
import { coverOf, drawCover, parseCoverPath, substituteSide } from './cover.ts';
import { parseMapPath } from './map/area.ts';
import type { Maps } from './map/maps.ts';
import { isPathOf, type PicturePath, parsePicturePath } from './paths.ts';
import type { Pictures } from './pictures.ts';

export type MediaDeps = {
  readIdentity: ReadIdentity;
  /** Finds a record by its public id. */
  findRecord: (id: string) => { name: string; image_url: string | null } | undefined;
  pictures: Pictures;
  maps: Maps;
  log: Log;
  /** Whether SVG is compressed for clients that accept it. */
  compress: boolean;
};

/** Max time that a request waits for a download before it gets the cover. */
const maxWaitMs = 1_500;
/** Charged for a map before it is drawn, in ms of the drawing thread. */
const reservedMs = 5;
const forEver = 'public, max-age=31536000, immutable';
/** A cover instead of a picture: until the next attempt at most, or only this time. */
const forMinutes = 'public, max-age=300';
const onlyNow = 'no-store';
const nothingHere = 'There is nothing at this path.';

/** The pictures come from elsewhere, and an SVG could contain scripts: under this policy none runs, also as a document. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'";

/** Returns the handler of requests for covers, pictures and maps. Failures are answered too; it never throws. */
export const createMediaHandler =
  (deps: MediaDeps) =>
  (request: IncomingMessage, response: ServerResponse): void => {
    if (!response.hasHeader('X-Request-Id')) response.setHeader('X-Request-Id', newRequestId());
    answer(deps, request, response).catch((failure: unknown) => answerFailure(failure, response, deps.log));
  };

async function answer(deps: MediaDeps, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    sendProblem(response, new Problem('method_not_allowed', 'Use GET or HEAD on pictures.'), {
      Allow: 'GET, HEAD',
    });
    return;
  }
  const path = (request.url ?? '').split('?', 1)[0] as string;
  const cover = parseCoverPath(path);
  if (cover !== null) {
    sendSvg(deps, request, response, drawCover(cover), forEver);
    return;
  }
  const picture = parsePicturePath(path);
  if (picture !== null) await answerPicture(deps, request, response, picture);
  else await answerMap(deps, request, response, path);
}

async function answerPicture(
  deps: MediaDeps,
  request: IncomingMessage,
  response: ServerResponse,
  path: PicturePath,
): Promise<void> {
  const record = deps.findRecord(path.id);
  const address = record?.image_url ?? null;
  if (record === undefined || address === null || !isPathOf(path, address))
    throw new Problem('not_found', nothingHere);
  const tag = `"${path.version}-${path.width}"`;
  const isOn = deps.readIdentity().media;
  const result = isOn ? await deps.pictures.get(address, path.width, maxWaitMs) : 'failed';
  if (response.destroyed) return;
  // The time of the page has gone by: what follows is another turn of the network.
  await runInTurn(request, () => {
    if (result === 'pending' || result === 'failed') {
      const cached = result === 'pending' ? onlyNow : forMinutes;
      sendSvg(deps, request, response, drawCover(coverOf(record.name), substituteSide), cached);
      return;
    }
    const headers = { ...commonHeaders, ETag: tag, 'Cache-Control': forEver };
    if (matchesETag(request.headers['if-none-match'], tag)) {
      response.writeHead(304, headers).end();
      return;
    }
    chargeBytes(request, result.bytes.length);
    const { length } = result.bytes;
    response.writeHead(200, { ...headers, 'Content-Type': 'image/webp', 'Content-Length': length });
    response.end(request.method === 'HEAD' ? undefined : result.bytes);
  });
}

async function answerMap(
  deps: MediaDeps,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<void> {
  try {
    // Charged before it is drawn: requests at the same time would otherwise all pass.
    const isNew = parseMapPath(path) !== null && !deps.maps.has(path);
    if (isNew) chargeTime(request, reservedMs);
    const map = await deps.maps.at(path);
    if (map === null) throw new Problem('not_found', nothingHere);
    if (isNew) chargeTime(request, Math.max(0, map.ms - reservedMs));
    await runInTurn(request, () => sendSvg(deps, request, response, map.svg, forEver));
  } catch (failure) {
    if (!(failure instanceof JobFailure)) throw failure;
    deps.log('warn', 'a map could not be drawn', { reason: failure.message });
    throw new Problem('unavailable', 'The map cannot be drawn at present.');
  }
}

const commonHeaders = {
  'Content-Security-Policy': policy,
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

function sendSvg(
  { compress }: MediaDeps,
  request: IncomingMessage,
  response: ServerResponse,
  svg: string,
  cacheControl: string,
): void {
  if (response.destroyed) return;
  const identity = Buffer.from(svg);
  const coding =
    compress && identity.length >= minCompressedBytes
      ? negotiateCoding(request.headers['accept-encoding'], contentCodings)
      : 'identity';
  const isKept = cacheControl === forEver;
  const tag = strongETag(coding + svg);
  const headers = {
    ...commonHeaders,
    'Cache-Control': cacheControl,
    ...(compress ? { Vary: 'Accept-Encoding' } : {}),
    ...(isKept ? { ETag: tag } : {}),
  };
  if (isKept && matchesETag(request.headers['if-none-match'], tag)) {
    response.writeHead(304, headers).end();
    return;
  }
  const body = coding === 'identity' ? identity : compressBody(identity, coding);
  response.writeHead(200, {
    ...headers,
    ...(coding === 'identity' ? {} : { 'Content-Encoding': coding }),
    'Content-Type': 'image/svg+xml; charset=utf-8',
    'Content-Length': body.length,
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}
