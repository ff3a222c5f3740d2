/** `GET /exports/…`: the files of exports, whole or in ranges (docs/spec/changes.md#exports). */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Problem } from '../contract/errors.ts';
import type { ExportFolder } from '../exports/export-folder.ts';
import { type ExportManifest, manifestName } from '../exports/manifest.ts';
import { matchesETag, strongETag } from '../http/etag.ts';
import type { MeteredAnswer } from './metered.ts';
import { MirrorError } from './mirror-error.ts';

/** Media types by the end of a file name. */
const mediaTypes: readonly [end: string, type: string][] = [
  ['.json', 'application/json'],
  ['.gz', 'application/gzip'],
  ['.parquet', 'application/vnd.apache.parquet'],
];

type FoundFile = { path: string; bytes: number; etag: string; name: string; export: string };

/** The answer to a request for a file of the newest export, or of the named one. */
export async function answerExportFile(
  { exports: folder, epoch }: { exports: ExportFolder | null; epoch: string },
  request: IncomingMessage,
  { exportName, file: name }: { exportName: string | null; file: string },
): Promise<MeteredAnswer> {
  if (folder === null) {
    throw new Problem('not_found', 'This service makes no exports. Follow /changes from since=0 instead.');
  }
  const manifest = exportName === null ? await folder.newest(epoch) : await folder.manifest(exportName);
  if (manifest === null && exportName === null)
    throw new Problem('not_found', 'No export has been made yet. Try again later.');
  if (manifest === null)
    throw new Problem('not_found', 'There is no such export. /exports/catalogue.json names the newest one.');
  return answerFile(request, await findFile(folder, manifest, name));
}

async function findFile(folder: ExportFolder, manifest: ExportManifest, name: string): Promise<FoundFile> {
  const listed = manifest.files.find((file) => file.name === name);
  if (listed === undefined && name !== manifestName) {
    const names = [manifestName, ...manifest.files.map((file) => file.name)].join(', ');
    throw new Problem('not_found', `The export has no file of this name. It has ${names}.`);
  }
  const path = join(folder.path, manifest.export, name);
  const stats = await stat(path).catch(() => null);
  if (stats === null) throw new Problem('not_found', 'The export was removed meanwhile. Try again.');
  const etag = listed === undefined ? strongETag(JSON.stringify(manifest)) : `"${listed.sha256}"`;
  return { path, bytes: stats.size, etag, name, export: manifest.export };
}

function answerFile(request: IncomingMessage, file: FoundFile): MeteredAnswer {
  const { etag, bytes, name } = file;
  const headers = ['ETag', etag, 'Cache-Control', 'private, no-cache', 'Vary', 'Authorization'];
  headers.push('Accept-Ranges', 'bytes', 'Content-Location', `/exports/${file.export}/${name}`);
  if (matchesETag(request.headers['if-none-match'], etag)) return { cost: 0, status: 304, headers };
  const ifRange = request.headers['if-range'];
  // A range of another version would give a mixed file. Ranges are defined for GET only (RFC 9110, section 14.2).
  const applies = request.method === 'GET' && (ifRange === undefined || ifRange === etag);
  const range = applies ? parseRange(request.headers.range, bytes) : null;
  if (range === 'unsatisfiable') {
    throw new MirrorError('range_not_satisfiable', `The file has ${bytes} bytes.`, null, [
      'Content-Range',
      `bytes */${bytes}`,
    ]);
  }
  const { first, last } = range ?? { first: 0, last: bytes - 1 };
  headers.push(
    'Content-Type',
    mediaTypes.find(([end]) => name.endsWith(end))?.[1] ?? 'application/octet-stream',
  );
  headers.push('Content-Length', String(last - first + 1));
  if (range !== null) headers.push('Content-Range', `bytes ${first}-${last}/${bytes}`);
  return {
    cost: 1,
    status: range === null ? 200 : 206,
    headers,
    send: (response) => sendPart(response, file.path, first, last),
  };
}

/** A client that takes nothing for this time, in ms, is disconnected. */
const stallMs = 120_000;

async function sendPart(response: ServerResponse, path: string, first: number, last: number): Promise<void> {
  if (last < first) {
    response.end();
    return;
  }
  // A pipelined response has no socket before its turn, and does not emit `close` if the client leaves meanwhile.
  const { socket } = response.req;
  if (response.destroyed || socket.destroyed) return;
  const file = createReadStream(path, { start: first, end: last });
  const stop = () => file.destroy();
  socket.once('close', stop);
  response.setTimeout(stallMs, () => response.destroy());
  try {
    await pipeline(file, response);
  } catch (failure) {
    // The client went away; it can continue with a range.
    const { code } = failure as NodeJS.ErrnoException;
    if (code !== 'ERR_STREAM_PREMATURE_CLOSE' && code !== 'ECONNRESET' && code !== 'EPIPE') throw failure;
  } finally {
    socket.off('close', stop);
    // `pipeline` leaves a file open whose client went away while it was being opened.
    file.destroy();
  }
}

type ByteRange = { first: number; last: number };

/**
 * Parses a Range header with one range of bytes (RFC 9110, section 14).
 * @param size size of the file in bytes
 * @returns null if the whole file is to be sent: no header, another unit, several ranges; 'unsatisfiable' if the range
 *   begins after the end of the file
 */
function parseRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '');
  if (match === null) return null;
  const [, from = '', to = ''] = match;
  if (from === '' && to === '') return null;
  if (from === '') {
    const length = Math.min(Number(to), size);
    return length === 0 ? 'unsatisfiable' : { first: size - length, last: size - 1 };
  }
  const [first, last] = [Number(from), to === '' ? size - 1 : Math.min(Number(to), size - 1)];
  if (to !== '' && Number(to) < first) return null;
  return first >= size ? 'unsatisfiable' : { first, last };
}
