/** Records that were taken away: what remains of them in exports and in the change feed. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { folder, run } from '../support/cli-run.ts';
import { type Served, serve } from '../support/serve-process.ts';

const cwd = folder();
const data = join(cwd, 'c.db');
let server: Served;

const command = async (line: string[], input = '') => {
  const { status, stdout, stderr } = await run([...line, '--data', data], { cwd, input });
  assert.equal(status, 0, `${line.join(' ')}: ${stderr}`);
  return stdout;
};
const get = (path: string) =>
  fetch(server.url + path, { headers: { authorization: `Bearer ${server.key}` } });
const event = (id: string, name: string, more: object = {}) => ({
  kind: 'event',
  external_id: id,
  name,
  start_at: '2027-12-04T23:00',
  venue: { name: `Hall ${id}`, city: 'Hamburg', country: 'DE' },
  ...more,
});
const asFeed = (lines: readonly object[]) => lines.map((line) => JSON.stringify(line)).join('\n');

before(async () => {
  server = await serve(`--dev --plan pro --window 1000 --empty --no-sync --data ${data}`, { cwd });
});
after(() => server?.stop());

/** Everything that a client of the whole catalogue can read, as text. */
async function everything(): Promise<string> {
  const out = join(cwd, `all-${randomBytes(4).toString('hex')}`);
  await command(['export', '--out', out, '--base-url', server.url]);
  const texts = await Promise.all(
    readdirSync(out, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(async (entry) => {
        const bytes = readFileSync(join(entry.parentPath, entry.name));
        if (entry.name.endsWith('.gz')) return gunzipSync(bytes).toString();
        if (!entry.name.endsWith('.parquet')) return bytes.toString();
        const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
        const rows = await parquetReadObjects({ file });
        // Statistics of columns hold values too.
        return [rows, parquetMetadata(file)]
          .map((value) => JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? String(one) : one)))
          .join('\n')
          .concat(bytes.toString('latin1'));
      }),
  );
  let since = 0;
  for (let page = 0; page < 100; page++) {
    const text = await (await get(`/changes?since=${since}&limit=10000`)).text();
    texts.push(text);
    const end = JSON.parse(text.trimEnd().split('\n').at(-1) as string) as {
      revision: number;
      has_more: boolean;
    };
    since = end.revision;
    if (!end.has_more) break;
  }
  return texts.join('\n');
}

describe('records that are taken away', () => {
  const secret = (word: string) => [
    { kind: 'artist', external_id: `${word}-a`, name: `Zq${word}artist`, biography: `Zq${word}life` },
    {
      kind: 'venue',
      external_id: `${word}-v`,
      name: `Zq${word}house`,
      city: 'Hamburg',
      country: 'DE',
      address: `Zq${word}street 1`,
    },
    event(`${word}-e`, `Zq${word}night`, {
      description: `Zq${word}text`,
      lineup: [{ name: `Zq${word}artist` }, { name: 'Vera Lindt' }],
      tickets: [{ seller: 'box', url: `https://tickets.example/Zq${word}` }],
      venue: { name: `Zq${word}house`, city: 'Hamburg', country: 'DE' },
    }),
  ];
  const kept = event('kept', 'Kept night', {
    lineup: [{ name: 'Zqhidartist' }, { name: 'Zqforartist' }, { name: 'Vera Lindt' }],
  });

  before(async () => {
    await command(['import', '-', '--source', 'hid'], asFeed([...secret('hid'), kept]));
    await command(['import', '-', '--source', 'gone'], asFeed(secret('gone')));
    await command(['import', '-', '--source', 'for'], asFeed(secret('for')));
    const text = await everything();
    for (const word of ['hid', 'gone', 'for'])
      for (const part of ['artist', 'life', 'night', 'text', 'house', 'street'])
        assert.match(text, new RegExp(`Zq${word}${part}`), `${word} ${part}`);
  });

  test('hidden records leave their tombstones only', async () => {
    const found = JSON.parse(await command(['search', 'Zqhid', '--json'])) as unknown;
    const slugs = (found as { data: { type: string; slug: string }[] }).data;
    for (const type of ['event', 'artist', 'venue'])
      await command(['hide', `${type}/${slugs.find((one) => one.type === type)?.slug}`]);
    const text = await everything();
    const traces = text.split('\n').filter((line) => /zqhid/i.test(line));
    for (const line of traces) {
      const { change, data } = JSON.parse(line) as { change: string; data?: unknown };
      assert.equal(change, 'hidden', line.slice(0, 500));
      assert.equal(data, undefined);
    }
    assert.equal(new Set(traces.map((line) => JSON.parse(line).id)).size, 3);
    assert.doesNotMatch(text, /Zqhid(?:life|text|street)/i);
  });

  test('also those that only a purged source listed', async () => {
    await command(['sources', 'remove', 'gone', '--purge', '--yes']);
    const text = await everything();
    assert.doesNotMatch(text, /Zqgone(?:life|text|street)/i);
    const traces = text.split('\n').filter((line) => /zqgone/i.test(line));
    for (const line of traces) {
      const { change, data } = JSON.parse(line) as { change: string; data?: unknown };
      assert.match(change, /^(?:withdrawn|deleted|hidden)$/, line.slice(0, 500));
      assert.equal(data, undefined);
    }
    assert.ok(traces.length >= 3);
  });

  test('nothing of a forgotten artist is left, not even the slug', async () => {
    await command(['forget', 'artist/zqforartist', '--name', 'remove', '--yes']);
    const text = await everything();
    assert.doesNotMatch(text, /zqforartist|zqforlife/i);
  });
});
