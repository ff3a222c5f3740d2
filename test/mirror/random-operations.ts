/**
 * Random changes of a catalogue: imports, edits, merges, splits, removals, purges, rules of sources. Seeded, so that a
 * failure repeats.
 */
import type Database from 'better-sqlite3';
import { ManualChanges } from '../../src/app/changes.ts';
import { Failure } from '../../src/failure.ts';
import { parseChange } from '../../src/ingest/edits/parse-change.ts';
import { importFeed } from '../../src/ingest/import/import-feed.ts';
import { finishInterruptedWork } from '../../src/ingest/process-stale.ts';
import { HeldSources } from '../../src/ingest/schedule/held-sources.ts';
import { SourceEditor } from '../../src/ingest/schedule/source-editor.ts';
import { withWriteLease } from '../../src/ingest/write-lock/write-lease.ts';
import { sampleSource } from '../../src/store/schedule/sample-events.ts';
import { ScheduleStore } from '../../src/store/schedule/schedules.ts';
import { cities, names, pickFrom, places, type Random, randomLines } from './random-lines.ts';

export const now = Date.parse('2026-11-20T12:00:00Z');
const actor = 'terminal:ada' as const;

const tables = {
  artist: 'artists',
  event: 'events',
  venue: 'venues',
  festival: 'festivals',
  edition: 'editions',
  label: 'labels',
  genre: 'genres',
  city: 'cities',
  podcast: 'podcasts',
  episode: 'episodes',
} as const;
type Kind = keyof typeof tables;
const kinds = Object.keys(tables) as Kind[];
const pairKinds = ['artist', 'venue', 'label', 'festival', 'genre', 'event', 'city', 'podcast'] as const;
/** Sources by their share of the operations. `moved` lists what `one` lists: the operator gave it another name. */
const sources = ['one', 'one', 'one', 'one', 'one', 'two', 'two', 'two', 'moved', sampleSource] as const;

const ruleChanges = [
  { exclude: ['Nacht 3'] },
  { exclude: ['Spezial', 'Ada'] },
  { include: ['Nacht'] },
  { trust: '20' },
  { trust: '80' },
  { clock: 'local' },
  { attribution: 'Of the list' },
  { genres: ['Ambient'] },
  { onMissing: 'remove' },
  { keepPast: true },
  { hold: true },
  { unset: ['all'] },
  { unset: ['all'] },
  { unset: ['all'] },
] as const;

export class RandomOperations {
  readonly #sqlite: Database.Database;
  readonly #random: Random;
  #count = 0;
  /** The change that is made. */
  #what = '';

  constructor(sqlite: Database.Database, random: Random) {
    this.#sqlite = sqlite;
    this.#random = random;
  }

  /** Makes one change, and returns what it was. Changes that are refused change nothing. */
  async step(): Promise<string> {
    this.#count++;
    this.#what = 'choice of a record';
    try {
      await this.#change();
    } catch (failure) {
      if (!(failure instanceof Failure))
        throw new Error(`${this.#what}: ${(failure as Error).message}`, { cause: failure });
      return `refused: ${this.#what}: ${failure.message}`;
    }
    return this.#what;
  }

  async #change(): Promise<void> {
    const choice = this.#random();
    if (choice < 0.27) return await this.#import();
    if (choice < 0.4) return await this.#edit();
    if (choice < 0.43) return await this.#add();
    if (choice < 0.53) return await this.#merge();
    if (choice < 0.56) return await this.#split();
    if (choice < 0.64) return await this.#undo();
    if (choice < 0.74) return await this.#remove();
    if (choice < 0.82) return await this.#restore();
    if (choice < 0.87) return await this.#purge();
    if (choice < 0.93) return await this.#changeRules();
    return await this.#forget();
  }

  /** Imports lines of one of the sources. */
  async import(): Promise<string> {
    await this.#import();
    return this.#what;
  }

  async #import(): Promise<void> {
    const source = this.#pick(sources);
    const lines = randomLines(this.#random);
    const complete = this.#random() < 0.4;
    async function* input() {
      yield Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n'));
    }
    this.#what = `import ${source}${complete ? ' complete' : ''}`;
    await importFeed(this.#sqlite, { source, type: 'feed', now: this.#now(), input: input(), complete });
  }

  async #edit(): Promise<void> {
    const record = this.#any();
    const edits = await this.#changes().edits(actor);
    if (this.#random() < 0.15) {
      this.#what = `reset ${record}`;
      await edits.reset(record, []);
      return;
    }
    const change = this.#fieldChange(record.split('/')[0] as Kind);
    this.#what = `edit ${record} ${change}`;
    await edits.set(record, [parseChange(change)]);
  }

  /** A change of a field of a record. */
  #fieldChange(kind: Kind): string {
    const pick = <T>(from: readonly T[]): T => this.#pick(from);
    const name = `name=${pick(names)} ${this.#count}`;
    const [city] = pick(cities);
    const lineup = `lineup+=${pick(names)}`;
    const start = `start_at=2026-12-${10 + Math.floor(this.#random() * 15)}T22:00`;
    const choices: Record<Kind, readonly string[]> = {
      artist: [
        name,
        `name=${pick(names)}`,
        `alias+=${pick(names)}`,
        'genres=Techno',
        'biography=',
        'link+=https://a.example/',
      ],
      event: [
        'description=edited',
        name,
        lineup,
        `lineup-=${pick(names)}`,
        start,
        `venue=${pick(places)}, ${city}`,
        `city=${city}`,
      ],
      venue: [name, `city=${city}`, `alias+=${pick(places)}`, 'capacity=300'],
      festival: [name, `city=${city}`, 'genres=House'],
      edition: [name, lineup, 'start_at=2026-08-09'],
      label: [name, `artists+=${pick(names)}`, `parent=${pick(['Nord', 'Sued', 'Dach'])}`],
      genre: [name, `parent=${pick(['House', 'Techno', 'Electronic'])}`, 'description=edited'],
      city: [name, `alias+=${pick(names)}stadt`, 'population=7'],
      podcast: [name],
      episode: [name, `artists+=${pick(names)}`, 'tracklist=[]'],
    };
    return pick(choices[kind]);
  }

  async #add(): Promise<void> {
    const line = this.#pick(randomLines(this.#random)) as { kind: string; external_id?: string };
    const { external_id: _, ...added } = line;
    this.#what = `add ${JSON.stringify(added)}`;
    await (await this.#changes().edits(actor)).addRecords([added]);
  }

  async #merge(): Promise<void> {
    const kind = this.#pick(pairKinds);
    const [one, other] = [this.#any(kind), this.#any(kind)];
    const corrections = await this.#changes().corrections(undefined, actor);
    const force = this.#random() < 0.3;
    if (this.#random() < 0.2) {
      this.#what = `never merge ${one} ${other}`;
      await corrections.neverMerge(one, other, { force });
      return;
    }
    this.#what = `merge ${one} ${other}`;
    await corrections.merge(one, other, { force });
  }

  async #split(): Promise<void> {
    // A record that others were merged into, or which sources agree about.
    const candidates = this.#sqlite
      .prepare(
        `SELECT DISTINCT kind || '/' || slug FROM slugs s WHERE EXISTS
           (SELECT 1 FROM slugs o WHERE o.kind = s.kind AND o.record_id = s.record_id AND o.slug <> s.slug)
         ORDER BY 1`,
      )
      .pluck()
      .all() as string[];
    const record =
      candidates.length > 0 && this.#random() < 0.7
        ? this.#pick(candidates)
        : this.#any(this.#pick(pairKinds));
    this.#what = `split ${record}`;
    await (await this.#changes().corrections(undefined, actor)).split(record, []);
  }

  async #undo(): Promise<void> {
    const entries = this.#sqlite
      .prepare(
        "SELECT id, action FROM audit_log WHERE undone_by IS NULL AND action LIKE 'record.%' ORDER BY id DESC LIMIT 12",
      )
      .all() as { id: number; action: string }[];
    if (entries.length === 0) return;
    const { id, action } = this.#pick(entries);
    const edits = await this.#changes().edits(actor);
    this.#what = `undo ${action} ${id}`;
    await edits.undo(id, { force: this.#random() < 0.3 });
  }

  async #remove(): Promise<void> {
    const record = this.#any();
    const isHidden = this.#random() < 0.5;
    const removals = await this.#changes().removals(actor);
    this.#what = `${isHidden ? 'hide' : 'delete'} ${record}`;
    if (isHidden) await removals.hide(record);
    else await removals.delete(record);
  }

  async #restore(): Promise<void> {
    const rows = this.#sqlite
      .prepare(
        "SELECT kind || '/' || slug FROM removed_records WHERE state <> 'forgotten' ORDER BY record_id DESC LIMIT 8",
      )
      .pluck()
      .all() as string[];
    if (rows.length === 0) return;
    const row = this.#random() < 0.5 ? (rows[0] as string) : this.#pick(rows);
    this.#what = `restore ${row}`;
    await (await this.#changes().removals(actor)).restore(row);
  }

  async #purge(): Promise<void> {
    const source = this.#pick([...sources, 'editors']);
    this.#what = `purge ${source}`;
    await (await this.#changes().removals(actor)).purgeSource(source, {});
  }

  async #changeRules(): Promise<void> {
    const name = this.#pick(sources);
    const source = new ScheduleStore(this.#sqlite).findAny(name);
    if (source === undefined) return;
    const held = new HeldSources(this.#sqlite, () => this.#now());
    if (held.counts(source.source_id).waiting > 0 && this.#random() < 0.7) {
      this.#what = `publish ${name}`;
      await held.decide(source, 'all', this.#random() < 0.7 ? 'approved' : 'rejected', actor);
      await withWriteLease(this.#sqlite, { what: 'the held records', wait: true }, () =>
        held.publish(source, {}),
      );
      return;
    }
    const changes = this.#pick(ruleChanges);
    this.#what = `rules of ${name} ${JSON.stringify(changes)}`;
    await new SourceEditor(this.#sqlite, () => this.#now()).set(source, changes, actor);
    await withWriteLease(this.#sqlite, { what: 'the rules', wait: true }, () =>
      finishInterruptedWork(this.#sqlite, this.#now()),
    );
  }

  async #forget(): Promise<void> {
    const record = this.#any('artist');
    const name = this.#random() < 0.5 ? 'remove' : 'keep';
    this.#what = `forget ${record} (${name} the name)`;
    await (await this.#changes().removals(actor)).forget(record, { name });
  }

  /** What people change, as the program opens it. */
  #changes(): ManualChanges {
    return new ManualChanges({
      sqlite: this.#sqlite,
      clock: { now: () => this.#now() },
      record: () => {
        throw new Error('not shown');
      },
    });
  }

  #now(): number {
    return now + this.#count * 1_000;
  }

  #pick<T>(from: readonly T[]): T {
    return pickFrom(this.#random, from);
  }

  /** A record as `kind/slug`: of the catalogue, and sometimes a removed or purged one, or one by a former slug. */
  #any(kind?: Kind): string {
    const chosen = kind ?? this.#pick(kinds);
    const choice = this.#random();
    const sql =
      choice < 0.86
        ? `SELECT slug FROM ${tables[chosen]} ORDER BY slug`
        : choice < 0.93
          ? `SELECT slug FROM removed_records WHERE kind = '${chosen}' ORDER BY record_id`
          : `SELECT slug FROM slugs WHERE kind = '${chosen}' ORDER BY slug`;
    const slugs = this.#sqlite.prepare(sql).pluck().all() as string[];
    if (slugs.length === 0) throw new Failure('none');
    return `${chosen}/${this.#pick(slugs)}`;
  }
}
