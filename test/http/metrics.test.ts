/** `/metrics`: refusals by reason, durations of requests, and the figures of sources. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type ProcessMetrics, sumMetrics } from '../../src/http/metrics.ts';
import { metricsText } from '../../src/http/metrics-text.ts';
import { run } from '../support/cli-run.ts';
import { type Served, serve } from '../support/serve-process.ts';

const cwd = mkdtempSync(join(tmpdir(), 'cratebase-metrics-'));
after(() => rmSync(cwd, { recursive: true, force: true }));

const env = { CRATEBASE_METRICS_TOKEN: 'let-me-in' };
const eventLine = (id: string): string =>
  JSON.stringify({
    kind: 'event',
    external_id: id,
    name: `Night ${id}`,
    start_at: `2027-03-0${id}T23:00`,
    timezone: 'Europe/Berlin',
    venue: { name: 'Salon', city: 'Berlin', country: 'DE' },
  });

async function command(line: string): Promise<void> {
  const { status, stderr } = await run(line.split(' '), { cwd });
  assert.ok(status === 0 || status === 1, stderr);
}

/** The value of a sample, by its name with labels. */
async function sample(served: Served, name: string): Promise<number | undefined> {
  const response = await fetch(`${served.url}/metrics`, { headers: { Authorization: 'Bearer let-me-in' } });
  const line = (await response.text()).split('\n').find((text) => text.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.slice(name.length + 1));
}

const get = (served: Served, path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(served.url + path, { headers: { Authorization: `Bearer ${served.key}`, ...headers } });

describe('a service with limits', () => {
  let served: Served;
  before(async () => {
    served = await serve('--dev --empty --data limits.db --window 3 --quota 2 --page-limit 1', { cwd, env });
  });
  after(() => served.stop());

  test('counts a refusal by the window of a key, and by the quota', async () => {
    const first = await get(served, '/api/v1/stats');
    assert.equal(first.status, 200);
    const tag = { 'If-None-Match': String(first.headers.get('etag')) };
    assert.equal((await get(served, '/api/v1/stats', tag)).status, 304);
    assert.equal((await get(served, '/api/v1/genres')).status, 200);
    assert.equal((await get(served, '/api/v1/stats')).status, 429);
    assert.equal(await sample(served, 'cratebase_rate_limited_total{reason="key_window"}'), 1);
    assert.equal(await sample(served, 'cratebase_rate_limited_total{reason="quota"}'), 0);
    const quota = await serve('--dev --empty --data quota.db --quota 1', { cwd, env });
    await get(quota, '/api/v1/stats');
    assert.equal((await get(quota, '/api/v1/stats')).status, 429);
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const headers = {
      Authorization: `Bearer ${quota.key}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    };
    assert.equal((await fetch(`${quota.url}/mcp`, { method: 'POST', headers, body })).status, 429);
    assert.equal(await sample(quota, 'cratebase_rate_limited_total{reason="quota"}'), 2);
    await quota.stop();
  });

  test('counts a refusal of a network', async () => {
    let status = 0;
    for (let page = 0; page < 500 && status !== 429; page++) status = (await fetch(served.url)).status;
    assert.equal(status, 429);
    assert.equal(await sample(served, 'cratebase_rate_limited_total{reason="network"}'), 1);
  });

  test('counts each request once in the histogram of its surface and status class', async () => {
    const labels = 'surface="rest",status="2xx"';
    const name = 'cratebase_request_duration_seconds';
    assert.equal(await sample(served, `${name}_count{${labels}}`), 2);
    assert.equal(await sample(served, `${name}_bucket{${labels},le="+Inf"}`), 2);
    assert.equal(await sample(served, `${name}_count{surface="rest",status="4xx"}`), 1);
    assert.ok(Number(await sample(served, `${name}_sum{${labels}}`)) > 0);
    await fetch(`${served.url}/healthz`);
    assert.ok(Number(await sample(served, `${name}_count{surface="service",status="2xx"}`)) >= 1);
  });
});

test('sources have the time of their last success, failures, rejected records and records', async () => {
  writeFileSync(join(cwd, 'salon.ndjson'), `${eventLine('1')}\n${eventLine('2')}\n{"kind":"event"}\n`);
  writeFileSync(join(cwd, 'gone.ndjson'), `${eventLine('3')}\n`);
  for (const name of ['salon', 'gone'])
    await command(`sources add ${name} --type feed --url ${name}.ndjson --data sources.db`);
  rmSync(join(cwd, 'gone.ndjson'));
  const begunAt = Date.now() / 1_000;
  await command('sync salon --data sources.db');
  await command('sync gone --data sources.db');
  const served = await serve('--dev --data sources.db --no-sync', { cwd, env });
  const figure = (name: string, source: string) =>
    sample(served, `cratebase_source_${name}{source="${source}"}`);
  assert.equal(await figure('records', 'salon'), 2);
  assert.equal(await figure('rejected_records', 'salon'), 1);
  assert.equal(await figure('failures', 'salon'), 0);
  assert.ok(Number(await figure('last_success_timestamp_seconds', 'salon')) >= Math.floor(begunAt));
  assert.equal(await figure('records', 'gone'), 0);
  assert.equal(await figure('failures', 'gone'), 1);
  assert.equal(await figure('last_success_timestamp_seconds', 'gone'), undefined);
  assert.equal(await sample(served, 'cratebase_sources'), 2);
  await served.stop();
});

const facts = {
  uptime: 1,
  revision: 1,
  version: '1',
  log: { logBytes: 0, heldMs: 0, checkedTs: null, damage: [] },
  sources: [],
  file: { fileBytes: 4_096, diskFreeBytes: 1e9 },
  undecidedPairs: 2,
  backups: null,
  exports: null,
  areAccountsReachable: null,
  publication: null,
  changesFrom: 0,
};

test('the counts of several processes are added, and buckets are cumulative', () => {
  const one: ProcessMetrics = {
    ...sumMetrics([]),
    rateLimited: { quota: 2 },
    durations: { 'mcp 2xx': { buckets: [1, 0, 3], sumSeconds: 0.5 } },
  };
  const lines = metricsText({ counts: sumMetrics([one, one]), ...facts }).split('\n');
  const name = 'cratebase_request_duration_seconds';
  assert.ok(lines.includes('cratebase_rate_limited_total{reason="quota"} 4'));
  assert.ok(lines.includes(`${name}_bucket{surface="mcp",status="2xx",le="0.001"} 2`));
  assert.ok(lines.includes(`${name}_bucket{surface="mcp",status="2xx",le="0.005"} 8`));
  assert.ok(lines.includes(`${name}_sum{surface="mcp",status="2xx"} 1.000000`));
});

test('only the first 200 sources have metrics, and their names are escaped', () => {
  const sources = Array.from({ length: 201 }, (_, at) => ({
    name: `"${at}\\`,
    lastSuccessMs: null,
    failures: 0,
    rejected: 0,
    records: at,
  }));
  const text = metricsText({ counts: sumMetrics([]), ...facts, sources });
  assert.equal(text.match(/^cratebase_source_records\{/gm)?.length, 200);
  assert.ok(text.includes('cratebase_source_records{source="\\"7\\\\"} 7\n'));
  assert.ok(text.includes('cratebase_sources 201\n'));
});
