/** `/metrics` as Prometheus reads it, with two workers; and the files of examples/monitoring that use it. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import parseMetrics from 'parse-prometheus-text-format';
import { parse as parseYaml } from 'yaml';
import type { ExportReport } from '../../src/app.ts';
import { checkExports } from '../../src/cli/check-exports.ts';
import { openDatabase } from '../../src/store/database.ts';
import { countUndecidedPairs } from '../../src/store/resolution/undecided-pairs.ts';
import { Person } from '../support/account-pages.ts';
import { run } from '../support/cli-run.ts';
import { type Served, serve } from '../support/serve-process.ts';

type Sample = {
  labels?: Record<string, string>;
  value?: string;
};
type Family = { name: string; help: string; type: string; metrics: Sample[] };

const cwd = mkdtempSync(join(tmpdir(), 'cratebase-monitoring-'));
after(() => rmSync(cwd, { recursive: true, force: true }));
const examples = fileURLToPath(new URL('../../examples/monitoring/', import.meta.url));
const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
const token = { Authorization: 'Bearer let-me-in' };

let served: Served;
let text = '';
let families: Map<string, Family>;

async function scrape(): Promise<void> {
  const response = await fetch(`${served.url}/metrics`, { headers: token });
  assert.equal(response.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
  text = await response.text();
  families = new Map((parseMetrics(text) as Family[]).map((family) => [family.name, family]));
}

/** The sample of a metric with these labels. */
const sample = (name: string, labels: Record<string, string> = {}): Sample | undefined =>
  families
    .get(name)
    ?.metrics.find((one) => Object.entries(labels).every(([key, value]) => one.labels?.[key] === value));
const value = (name: string, labels?: Record<string, string>): number => Number(sample(name, labels)?.value);
/** A line of the text format: name, labels and value. */
const linePattern = /^([a-z_]+)(?:\{((?:[a-z]+="(?:[^"\\\n]|\\.)*",?)*)\})? (-?[\d.]+(?:e[+-]?\d+)?)$/;
/** The lines of a histogram by its labels: the parser above adds the counts of all labels. */
function histogram(name: string): Map<string, { buckets: number[]; count: number; sum: number }> {
  const series = new Map<string, { buckets: number[]; count: number; sum: number }>();
  for (const line of text.split('\n')) {
    const [, sampled = '', labels = '', number] = linePattern.exec(line) ?? [];
    const part = sampled.startsWith(`${name}_`) ? sampled.slice(name.length + 1) : '';
    if (part === '') continue;
    const key = labels.replace(/,?le="[^"]*"/, '');
    const one = series.get(key) ?? { buckets: [], count: -1, sum: -1 };
    series.set(key, one);
    if (part === 'bucket') one.buckets.push(Number(number));
    else if (part === 'count' || part === 'sum') one[part] = Number(number);
  }
  return series;
}
const count = (name: string, { operation, status }: { operation: string; status: string }): number =>
  histogram(name).get(`operation="${operation}",status="${status}"`)?.count ?? 0;

const get = (path: string, key = served.key) =>
  fetch(served.url + path, { headers: { Authorization: `Bearer ${key}` } });
const callAgent = (method: string, params: object = {}) =>
  fetch(`${served.url}/mcp`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${served.key}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });

before(async () => {
  for (const name of ['copies', 'exports']) mkdirSync(join(cwd, name));
  const event = {
    kind: 'event',
    external_id: '1',
    name: 'Night 1',
    start_at: '2027-03-01T23:00',
    timezone: 'Europe/Berlin',
    venue: { name: 'Salon', city: 'Berlin', country: 'DE' },
  };
  writeFileSync(join(cwd, 'salon.ndjson'), `${JSON.stringify(event)}\n`);
  for (const line of ['sources add salon --type feed --url salon.ndjson', 'sync salon']) {
    const { status, stderr } = await run([...line.split(' '), '--data', 'm.db'], { cwd });
    assert.equal(status, 0, stderr);
  }
  served = await serve('--dev --data m.db --no-sync --workers 2 --backup-dir copies --export-dir exports', {
    cwd,
    env: { CRATEBASE_METRICS_TOKEN: 'let-me-in' },
  });
  for (let made = 0; made < 12; made += 1) assert.equal((await get('/api/v1/stats')).status, 200);
  assert.equal((await get('/api/v1/events?country=Germany')).status, 400);
  assert.equal((await get('/api/v1/artists/nobody')).status, 404);
  assert.equal((await get('/api/v1/stats', 'cb_live_wrong')).status, 401);
  await callAgent('tools/list');
  await callAgent('tools/call', { name: 'search_events', arguments: { query: 'night' } });
  await callAgent(`made/up/${'x'.repeat(50)}"\n`);
  const person = new Person({ url: served.url });
  await person.signUp('ada@example.com');
  assert.equal(
    (await new Person({ url: served.url }).signIn('ada@example.com', 'wrong password')).status,
    401,
  );
  for (;;) {
    await scrape();
    const done = ['backup', 'export'].filter(
      (name) => sample(`cratebase_${name}_last_success_timestamp_seconds`) !== undefined,
    );
    if (done.length === 2) break;
    await pause(200);
  }
});
after(() => served.stop());

describe('/metrics', () => {
  test('is valid text: each metric once, with help and type; histograms are cumulative', () => {
    const names = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
    assert.equal(new Set(names).size, names.length);
    for (const { name, help, type, metrics } of families.values()) {
      assert.match(name, /^cratebase_[a-z_]+$/);
      assert.ok(help.length > 10, name);
      assert.match(type, /^(COUNTER|GAUGE|HISTOGRAM)$/, name);
      assert.equal(type === 'COUNTER', name.endsWith('_total'), name);
      if (type !== 'HISTOGRAM') {
        for (const { value: one } of metrics) assert.ok(Number.isFinite(Number(one)), `${name} ${one}`);
        continue;
      }
      for (const [labels, { buckets, count: all, sum }] of histogram(name)) {
        assert.deepEqual(
          buckets,
          buckets.toSorted((a, b) => a - b),
          `${name} ${labels}`,
        );
        assert.deepEqual([buckets.length, buckets.at(-1)], [14, all], `${name} ${labels}`);
        assert.ok(sum >= 0);
      }
    }
    for (const line of text.split('\n'))
      if (line !== '' && !line.startsWith('# ')) assert.match(line, linePattern);
    if (hasPromtool) execFileSync('promtool', ['check', 'metrics'], { input: text });
  });

  test('counts each operation by status, over both workers', () => {
    const name = 'cratebase_operation_duration_seconds';
    assert.equal(value('cratebase_processes'), 2);
    assert.equal(count(name, { operation: 'getStats', status: '2xx' }), 12);
    assert.equal(count(name, { operation: 'getStats', status: '4xx' }), 1);
    assert.equal(count(name, { operation: 'listEvents', status: '4xx' }), 1);
    assert.equal(count(name, { operation: 'getArtist', status: '4xx' }), 1);
    for (const operation of ['tools/list', 'search_events', 'other'])
      assert.ok(
        [...histogram(name).keys()].some((labels) => labels.startsWith(`operation="${operation}"`)),
        operation,
      );
    assert.doesNotMatch(text, /made\/up/);
  });

  test('counts refusals, sign-ups and failed sign-ins', () => {
    assert.equal(value('cratebase_refused_total', { surface: 'rest', reason: 'credential' }), 1);
    assert.equal(value('cratebase_account_events_total', { event: 'sign_up_created' }), 1);
    assert.equal(value('cratebase_account_events_total', { event: 'sign_in_failed' }), 1);
    assert.equal(value('cratebase_account_events_total', { event: 'sign_up_requested' }), 0);
  });

  test('has the sizes of the file and the disk, the event loop, the queue and the backups', () => {
    assert.equal(value('cratebase_file_bytes'), statSync(join(cwd, 'm.db')).size);
    assert.ok(value('cratebase_disk_free_bytes') > 0);
    const [median, high, most] = ['p50', 'p99', 'max'].map((statistic) =>
      value('cratebase_event_loop_delay_seconds', { statistic }),
    ) as [number, number, number];
    assert.ok(median >= 0 && median <= high && high <= most);
    assert.ok(most > 0, 'something was late');
    assert.equal(value('cratebase_undecided_pairs'), 0);
    assert.ok(value('cratebase_backup_last_bytes') > 100_000);
    assert.equal(value('cratebase_backup_failures'), 0);
    assert.ok(Math.abs(value('cratebase_backup_last_success_timestamp_seconds') - Date.now() / 1_000) < 600);
  });

  test('has the exports and the change feed, as doctor shows them', async () => {
    const { stdout } = await run(['doctor', '--data', 'm.db', '--json'], { cwd });
    const { data, findings } = JSON.parse(stdout) as {
      data: ExportReport;
      findings: { check: string; status: string; message: string }[];
    };
    const { exports, changes } = data;
    assert.ok(exports);
    assert.equal(value('cratebase_export_failures'), 0);
    assert.equal(value('cratebase_export_last_bytes'), exports.bytes);
    assert.equal(value('cratebase_export_last_revision'), exports.revision);
    assert.equal(value('cratebase_changes_oldest_revision'), changes.oldest_revision);
    assert.equal(value('cratebase_catalogue_revision'), changes.revision);
    const ended = value('cratebase_export_last_success_timestamp_seconds') * 1_000;
    assert.equal(new Date(ended).toISOString(), exports.last_success_at);
    assert.deepEqual(
      findings.flatMap(({ check, status }) => (/exports|changes/.test(check) ? [[check, status]] : [])),
      [
        ['changes', 'ok'],
        ['exports', 'ok'],
      ],
    );
    rmSync(join(cwd, 'exports', exports.name as string), { recursive: true });
    const text = (await run(['doctor', '--data', 'm.db'], { cwd })).stdout;
    assert.match(text, /WARNING +exports: The last export is not in .*exports any more/);
    assert.match(text, /ok +changes: revision \d+; clients can continue from revision \d+/);
  });

  test('doctor says when exports fail or are late', () => {
    const exports = {
      folder: '/srv/exports',
      every_ms: 3_600_000,
      last_success_at: new Date().toISOString(),
      name: 'x',
      revision: 4,
      records: 9,
      bytes: 1_000_000,
      is_current_epoch: true,
      is_present: true,
      failures: 0,
      last_error: null,
    };
    const findingOf = (changed: Partial<Omit<typeof exports, 'last_error'>> & { last_error?: string }) => {
      const findings: string[] = [];
      checkExports(
        {
          changes: { revision: 5, oldest_revision: 0, epoch: 'e' },
          exports: { ...exports, ...changed },
        },
        true,
        (check, status, message) => findings.push(`${check} ${status} ${message}`),
      );
      return findings[1] ?? '';
    };
    assert.match(findingOf({}), /exports ok the last one is of .* \(1\.0 MB, revision 4\) in \/srv\/exports/);
    assert.match(
      findingOf({ failures: 3, last_error: 'disk full' }),
      /warning .*3 times in a row\): disk full/,
    );
    assert.match(
      findingOf({ last_success_at: '2026-01-01T00:00:00Z' }),
      /warning .*due every 1h.*2026-01-01/,
    );
    assert.match(findingOf({ is_current_epoch: false }), /warning .*another state of the data file/);
  });

  test('needs the token, and /readyz shows the sources with it only', async () => {
    for (const headers of [
      {},
      { Authorization: 'Bearer wrong' },
      { Authorization: `Bearer ${served.key}` },
    ]) {
      assert.equal((await fetch(`${served.url}/metrics`, { headers })).status, 401);
      assert.deepEqual(await (await fetch(`${served.url}/readyz`, { headers })).json(), { status: 'ok' });
    }
    const ready = (await (await fetch(`${served.url}/readyz`, { headers: token })).json()) as {
      sources: { name: string }[];
    };
    assert.deepEqual(
      ready.sources.map(({ name }) => name),
      ['salon'],
    );
  });
});

test('pairs that wait for a decision are counted, decided ones are not', () => {
  const sqlite = openDatabase(join(cwd, 'pairs.db'), { create: true });
  const add = sqlite.prepare(
    "INSERT INTO possible_matches VALUES ('event', 'a', ?, 'b', ?, 1, 'r', '[]', 0)",
  );
  for (const id of ['1', '2', '3']) add.run(id, id);
  sqlite.prepare("INSERT INTO match_decisions VALUES ('event', 'a', '2', 'b', '2', 'different', 0)").run();
  assert.equal(countUndecidedPairs(sqlite), 2);
  sqlite.close();
});

/** The metrics that an expression names, without the suffixes of histograms. */
const metricsIn = (expressions: readonly string[]): string[] => [
  ...new Set(expressions.flatMap((one) => one.match(/\bcratebase_[a-z_]+\b/g) ?? [])),
];
const isPrinted = (name: string): boolean =>
  families.has(name) || families.get(name.replace(/_(bucket|count|sum)$/, ''))?.type === 'HISTOGRAM';

describe('examples/monitoring', () => {
  test('the dashboard shows metrics that are printed, and all of them', () => {
    const dashboard = JSON.parse(readFileSync(join(examples, 'grafana-dashboard.json'), 'utf8')) as {
      panels: { id: number; title: string; targets?: { expr: string }[] }[];
      templating: { list: object[] };
    };
    const expressions = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    assert.ok(expressions.length > 20);
    const whole = JSON.stringify(dashboard);
    for (const name of metricsIn([whole])) assert.ok(isPrinted(name), `${name} is not printed`);
    for (const name of families.keys())
      if (name !== 'cratebase_sources') assert.ok(whole.includes(name), `no panel shows ${name}`);
    const ids = dashboard.panels.map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length);
  });

  test('the alert rules are valid and use metrics that are printed', () => {
    const file = join(examples, 'alerts.yml');
    const { groups } = parseYaml(readFileSync(file, 'utf8')) as {
      groups: { rules: { alert: string; expr: string; annotations: Record<string, string> }[] }[];
    };
    const rules = groups.flatMap((group) => group.rules);
    assert.ok(rules.length > 10);
    const uses = metricsIn(rules.map(({ expr }) => expr));
    for (const name of uses) assert.ok(isPrinted(name), `${name} is not printed`);
    for (const { alert, annotations } of rules) {
      assert.match(alert, /^Cratebase[A-Z]/);
      assert.ok(annotations.summary && annotations.description, alert);
    }
    assert.equal(new Set(rules.map(({ alert }) => alert)).size, rules.length);
    const config = parseYaml(readFileSync(join(examples, 'prometheus.yml'), 'utf8')) as {
      rule_files: string[];
      scrape_configs: { metrics_path: string }[];
    };
    assert.deepEqual(config.rule_files, ['alerts.yml']);
    assert.equal(config.scrape_configs[0]?.metrics_path, '/metrics');
    if (hasPromtool) execFileSync('promtool', ['check', 'rules', file]);
  });

  test('the guide describes every metric', () => {
    const guide = readFileSync(new URL('../../docs/guides/monitoring.md', import.meta.url), 'utf8');
    for (const name of families.keys()) assert.ok(guide.includes(`\`${name}\``), name);
  });
});
