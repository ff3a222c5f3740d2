/** `GET /changes`: the records that changed since a revision, one per line (docs/spec/changes.md). */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ChangeWalk, type MirrorReader } from '../catalogue/mirror/change-walk.ts';
import { negotiateCoding } from '../http/compression.ts';
import { matchesETag, weakETag } from '../http/etag.ts';
import type { FairScheduler } from '../http/fair-scheduler.ts';
import type { CatalogueReader } from '../store/reader.ts';
import { withBaseUrl } from '../store/records/serialize.ts';
import { type ChangeRequest, changeLimits, checkHistory, parseChangeRequest } from './change-request.ts';
import { LineStream } from './line-stream.ts';
import type { MeteredAnswer } from './metered.ts';

/** Time of one read, in ms. Other requests run between two reads. */
const stepMs = 3;

export type ChangeFeedParts = {
  reader: CatalogueReader;
  mirror: MirrorReader;
  epoch: string;
  turns: FairScheduler;
  baseUrl: string;
  compress: boolean;
};

/** The answer to a request: 304, or a stream of lines. Parameters are checked before anything is counted. */
export function answerChanges(
  parts: ChangeFeedParts,
  request: IncomingMessage,
  parameters: URLSearchParams,
): MeteredAnswer {
  const { reader, mirror, epoch, baseUrl } = parts;
  const ask = parseChangeRequest(parameters);
  const { revision } = reader.snapshot(() => reader.state());
  checkHistory(ask, { revision, epoch }, mirror.records);
  const until = mirror.records.lastRevision(ask.since, ask.limit, revision);
  const etag = weakETag(JSON.stringify([epoch, ask.since, until, revision > until, baseUrl]));
  const headers = ['ETag', etag, 'Cache-Control', 'private, no-cache'];
  headers.push('Vary', parts.compress ? 'Authorization, Accept-Encoding' : 'Authorization');
  if (matchesETag(request.headers['if-none-match'], etag)) return { cost: 0, status: 304, headers };
  const records = mirror.records.count(ask.since, until, changeLimits.counted);
  const isCompressed =
    parts.compress && negotiateCoding(request.headers['accept-encoding'], ['gzip']) === 'gzip';
  headers.push('Content-Type', 'application/x-ndjson');
  if (isCompressed) headers.push('Content-Encoding', 'gzip');
  return {
    cost: Math.max(1, Math.ceil(records / changeLimits.perRequest)),
    status: 200,
    headers,
    send: (response, queueKey) =>
      sendLines(parts, ask, { until, hasMore: until < revision, isCompressed, response, queueKey }),
  };
}

type Sending = {
  until: number;
  hasMore: boolean;
  isCompressed: boolean;
  response: ServerResponse;
  queueKey: string;
};

/** Sends the lines, each read in a turn of its own, and then the line that names the revision reached. */
async function sendLines(
  { reader, mirror, turns, baseUrl, epoch }: ChangeFeedParts,
  { since }: ChangeRequest,
  { until, hasMore, isCompressed, response, queueKey }: Sending,
): Promise<void> {
  const stream = new LineStream(response, isCompressed);
  const walk = new ChangeWalk(mirror, { since, until });
  for (;;) {
    const lines = await turns.run(queueKey, () => reader.snapshot(() => walk.step(stepMs)));
    if (stream.isClosed) return;
    if (lines.length === 0) break;
    await stream.write(withBaseUrl(`${lines.join('\n')}\n`, baseUrl));
  }
  const end = { change: 'end', revision: until, epoch, has_more: hasMore };
  await stream.write(`${JSON.stringify(end)}\n`);
  stream.end();
}
