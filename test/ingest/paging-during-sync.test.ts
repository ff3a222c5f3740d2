/** A real server and a real `sync` on one file: walks that began before end right (docs/spec/imports.md#promises, promise 8). */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { folder, run, start } from '../support/cli-run.ts';

const place = folder();
const many = 300;
type Page = { data: { id: string }[]; page: { next_cursor: string | null } };

const nights = (move: (index: number) => number) =>
  Array.from({ length: many }, (_, index) => ({
    kind: 'event',
    external_id: `e${index}`,
    name: `Night ${index}`,
    start_at: new Date(Date.UTC(2031, 0, 1, 22) + move(index) * 86_400_000).toISOString(),
    venue: { name: `House ${index % 5}`, city: 'Berlin', country: 'DE' },
    lineup: [{ name: `Act ${index % 17}` }],
  }));

async function command(...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await run(args, { cwd: place });
  assert.equal(status, 0, `${args.join(' ')}: ${stderr}${stdout}`);
  return stdout;
}
const write = (lines: object[]) =>
  writeFileSync(join(place, 'feed.ndjson'), lines.map((line) => JSON.stringify(line)).join('\n'));

test('a walk through all events while a sync moves every one of them meets each once', async (t) => {
  const data = ['--data', 'walk.db'];
  write(nights((index) => index));
  await command('import', 'feed.ndjson', '--source', 'house', ...data);
  await command('sources', 'add', 'house', '--type', 'feed', '--url', join(place, 'feed.ndjson'), ...data);
  await command('accounts', 'create', 'someone@music.example', ...data);
  await command('accounts', 'set-plan', 'someone@music.example', 'pro', ...data);
  const made = await command('keys', 'create', 'someone@music.example', '--name', 'walk', ...data, '--json');
  const { key } = JSON.parse(made) as { key: string };
  const server = start(['serve', ...data, '--port', '0', '--no-sync', '--json'], { cwd: place });
  t.after(() => server.kill('SIGKILL'));
  const [said] = await once(server.stdout, 'data');
  const { url } = JSON.parse(String(said));
  const walk = async (pauseMs: number, during: () => void): Promise<string[]> => {
    const seen: string[] = [];
    let cursor: string | null = null;
    for (let page = 0; ; page++) {
      const query: string = `limit=20&from=2030-01-01${cursor === null ? '' : `&cursor=${cursor}`}`;
      const answer = await fetch(`${url}/api/v1/events?${query}`, {
        headers: { authorization: `Bearer ${key}` },
      });
      assert.equal(answer.status, 200);
      const body = (await answer.json()) as Page;
      seen.push(...body.data.map(({ id }) => id));
      if (page === 1) during();
      await sleep(pauseMs);
      cursor = body.page.next_cursor;
      if (cursor === null) return seen;
    }
  };
  const before = await walk(0, () => {});
  assert.equal(new Set(before).size, many);
  // Those of the beginning go to the end, and those of the end to the beginning.
  write(nights((index) => many - index));
  let syncing: Promise<string> = Promise.resolve('');
  const seen = await walk(100, () => {
    syncing = command('sync', 'house', ...data);
  });
  await syncing;
  assert.deepEqual(seen.toSorted(), before.toSorted());
  assert.notDeepEqual(await walk(0, () => {}), before, 'the sync did move them');
});
