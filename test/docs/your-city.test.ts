/** The guide "Your city in ten minutes": each command runs as it is printed, against sites under their own addresses. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { blocksOf, makeBin } from '../support/guide-code.ts';
import { temporaryFolder } from '../support/program.ts';
import { type RecordedWeb, startWeb } from '../support/recorded-web.ts';
import { sites } from '../support/sites.ts';

const guide = readFileSync(new URL('../../docs/guides/your-city.md', import.meta.url), 'utf8');
const folder = temporaryFolder();
const curlPath = '/usr/bin/curl';
const skip = existsSync(curlPath) ? false : `${curlPath} is not here`;
let web: RecordedWeb;
before(async () => {
  web = await startWeb(sites, folder.path);
});
after(() => {
  web.stop();
  folder.remove();
});

/** Runs a script in the folder, with the command on its path. The server of the sites answers meanwhile. */
function runScript(script: string): Promise<{ status: number | null; stdout: string; stderr: string }> {
  const bin = makeBin(folder.path);
  // curl itself, which connects to the server of the sites.
  const curl = `#!/bin/sh\nexec ${curlPath} --insecure --connect-to '::127.0.0.1:${web.port}' "$@"\n`;
  writeFileSync(join(bin, 'curl'), curl, { mode: 0o755 });
  const child = spawn('sh', ['-euc', script], {
    cwd: folder.path,
    env: { PATH: `${bin}:${process.env.PATH}`, HOME: folder.path, TMPDIR: folder.path, ...web.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = { status: null as number | null, stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => {
    ended.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    ended.stderr += text;
  });
  return new Promise((resolve) => child.on('close', (status) => resolve({ ...ended, status })));
}

test('every command of the guide runs as printed, and its events are found', { skip }, async () => {
  const blocks = blocksOf(guide);
  assert.ok(blocks.length >= 9);
  assert.ok(blocks.every(({ language }) => language === 'console'));
  const started = Date.now();
  const [first, ...rest] = blocks.map(({ text }) => text);
  assert.equal(first, 'cratebase serve --data ./city.db\n');
  // The service reads no source by itself here: the commands do.
  const service = `CRATEBASE_PORT=0 CRATEBASE_NO_SYNC=1 ${first.trim()} > served.txt 2>&1 & service=$!
trap 'kill $service' EXIT
until grep -q '^listening on' served.txt; do kill -0 $service; sleep 0.2; done`;
  const ran = await runScript([service, ...rest].join('\n'));
  assert.equal(ran.status, 0, ran.stderr);
  assert.ok(Date.now() - started < 600_000, 'more than ten minutes');
  const listed = await runScript('cratebase sources list --data ./city.db --json');
  const { data } = JSON.parse(listed.stdout) as {
    data: { name: string; type: string; records: number; url: string | null }[];
  };
  const types = new Map(data.map(({ name, type }) => [name, type]));
  assert.deepEqual(Object.fromEntries(types), {
    agenda: 'mobilizon',
    basement: 'squarespace',
    club: 'ical',
    clubs: 'openstreetmap',
    google: 'ical',
    kulturhaus: 'wordpress',
    nights: 'csv',
    seller: 'jsonld',
    starter: 'feed',
    ticketmaster: 'ticketmaster',
    torino: 'gancio',
    wikidata: 'wikidata',
  });
  const credited = JSON.parse(
    (await runScript('cratebase sources show clubs --data ./city.db --json')).stdout,
  );
  assert.deepEqual(
    [credited.rules.license, credited.rules.attribution],
    ['ODbL-1.0', '© OpenStreetMap contributors'],
  );
  for (const { name, records } of data) assert.ok(records > 0, name);
  assert.doesNotMatch(ran.stdout + ran.stderr + listed.stdout, /my-key/);
  // The club, the spreadsheet and Ticketmaster list the same night: it is one event.
  const found = await runScript(
    'cratebase show event klubnacht-ann-example-2030-05-03 --data ./city.db --json',
  );
  const { sources } = JSON.parse(found.stdout) as { sources: { name: string }[] };
  assert.deepEqual(sources.map(({ name }) => name).sort(), ['club', 'nights', 'ticketmaster']);
});
