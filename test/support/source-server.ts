/** Sources of tests: a server with responses of the test, a run of an adapter, recorded data. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createGuardedFetch } from '../../src/fetch/guarded-fetch.ts';
import { parseLine } from '../../src/ingest/import/parse-record.ts';
import type { FeedRecord, ReadOutcome, RecordOf, SourceType } from '../../src/sources/adapter.ts';
import type { ValidatorStore } from '../../src/sources/common/opener.ts';
import { readSource, type Skipped } from '../../src/sources/read-source.ts';

export const now = Date.parse('2026-11-20T12:00:00Z');

/** The folder of recorded data beside the repository; null, and the test says so, where it is not there. */
export function recorded(context: TestContext, folder: string): string | null {
  const path = fileURLToPath(new URL(`../../../shared/data/${folder}/`, import.meta.url));
  if (existsSync(path)) return path;
  context.skip(`the recorded data (${path}) is not here`);
  return null;
}

export type Reading = {
  records: FeedRecord[];
  rejected: { where: string; reason: string }[];
  skipped: Skipped[];
  end: ReadOutcome;
};
export type ReadOptions = {
  options?: Record<string, string>;
  complete?: boolean;
  validators?: ValidatorStore;
  now?: number;
  pauses?: number[];
  minThroughputGraceMs?: number;
  maxTotalWaitMs?: number;
  isGenre?: (name: string) => boolean;
  isCity?: (name: string, country: string | null) => boolean;
};

/** Reads a source; every record must match the feed format, and none may be repeated. */
export async function read(type: SourceType, location: string, settings: ReadOptions = {}): Promise<Reading> {
  const skipped: Skipped[] = [];
  const { records, end } = readSource({
    onSkipped: (one) => skipped.push(one),
    type,
    location,
    now: settings.now ?? now,
    complete: settings.complete ?? false,
    options: { pause: '0', ...settings.options },
    fetch: createGuardedFetch({ allow: ['127.0.0.0/8'], userAgent: 'cratebase-test' }),
    pause: async (ms) => {
      settings.pauses?.push(ms);
    },
    ...(settings.minThroughputGraceMs === undefined
      ? {}
      : { minThroughputGraceMs: settings.minThroughputGraceMs }),
    ...(settings.maxTotalWaitMs === undefined ? {} : { maxTotalWaitMs: settings.maxTotalWaitMs }),
    isGenre: settings.isGenre,
    isCity: settings.isCity,
    ...(settings.validators === undefined ? {} : { validators: settings.validators }),
  });
  const reading: Reading = { records: [], rejected: [], skipped, end: { ended: 'whole' } };
  const seen = new Set<string>();
  for await (const item of records) {
    if ('rejected' in item) reading.rejected.push(item.rejected);
    else {
      const { kind, externalId } = parseLine(JSON.stringify(item.record));
      if (seen.has(`${kind} ${externalId}`)) throw new Error(`${kind} ${externalId} came twice`);
      seen.add(`${kind} ${externalId}`);
      reading.records.push(item.record as FeedRecord);
    }
  }
  reading.end = end();
  return reading;
}

export const eventsIn = ({ records }: Reading): RecordOf<'event'>[] =>
  records.filter((record) => record.kind === 'event');

/** Creates a file with this text. */
export function fileWith(context: TestContext, name: string, text: string | Uint8Array): string {
  const folder = mkdtempSync(join(tmpdir(), 'cratebase-source-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** Starts a server on this machine; returns its address without a slash at the end. */
export async function serve(
  context: TestContext,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
