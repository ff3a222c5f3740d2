/** Random changes of a catalogue: imports, edits, merges, splits, removals, purges. Seeded, so that a failure repeats. */
import type Database from 'better-sqlite3';
import { Failure } from '../../src/failure.ts';
import { Corrections } from '../../src/ingest/corrections/corrections.ts';
import { Edits } from '../../src/ingest/edits/edits.ts';
import { parseChange } from '../../src/ingest/edits/parse-change.ts';
import { importFeed } from '../../src/ingest/import/import-feed.ts';
import { Removals } from '../../src/ingest/removals/removals.ts';

export const now = Date.parse('2026-11-20T12:00:00Z');
const actor = 'terminal:ada' as const;

export type Random = () => number;
/** A small generator of numbers from 0 to 1 (mulberry32). */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
/** The seed of a run: `CRATEBASE_FUZZ_SEED`, or another one each time. */
export const chosenSeed = (): number =>
  Number(process.env.CRATEBASE_FUZZ_SEED ?? Math.floor(Math.random() * 1e9));

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

const names = ['Ada', 'Bo', 'Cleo', 'Dov', 'Eli', 'Fay', 'Gus', 'Hal', 'Ivy', 'Jon', 'Kim', 'Lux'];
const places = ['Haus', 'Keller', 'Turm', 'Hof'];
const cities = [
  ['Berlin', 'DE'],
  ['Leipzig', 'DE'],
  ['Wien', 'AT'],
] as const;

export class RandomOperations {
  readonly #sqlite: Database.Database;
  readonly #random: Random;
  #count = 0;

  constructor(sqlite: Database.Database, random: Random) {
    this.#sqlite = sqlite;
    this.#random = random;
  }

  /** Lines of a feed: some of each kind, with values that vary. */
  lines(): object[] {
    const pick = <T>(from: readonly T[]): T => from[Math.floor(this.#random() * from.length)] as T;
    const some = (share: number) => this.#random() < share;
    const version = Math.floor(this.#random() * 3);
    const lines: object[] = [
      { kind: 'genre', external_id: 'g1', name: some(0.2) ? 'Deep House' : 'House', parent: 'Electronic' },
      { kind: 'genre', external_id: 'g2', name: 'Techno', description: `v${version}` },
    ];
    for (const [name, country] of cities)
      lines.push({
        kind: 'city',
        external_id: name,
        name,
        country,
        timezone: 'Europe/Berlin',
        population: version,
      });
    for (const name of places) {
      const [city, country] = pick(cities);
      if (some(0.8))
        lines.push({
          kind: 'venue',
          external_id: name,
          name: some(0.2) ? `${name} neu` : name,
          city,
          country,
          latitude: 50 + version,
          longitude: 10,
        });
    }
    for (const name of names)
      if (some(0.7)) {
        const line = { kind: 'artist', external_id: name, name: some(0.15) ? `${name} X` : name };
        lines.push({
          ...line,
          genres: some(0.5) ? [pick(['House', 'Techno'])] : [],
          biography: `v${version}`,
        });
      }
    const acts = (most: number) =>
      names.filter(() => this.#random() < most / names.length).map((name) => ({ name }));
    for (const name of ['Nord', 'Sued']) {
      const line = { kind: 'label', external_id: name, name: some(0.2) ? `${name} Rec` : name };
      lines.push({ ...line, artists: acts(3), ...(some(0.5) ? { parent: { name: 'Dach' } } : {}) });
    }
    const [city, country] = cities[0];
    const festival = 'Lost';
    lines.push({ kind: 'festival', external_id: 'f', name: festival, city, country, genres: ['House'] });
    for (const edition of ['2026', '2027'])
      lines.push({
        kind: 'edition',
        external_id: `f${edition}`,
        festival: { external_id: 'f', name: festival },
        edition,
        start_at: `${edition}-08-0${1 + version}`,
        venue: { name: pick(places), city: 'Berlin', country: 'DE' },
        lineup: acts(3),
      });
    lines.push({ kind: 'podcast', external_id: 'p', name: some(0.2) ? 'Pod Cast' : 'Pod' });
    for (let number = 1; number <= 3; number++)
      lines.push({
        kind: 'episode',
        external_id: `e${number}`,
        podcast: { external_id: 'p', name: 'Pod' },
        name: `Folge ${number}`,
        artists: acts(1),
        tracklist: [{ artist_name: pick(names), title: `T${version}`, label_name: pick(['Nord', 'Sued']) }],
      });
    for (let number = 1; number <= 8; number++) {
      if (some(0.2)) continue;
      const venue = { name: pick(places), city: pick(cities)[0], country: 'DE' };
      lines.push({
        kind: 'event',
        external_id: `n${number}`,
        name: some(0.2) ? `Nacht ${number} Spezial` : `Nacht ${number}`,
        start_at: `2026-12-${String(number + 10)}T23:00`,
        venue,
        lineup: acts(4),
        ...(some(0.3) ? { genres: ['Techno'] } : {}),
        ...(some(0.3)
          ? { tickets: [{ seller: 'Tor', url: 'https://t.example/1', price_min: 10 + version }] }
          : {}),
        ...(some(0.2) ? { festival: { festival: { name: 'Lost' }, edition: '2026' } } : {}),
      });
    }
    return lines;
  }

  /** Makes one change, and returns what it was. Changes that are refused change nothing. */
  async step(): Promise<string> {
    this.#count++;
    const choice = this.#random();
    try {
      if (choice < 0.3) return await this.import();
      if (choice < 0.45) return await this.#edit();
      if (choice < 0.6) return await this.#merge();
      if (choice < 0.68) return await this.#undo();
      if (choice < 0.8) return await this.#remove();
      if (choice < 0.9) return await this.#restore();
      if (choice < 0.94)
        return await this.#removals()
          .purgeSource(this.#source(), {})
          .then(() => 'purge');
      return await this.#forget();
    } catch (failure) {
      const isRefused = failure instanceof Failure || /cannot be its own/.test(String(failure));
      if (!isRefused) throw failure;
      return `refused: ${failure}`;
    }
  }

  #source(): string {
    return this.#random() < 0.7 ? 'one' : 'two';
  }

  /** Imports lines of one of two sources. */
  async import(): Promise<string> {
    const lines = this.lines();
    const source = this.#source();
    const complete = this.#random() < 0.4;
    async function* input() {
      yield Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n'));
    }
    await importFeed(this.#sqlite, { source, type: 'feed', now: this.#now(), input: input(), complete });
    return `import ${source}${complete ? ' complete' : ''}`;
  }

  async #edit(): Promise<string> {
    const record = this.#any();
    const [kind] = record.split('/');
    const value = kind === 'event' ? 'description' : 'name';
    const change = `${value}=${names[Math.floor(this.#random() * names.length)]} ${this.#count}`;
    await new Edits(this.#sqlite, { now: this.#now(), actor }).set(record, [parseChange(change)]);
    return `edit ${record} ${change}`;
  }

  async #merge(): Promise<string> {
    const kind = (['artist', 'venue', 'label', 'festival', 'genre', 'event', 'city'] as const)[
      Math.floor(this.#random() * 7)
    ] as Kind;
    const [one, other] = [this.#any(kind), this.#any(kind)];
    await new Corrections(this.#sqlite, this.#now(), undefined, actor).merge(one, other);
    return `merge ${one} ${other}`;
  }

  async #undo(): Promise<string> {
    const entry = this.#sqlite
      .prepare(
        "SELECT id, action FROM audit_log WHERE undone_by IS NULL AND action LIKE 'record.%' ORDER BY random() LIMIT 1",
      )
      .get() as { id: number; action: string } | undefined;
    if (entry === undefined) return 'nothing to undo';
    const { id, action } = entry;
    if (/merge|split|never/.test(action))
      await new Corrections(this.#sqlite, this.#now(), undefined, actor).undo(id);
    else if (/edit|add|reset/.test(action))
      await new Edits(this.#sqlite, { now: this.#now(), actor }).undo(id);
    else await this.#removals().undo(id);
    return `undo ${action} ${id}`;
  }

  async #remove(): Promise<string> {
    const record = this.#any();
    if (this.#random() < 0.5) await this.#removals().hide(record);
    else await this.#removals().delete(record);
    return `remove ${record}`;
  }

  async #restore(): Promise<string> {
    const row = this.#sqlite
      .prepare(
        "SELECT kind || '/' || slug FROM removed_records WHERE state <> 'forgotten' ORDER BY record_id DESC LIMIT 1",
      )
      .pluck()
      .get() as string | undefined;
    if (row === undefined) return 'nothing to restore';
    await this.#removals().restore(row);
    return `restore ${row}`;
  }

  async #forget(): Promise<string> {
    const record = this.#any('artist');
    await this.#removals().forget(record, { name: this.#random() < 0.5 ? 'remove' : 'keep' } as never);
    return `forget ${record}`;
  }

  #removals(): Removals {
    return new Removals(this.#sqlite, { now: this.#now(), actor });
  }

  #now(): number {
    return now + this.#count * 1_000;
  }

  /** A record of the catalogue as `kind/slug`. */
  #any(kind?: Kind): string {
    const kinds = Object.keys(tables) as Kind[];
    const chosen = kind ?? (kinds[Math.floor(this.#random() * kinds.length)] as Kind);
    const slugs = this.#sqlite
      .prepare(`SELECT slug FROM ${tables[chosen]} ORDER BY slug`)
      .pluck()
      .all() as string[];
    if (slugs.length === 0) throw new Failure('none');
    return `${chosen}/${slugs[Math.floor(this.#random() * slugs.length)]}`;
  }
}
