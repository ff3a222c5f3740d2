/** Files of an export that is given up: none stays open. */
import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { test } from 'node:test';
import { ParquetSink } from '../../src/exports/parquet-sink.ts';
import { CsvSink, LineSink, type Sink } from '../../src/exports/sinks.ts';
import { folder } from '../support/cli-run.ts';

/** The open files of this process below a folder. */
const openBelow = (place: string): string[] =>
  readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${descriptor}`);
      return path.startsWith(place) ? [path] : [];
    } catch {
      return [];
    }
  });

const skip = existsSync('/proc/self/fd') ? false : 'needs /proc';
const sinks: Record<string, (place: string) => Sink> = {
  ndjson: (place) => new LineSink(place, 'ndjson'),
  csv: (place) => new CsvSink(place),
  parquet: (place) => new ParquetSink(place, {}),
};

for (const [name, open] of Object.entries(sinks))
  test(`${name} closes its file when it is abandoned`, { skip, timeout: 20_000 }, async () => {
    const place = folder();
    const sink = open(place);
    const line = JSON.stringify({ kind: 'city', slug: 'berlin', name: 'Berlin' });
    await sink.write('city', [line]);
    if (name !== 'parquet') while (openBelow(place).length === 0) await new Promise(setImmediate);
    sink.abandon();
    while (openBelow(place).length > 0) await new Promise(setImmediate);
  });
