/** A service registers in the data file, also if another process holds the write lock when it starts. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { openApp } from '../../src/app.ts';
import { registerService } from '../../src/cli/serve/service-registry.ts';
import { readServeConfig } from '../../src/config.ts';
import { temporaryFolder } from '../support/program.ts';

test('a service registers as soon as the write lock is free', async () => {
  const folder = temporaryFolder();
  const data = join(folder.path, 'catalogue.db');
  const app = openApp({ data, create: true });
  const other = new Database(data);
  const warnings: string[] = [];
  try {
    other.exec('BEGIN IMMEDIATE');
    const flags = { data };
    const unregister = registerService(app, readServeConfig(flags, {}), flags, 8080, (_level, message) =>
      warnings.push(message),
    );
    assert.deepEqual(app.services.running(), []);
    await pause(100);
    assert.deepEqual(app.services.running(), []);
    other.exec('COMMIT');
    for (let tries = 0; app.services.running().length === 0 && tries < 200; tries += 1) await pause(20);
    assert.deepEqual(
      app.services.running().map(({ pid, url }) => [pid, url]),
      [[process.pid, 'http://127.0.0.1:8080']],
    );
    unregister();
    assert.deepEqual(app.services.running(), []);
    assert.deepEqual(warnings, []);
  } finally {
    other.close();
    app.close();
    folder.remove();
  }
});
