/**
 * People edit, hide, delete, merge and undo while imports of the same sources run and are killed. Afterwards the file is
 * sound, edits stand, and each decision is in the audit log once (docs/decisions/18-edits.md).
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import type { Actor } from '../../src/contract/roles.ts';
import { Failure } from '../../src/failure.ts';
import { Corrections } from '../../src/ingest/corrections/corrections.ts';
import { Edits } from '../../src/ingest/edits/edits.ts';
import { Removals } from '../../src/ingest/removals/removals.ts';
import { checkFile } from '../../src/store/file/maintenance.ts';
import { run, start } from '../support/cli-run.ts';
import { ask, freshFile, matchingNow, says } from '../support/matching.ts';
import { withSeed } from '../support/random-seed.ts';

const nights = 12;
const filler = 120;
const rounds = 6;

/** Pairs of events that differ too much to be merged by the import, and events that an import has to write. */
const feed = (round: number): object[] => [
  ...Array.from({ length: nights }, (_, at) => event(`n${at}`, `Night ${at}`, at, `Text ${round}`)),
  ...Array.from({ length: filler }, (_, at) => event(`f${at}`, `Filler ${at}`, at + 40, `Text ${round}`)),
];
const event = (external_id: string, name: string, day: number, description: string): object => ({
  kind: 'event',
  external_id,
  name,
  description,
  start_at: `${new Date(matchingNow + day * 86_400_000).toISOString().slice(0, 10)}T22:00`,
  venue: { name: 'Kornspeicher', city: 'Berlin', country: 'DE' },
  lineup: [{ name: `Act ${day}` }],
});

type Night = { id: string; age: number | null; state: 'present' | 'hidden' | 'deleted'; into: Night | null };

/** Returns whole numbers below a limit, by a seed (mulberry32). */
function numbersOf(seed: number): (limit: number) => number {
  let state = seed >>> 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

/** Changes of one person, and what must be true after them. */
class Editor {
  readonly nights: Night[];
  decisions = 0;
  refused = 0;
  readonly #edits: Edits;
  readonly #removals: Removals;
  readonly #corrections: Corrections;
  readonly #number: (limit: number) => number;

  constructor(sqlite: Database.Database, number: (limit: number) => number) {
    const actor: Actor = 'terminal:ada';
    const options = { now: matchingNow, actor };
    this.#edits = new Edits(sqlite, options);
    this.#removals = new Removals(sqlite, options);
    this.#corrections = new Corrections(sqlite, matchingNow, undefined, actor);
    this.#number = number;
    this.nights = Array.from({ length: nights }, (_, at) => ({
      id: `event/${sqlite.prepare('SELECT slug FROM events WHERE name = ?').pluck().get(`Night ${at}`)}`,
      age: null,
      state: 'present',
      into: null,
    }));
  }

  #one(): Night {
    const left = this.nights.filter(({ into }) => into === null);
    return left[this.#number(left.length)] as Night;
  }

  /** Makes one change, also one that is undone, and returns its description. */
  async change(): Promise<string> {
    const night = this.#one();
    const what = this.#number(6);
    try {
      if (night.state !== 'present') return await this.#bringBack(night);
      if (what < 2) return await this.#edit(night);
      if (what === 2) return await this.#remove(night, 'hidden');
      if (what === 3) return await this.#remove(night, 'deleted');
      return await this.#merge(night, what === 4);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      this.refused++;
      return `refused: ${error.message}`;
    }
  }

  async #edit(night: Night): Promise<string> {
    const value = 18 + this.#number(40);
    const { audit_id: id } = await this.#edits.set(night.id, [
      { field: 'minimum_age', operation: 'set', value: String(value) },
    ]);
    if (id === null) return `edit ${night.id}: unchanged`;
    this.decisions++;
    if (this.#number(3) > 0) {
      night.age = value;
      return `edit ${night.id} ${value}`;
    }
    await delay(this.#number(40));
    await this.#edits.undo(id);
    this.decisions++;
    return `edit ${night.id} ${value}, undone`;
  }

  async #remove(night: Night, state: 'hidden' | 'deleted'): Promise<string> {
    await (state === 'hidden' ? this.#removals.hide(night.id) : this.#removals.delete(night.id));
    this.decisions++;
    night.state = state;
    return `${state} ${night.id}`;
  }

  async #bringBack(night: Night): Promise<string> {
    await this.#removals.restore(night.id);
    this.decisions++;
    night.state = 'present';
    return `restored ${night.id}`;
  }

  async #merge(night: Night, isUndone: boolean): Promise<string> {
    const other = this.#one();
    if (other === night || other.state !== 'present' || other.age !== null) return 'no merge';
    const { audit_id: id } = await this.#corrections.merge(night.id, other.id);
    this.decisions++;
    if (!isUndone) {
      other.into = night;
      return `merged ${other.id} into ${night.id}`;
    }
    await delay(this.#number(40));
    await this.#corrections.undo(id as number);
    this.decisions++;
    return `merged ${other.id} into ${night.id}, undone`;
  }

  /** Compares the file with the decisions. */
  assertKept(sqlite: Database.Database): void {
    const slugs = new Set(
      ask(sqlite, 'listEvents', { limit: 500 }).map(({ slug }: { slug: string }) => `event/${slug}`),
    );
    for (const { id, state, age, into } of this.nights) {
      const isShown = state === 'present' && into === null;
      assert.equal(slugs.has(id), isShown, `${id} (${state}${into === null ? '' : `, in ${into.id}`})`);
      if (!isShown) continue;
      const shown = ask(sqlite, 'getEvent', { slug: id.slice('event/'.length) });
      assert.deepEqual([shown.minimum_age, shown.description], [age, 'Text last'], id);
    }
    const entries = sqlite
      .prepare("SELECT count(*) FROM audit_log WHERE actor = 'terminal:ada'")
      .pluck()
      .get();
    assert.equal(entries, this.decisions);
  }
}

test(
  'decisions of a person hold while imports of the same records run and are killed',
  { timeout: 240_000 },
  (t) =>
    withSeed(async (seed, done) => {
      t.diagnostic(`seed ${seed}`);
      const sqlite = freshFile(t);
      const number = numbersOf(seed);
      await says(sqlite, 'one', feed(0));
      const editor = new Editor(sqlite, number);
      const file = join(dirname(sqlite.name), 'feed.ndjson');
      const command = ['--data', sqlite.name, 'import', file, '--source', 'one'];
      let kills = 0;
      for (let round = 1; round <= rounds; round++) {
        writeFileSync(
          file,
          feed(round)
            .map((line) => JSON.stringify(line))
            .join('\n'),
        );
        const child = start(command);
        const exited = once(child, 'exit');
        child.stdout.resume();
        child.stderr.resume();
        const killing =
          number(4) === 0 ? Promise.resolve() : delay(150 + number(900)).then(() => child.kill('SIGKILL'));
        for (let changes = 4 + number(5); changes > 0; changes--) {
          await delay(number(120));
          done.push(await editor.change());
        }
        await killing;
        const [, signal] = await exited;
        if (signal === 'SIGKILL') kills++;
      }
      writeFileSync(
        file,
        feed(0)
          .map((line) => JSON.stringify({ ...line, description: 'Text last' }))
          .join('\n'),
      );
      const { status, stderr } = await run(command);
      assert.equal(status, 0, stderr);
      for (const { name, ok, problems } of checkFile(sqlite))
        assert.ok(ok, `${name}: ${problems.join('; ')}`);
      assert.equal(sqlite.prepare('SELECT count(*) FROM stale_records').pluck().get(), 0);
      editor.assertKept(sqlite);
      t.diagnostic(`${done.length} changes, ${editor.refused} refused, ${kills} imports killed`);
    }),
);
