/** Flag, then environment, then default. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readServeConfig, readSettings, reportSettings, unknownVariables } from '../../src/config.ts';
import { folder, run, start } from '../support/cli-run.ts';

test('a flag counts before the environment, that before the default', () => {
  const env = { CRATEBASE_PORT: '8080' };
  assert.equal(readSettings(['port'], { port: '1234' }, env).port, 1234);
  assert.equal(readSettings(['port'], {}, env).port, 8080);
  assert.equal(readSettings(['port'], {}, { CRATEBASE_PORT: '' }).port, 4880);
  assert.equal(readSettings(['data'], {}, {}).data, './cratebase.db');
});

test('a bad value of a setting that a command does not read does not matter to it', () => {
  assert.equal(readSettings(['data'], {}, { CRATEBASE_PORT: 'x', CRATEBASE_DATA: 'y' }).data, 'y');
});

test('a secret may lie in a file, and is never shown', () => {
  const path = join(folder(), 'token');
  writeFileSync(path, 's3cret\n');
  const env = { CRATEBASE_METRICS_TOKEN_FILE: path };
  assert.equal(readServeConfig({}, env).metricsToken, 's3cret');
  const report = reportSettings({}, env);
  assert.deepEqual(
    report.find(({ name }) => name === 'metrics-token'),
    { name: 'metrics-token', value: '(hidden)', from: 'CRATEBASE_METRICS_TOKEN_FILE', problem: null },
  );
  assert.ok(!JSON.stringify(report).includes('s3cret'));
});

test('settings are read as they are meant', () => {
  const config = readServeConfig(
    {
      dev: true,
      baseUrl: 'HTTPS://Music.Example.org/api/',
      now: '2026-11-20T13:00:00+01:00',
      fetchAllow: ['10.0.0.0/8', '::1'],
      fail: ['503:0.1', '500:.25'],
      noSync: true,
      quota: '5',
    },
    { CRATEBASE_TRUST_PROXY: 'yes', CRATEBASE_REGISTRATION: 'CLOSED' },
  );
  assert.equal(config.baseUrl, 'https://music.example.org/api');
  assert.equal(config.now, Date.UTC(2026, 10, 20, 12));
  assert.deepEqual(config.fetchAllow, ['10.0.0.0/8', '::1']);
  assert.deepEqual(config.fail, [
    { status: 503, fraction: 0.1 },
    { status: 500, fraction: 0.25 },
  ]);
  assert.deepEqual(
    [config.noSync, config.quota, config.window, config.trustProxy, config.registration],
    [true, 5, null, true, 'closed'],
  );
  assert.ok(Object.isFrozen(config));
});

test('a list in the environment is written with commas', () => {
  const { fetchAllow } = readServeConfig({}, { CRATEBASE_FETCH_ALLOW: '10.0.0.0/8, 192.168.1.1' });
  assert.deepEqual(fetchAllow, ['10.0.0.0/8', '192.168.1.1']);
});

test('unknown environment variables are reported', () => {
  const env = { CRATEBASE_PROT: '1', CRATEBASE_PORT: '1', CRATEBASE_DATA_FILE: 'x', OTHER: 'y' };
  assert.deepEqual(unknownVariables(env), ['CRATEBASE_DATA_FILE', 'CRATEBASE_PROT']);
});

test('a typing error in the environment is reported when the service starts, and --help lists the modes', async () => {
  const help = (await run(['serve', '--help'])).stdout.replace(/\s+/g, ' ');
  assert.match(
    help,
    /--registration <mode> [^-]*: open \(visitors\), approval \(you approve each\) or closed \(only the terminal\) \(default: open/,
  );
  assert.match(help, /--site <mode> [^-]*: on or off \(default: on/);
  const cwd = folder();
  const serving = start(['serve', '--empty', '--no-sync', '--port', '0'], {
    cwd,
    env: { CRATEBASE_PROT: '1', CRATEBASE_NO_SAMPLES: '1' },
  });
  let output = '';
  serving.stderr.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  await once(serving.stdout, 'data');
  serving.kill('SIGTERM');
  await once(serving, 'close');
  const warned = output.split('\n').filter((line) => line.includes('is not a setting'));
  assert.equal(warned.length, 1, output);
  assert.match(warned[0] as string, /"level":"warn","message":"CRATEBASE_PROT is not a setting"/);
});
