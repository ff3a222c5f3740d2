/**
 * Walks of lists while the catalogue changes between their pages: imports, merges, splits, undo and removals in a random
 * order. Each record that a list has throughout a walk is met exactly once (docs/spec/imports.md#promises, promise 8).
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApp } from '../../src/app.ts';
import { handleOperation } from '../../src/catalogue/handlers.ts';
import { frozenClock } from '../../src/clock.ts';
import type { OperationId } from '../../src/contract/operations.ts';
import { Failure } from '../../src/failure.ts';
import { parseRequest } from '../../src/rest/parse-request.ts';
import { openCatalogueReader } from '../../src/store/reader.ts';
import { random } from '../support/bit-flips.ts';
import { freshFile, matchingNow, says } from '../support/matching.ts';

type List = { operation: OperationId; query: Record<string, string>; slug?: string };
const lists: readonly List[] = [
  { operation: 'listEvents', query: {} },
  { operation: 'listEvents', query: { city: 'berlin' } },
  { operation: 'listEvents', query: { genre: 'techno,house' } },
  { operation: 'listArtists', query: {} },
  { operation: 'listArtists', query: { country: 'DE' } },
  { operation: 'listVenues', query: {} },
  { operation: 'listLabels', query: {} },
  { operation: 'listFestivals', query: {} },
  { operation: 'listGenres', query: {} },
];
type Page = { data: { id?: string; slug: string }[]; page: { next_cursor: string | null } };
const steps = 30;
const runs = 3 * Number(process.env.CRATEBASE_FUZZ_RUNS ?? 1);
const firstSeed = Number(process.env.CRATEBASE_FUZZ_SEED ?? 1);

const actor = 'terminal:ada' as const;
const names = [
  'Alpha',
  'Beta',
  'Gamma',
  'Delta',
  'Omega',
  'Zeta',
  'Dub',
  'Dub!',
  'Night',
  'Nacht',
  'Club',
  'Raum',
];
const genres = ['Techno', 'House', 'Ambient', 'Dub Techno'];
const cities = [
  ['Berlin', 'DE'],
  ['Paris', 'FR'],
] as const;

/** One program of random changes, with walks of all lists between them. */
async function runProgram(seed: number, t: { after(fn: () => void): void }): Promise<void> {
  const below = random(seed);
  const pick = <T>(values: readonly T[]): T => values[below(values.length)] as T;
  const name = () => `${pick(names)} ${pick(names)}`;
  const place = () => {
    const [city, country] = pick(cities);
    return { city, country };
  };
  const done: string[] = [];
  const sqlite = freshFile(t);
  const line = (kind: string, number: number): object => {
    const record = { kind, external_id: `${kind}${number}`, name: name() };
    switch (kind) {
      case 'artist':
        return {
          ...record,
          country: pick(['DE', 'FR']),
          genres: [pick(genres)],
          labels: [{ name: pick(names) }],
        };
      case 'venue':
      case 'festival':
        return { ...record, ...place() };
      case 'event':
        return {
          ...record,
          start_at: `2026-12-${10 + below(18)}T2${below(4)}:00`,
          venue: { name: pick(names), ...place() },
          lineup: [{ name: name() }],
          genres: [pick(genres)],
        };
      default:
        return record;
    }
  };
  const kinds = ['artist', 'venue', 'festival', 'label', 'event', 'event'];
  const feed = (count: number): object[] => {
    const lines = new Map<string, object>();
    for (let index = 0; index < count; index++) {
      const [kind, number] = [pick(kinds), below(25)];
      lines.set(`${kind}${number}`, line(kind, number));
    }
    return [...lines.values()];
  };
  await says(sqlite, 'one', feed(90));
  await says(sqlite, 'two', feed(60));
  const app = openApp({ data: sqlite.name, create: false, clock: frozenClock(matchingNow) });
  t.after(() => app.close());

  const reader = openCatalogueReader(sqlite);
  const search = { search: () => [] } as never;
  const readPage = ({ operation, query }: List, limit: number, cursor: string | null): Page => {
    const parameters = { ...query, limit: String(limit), ...(cursor === null ? {} : { cursor }) };
    const request = parseRequest(operation, {}, parameters, matchingNow);
    return JSON.parse(handleOperation(request, { reader, search })) as Page;
  };
  const readAll = (list: List): Set<string> => {
    const found: string[] = [];
    let cursor: string | null = null;
    do {
      const page = readPage(list, 100, cursor);
      found.push(...page.data.map(keyOf));
      cursor = page.page.next_cursor;
    } while (cursor !== null);
    assert.equal(new Set(found).size, found.length, 'a list without changes has each record once');
    return new Set(found);
  };

  const audits: number[] = [];
  const note = ({ audit_id: id }: { audit_id: number | null }): void => {
    if (id !== null) audits.push(id);
  };
  const slugOf = (kind: string): string =>
    `${kind}/${pick(sqlite.prepare<unknown[], string>(`SELECT slug FROM ${kind}s ORDER BY id`).pluck().all())}`;
  const changes: Record<string, () => Promise<unknown>> = {
    import: () => says(sqlite, pick(['one', 'two']), feed(20)),
    complete: () => says(sqlite, 'two', feed(40), { complete: true, force: true }),
    merge: async () => {
      const kind = pick(['artist', 'venue', 'label', 'festival', 'event', 'genre']);
      const [a, b] = [slugOf(kind), slugOf(kind)];
      done.push(`${a} and ${b}`);
      note(await (await app.corrections(undefined, actor)).merge(a, b, { force: true }));
    },
    hide: async () => {
      const record = slugOf(pick(['artist', 'label', 'event', 'venue']));
      done.push(record);
      note(await (await app.removals(actor)).hide(record));
    },
    rename: async () => {
      const record = slugOf(pick(['artist', 'label', 'event', 'venue', 'genre']));
      done.push(record);
      note(await (await app.edits(actor)).set(record, [{ field: 'name', operation: 'set', value: name() }]));
    },
    undo: async () => {
      const id = audits.pop();
      if (id !== undefined) await (await app.edits(actor)).undo(id, { force: true });
    },
  };

  const walks = lists.map((list) => ({
    list,
    cursor: null as string | null,
    met: [] as string[],
    present: readAll(list),
  }));
  let [ended, refused] = [0, 0];
  for (let step = 0; step < steps; step++) {
    for (const walk of walks) {
      const page = readPage(walk.list, 1 + below(9), walk.cursor);
      walk.met.push(...page.data.map(keyOf));
      walk.cursor = page.page.next_cursor;
      if (walk.cursor !== null) continue;
      ended += 1;
      const where = `seed ${seed}, ${walk.list.operation} ${JSON.stringify(walk.list.query)} after ${done.join('; ')}`;
      const met = new Set(walk.met);
      for (const id of walk.present) {
        assert.ok(met.has(id), `${id} was not met: ${where}`);
        assert.equal(walk.met.filter((one) => one === id).length, 1, `${id} was met again: ${where}`);
      }
      [walk.met, walk.present] = [[], readAll(walk.list)];
    }
    const change = pick(Object.keys(changes));
    done.push(change);
    try {
      await changes[change]?.();
    } catch (failure) {
      // Such as a merge of a record with itself.
      if (!(failure instanceof Failure)) throw failure;
      refused += 1;
    }
    for (const walk of walks) {
      const now = readAll(walk.list);
      walk.present = new Set([...walk.present].filter((id) => now.has(id)));
    }
  }
  assert.ok(ended >= lists.length && refused < steps / 2, `${ended} walks ended, ${refused} changes refused`);
}

const keyOf = ({ id, slug }: { id?: string; slug: string }): string => id ?? slug;

for (let seed = firstSeed; seed < firstSeed + runs; seed++)
  test(`walks during random changes, seed ${seed}`, (t) => runProgram(seed, t));
