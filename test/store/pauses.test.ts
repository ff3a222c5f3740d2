/** What an import without a service does in the pauses that it makes for other programs (docs/decisions/10-checkpoints.md). */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { importFeed } from '../../src/ingest/import/import-feed.ts';
import { openDatabase } from '../../src/store/database.ts';
import { folder } from '../support/cli-run.ts';

type Frames = { log: number; checkpointed: number };

test('a pause checkpoints the log, and the file can be written meanwhile', async () => {
  const path = join(folder(), 'pauses.db');
  const sqlite = openDatabase(path, { create: true });
  const other = new Database(path, { timeout: 5_000 });
  const framesOf = () => (other.pragma('wal_checkpoint(NOOP)') as Frames[])[0] as Frames;
  /** The log before the import and before each of its lines. */
  const seen = [framesOf()];
  /** Yields lines for longer than the time between two pauses, and looks at the log. */
  async function* feed(): AsyncGenerator<Uint8Array> {
    for (let index = 0; index < 45; index++) {
      yield Buffer.from(
        `${JSON.stringify({ kind: 'artist', external_id: `${index}`, name: `Act ${index}` })}\n`,
      );
      await sleep(100);
      seen.push(framesOf());
    }
    other.prepare("INSERT INTO settings (key, value) VALUES ('test/pause', '1')").run();
  }
  const options = { source: 'one', type: 'feed', clock: 'instant', now: Date.now(), input: feed() } as const;
  const report = await importFeed(sqlite, options);
  assert.equal(report.records, 45);
  assert.equal(seen[0]?.checkpointed, 0, 'the new file waits in the log');
  // A commit after a complete checkpoint restarts the log.
  const isCheckpointed = seen.some(
    ({ log, checkpointed }, index) => checkpointed > 0 || log < (seen[index - 1]?.log ?? 0),
  );
  assert.ok(isCheckpointed, JSON.stringify(seen));
  assert.equal(other.prepare("SELECT value FROM settings WHERE key = 'test/pause'").pluck().get(), '1');
  other.close();
  sqlite.close();
  rmSync(path);
});
