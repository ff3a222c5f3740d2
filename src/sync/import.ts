/**
 * Reading a feed into the catalogue (feed.md, What an import promises): streamed, in short transactions, so that
 * readers and the meter never wait; the same feed twice changes nothing.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import type { FeedKind } from '../contract/feed.ts';
import { Failure } from '../failure.ts';
import { readable } from '../store/database.ts';
import { EventItems } from '../store/event-items.ts';
import { ImportState } from '../store/import-state.ts';
import { Lookup } from '../store/lookup.ts';
import { openNames } from '../store/names.ts';
import { type SaidRow, type Source, Sources } from '../store/sources.ts';
import { Writer } from '../store/writer.ts';
import { readLines } from './lines.ts';
import { matchRecord } from './match.ts';
import { inOrderOfTrust, type Said } from './merge.ts';
import { rebuildArtist, rebuildLabel } from './records/artists.ts';
import type { Context } from './records/context.ts';
import { RejectedStatement, rebuildCity, rebuildGenre, rebuildVenue } from './records/places.ts';
import { rebuildEpisode, rebuildPodcast } from './records/podcasts.ts';
import { rebuildEdition, rebuildEvent, rebuildFestival } from './records/shows.ts';
import { Resolver } from './resolver.ts';
import { BadLine, readLine } from './statement.ts';
import { TimeOutOfRange } from './time.ts';

export type ImportOptions = {
  source: string;
  type: string;
  trust?: number | undefined;
  clock?: 'instant' | 'local' | undefined;
  /** The feed is all that the source lists: what it no longer lists is withdrawn. */
  complete?: boolean | undefined;
  /** Withdraw even more than half. */
  force?: boolean | undefined;
  /** ms since 1970. */
  now: number;
  input: AsyncIterable<Uint8Array>;
  /** Nobody else can have the file open yet: long transactions, no pauses between them. */
  alone?: boolean;
  onProgress?: ((progress: { lines: number }) => void) | undefined;
  onRejected?: ((rejected: Rejected) => void) | undefined;
};

export type Rejected = { line: number; reason: string };
export type KindCounts = {
  created: number;
  updated: number;
  unchanged: number;
  matched: number;
  withdrawn: number;
};
export type ImportReport = {
  source: string;
  /** The catalogue's revision afterwards. */
  revision: number;
  kinds: Partial<Record<FeedKind, KindCounts>>;
  /** At most `mostRejected` of the rejected lines; all of them went through `onRejected`. */
  rejected: Rejected[];
  rejectedCount: number;
  /** Why a complete feed withdrew nothing, where it did not. */
  refused: string | null;
  seconds: number;
};

/** How many rejected lines a report lists: a feed of millions of bad lines must not fill the memory. */
const mostRejected = 10_000;
/** After so many transactions the full-text index lies in many pieces, and is put together. */
const batchesWorthCompacting = 50;

/** How long a transaction may go on, and how long the file is then left to others: the meter waits no longer for its turn. */
const shared = { batchMs: 10, pauseMs: 2 };
const alone = { batchMs: 2_000, pauseMs: 0 };

const rebuilders: { [K in FeedKind]: (context: Context, id: number, said: Said<K>[]) => void } = {
  genre: rebuildGenre,
  city: rebuildCity,
  venue: rebuildVenue,
  artist: rebuildArtist,
  label: rebuildLabel,
  festival: rebuildFestival,
  edition: rebuildEdition,
  event: rebuildEvent,
  podcast: rebuildPodcast,
  episode: rebuildEpisode,
};

/**
 * Reads a whole feed.
 * @returns what it did; `rejected` lines were skipped, the rest is in the catalogue
 * @throws Failure where the source cannot be read to its end; what was committed until then stays
 */
export async function importFeed(sqlite: Database.Database, options: ImportOptions): Promise<ImportReport> {
  return await new Import(sqlite, options).run();
}

class Import {
  readonly #options: ImportOptions;
  readonly #sqlite: Database.Database;
  readonly #source: Source;
  readonly #sources: Sources;
  readonly #writer: Writer;
  readonly #context: Context;
  readonly #kinds: Partial<Record<FeedKind, KindCounts>> = {};
  readonly #rejected: Rejected[] = [];
  readonly #pace: typeof shared;
  #rejectedCount = 0;
  /** Lines of which not even the record they speak of could be read. */
  #unreadable = 0;
  readonly #state: ImportState;
  #batchBegan = 0;
  #batches = 0;

  constructor(sqlite: Database.Database, options: ImportOptions) {
    this.#options = options;
    this.#sqlite = sqlite;
    this.#pace = options.alone ? alone : shared;
    this.#state = new ImportState(sqlite);
    this.#writer = new Writer(sqlite);
    this.#sources = new Sources(sqlite);
    this.#source = this.#sources.open(options.source, options.type, options, options.now);
    const lookup = new Lookup(sqlite);
    const names = openNames(sqlite);
    names.hold();
    const resolver = new Resolver(this.#writer, names, this.#sources, lookup, {
      created: (kind) => this.#count(kind, 'created'),
    });
    resolver.now = options.now;
    const items = new EventItems(sqlite);
    this.#context = {
      writer: this.#writer,
      names,
      lookup,
      resolver,
      items,
      now: options.now,
      run: this.#source.runs,
    };
  }

  async run(): Promise<ImportReport> {
    const began = performance.now();
    try {
      // What an import that died left half done is finished first.
      await this.#drain();
      await this.#readAll();
      const refused = this.#options.complete ? await this.#withdraw() : null;
      await this.#drain();
      this.#finish();
      return {
        source: this.#source.name,
        revision: this.#state.revision(),
        kinds: this.#kinds,
        rejected: this.#rejected,
        rejectedCount: this.#rejectedCount,
        refused,
        seconds: Math.round(performance.now() - began) / 1_000,
      };
    } catch (failure) {
      throw readable(failure, this.#sqlite.name);
    } finally {
      this.#writer.rollback();
    }
  }

  async #readAll(): Promise<void> {
    let lines = 0;
    for await (const line of readLines(this.#options.input)) {
      if (line.text === null) {
        this.#reject(line.number, line.problem ?? 'cannot be read');
        this.#stillListed(null);
      } else {
        this.#begin();
        this.#take(line.number, line.text);
        if (this.#isDue()) await this.#commit();
      }
      if (++lines % 100 === 0) this.#options.onProgress?.({ lines });
    }
    await this.#commit();
    this.#options.onProgress?.({ lines });
  }

  /** One line, all or nothing. */
  #take(number: number, text: string): void {
    const { changed } = this.#writer;
    let subject: { kind: FeedKind; externalId: string } | null = null;
    try {
      this.#state.line(() => {
        this.#writer.beginLine();
        const { kind, externalId, statement } = readLine(text);
        subject = { kind, externalId };
        this.#restate(kind, externalId, JSON.stringify(statement));
      });
    } catch (failure) {
      this.#writer.changed = changed;
      this.#context.resolver.forget();
      this.#context.lookup.forgetGenres();
      if (
        !(
          failure instanceof BadLine ||
          failure instanceof RejectedStatement ||
          failure instanceof TimeOutOfRange
        )
      ) {
        throw failure;
      }
      this.#reject(number, failure.message);
      if (failure instanceof BadLine) this.#stillListed(failure.subject);
      else this.#stillListed(subject);
    }
  }

  /** A line that was skipped still lists its record, as far as one can tell whose line it is. */
  #stillListed(subject: { kind: FeedKind; externalId: string } | null): void {
    if (subject === null) this.#unreadable++;
    else this.#sources.seen({ source: this.#source.id, ...subject }, this.#source.runs);
  }

  /** What the source says of one record, against what it said before. */
  #restate(kind: FeedKind, externalId: string, statement: string): void {
    const key = { source: this.#source.id, kind, externalId };
    const { now } = this.#options;
    const run = this.#source.runs;
    const known = this.#sources.find(key);
    if (known?.statement === statement && known.withdrawn_ts === null) {
      if (known.run !== run) this.#sources.seen(key, run);
      this.#count(kind, 'unchanged');
      return;
    }
    // The later line would win now, and the earlier one again at the next run: no end of changes.
    if (known?.run === run && known.statement !== null) {
      throw new RejectedStatement(
        'says something else of a record that an earlier line spoke of: one external_id, one line',
      );
    }
    if (known) {
      const first = known.statement === null;
      this.#sources.restate(key, statement, now, run);
      this.#rebuild(kind, known.record_id);
      this.#count(kind, first ? 'matched' : 'updated');
      return;
    }
    const match = matchRecord(this.#context, this.#sources, kind, JSON.parse(statement), {
      sourceId: this.#source.id,
      run,
    });
    const id = match ?? this.#writer.newRecord(kind);
    this.#sources.bind(key, id, statement, now, run);
    if (match === null) this.#build(kind, id, [this.#only(externalId, statement)]);
    else this.#rebuild(kind, id);
    this.#count(kind, match === null ? 'created' : 'matched');
  }

  /** All that is said of a new record: what this source says now. */
  #only(externalId: string, statement: string): SaidRow {
    const { id, name, trust, clock } = this.#source;
    return {
      source_id: id,
      source_name: name,
      trust,
      clock,
      external_id: externalId,
      stated_ts: this.#options.now,
      withdrawn_ts: null,
      statement,
    };
  }

  #rebuild(kind: FeedKind, id: number): void {
    this.#build(kind, id, this.#sources.said(id));
  }

  #build(kind: FeedKind, id: number, rows: SaidRow[]): void {
    const listed = rows.some((row) => row.withdrawn_ts === null)
      ? rows.filter((row) => row.withdrawn_ts === null)
      : rows;
    const said = listed.map((row) => ({
      sourceId: row.source_id,
      sourceName: row.source_name,
      trust: row.trust,
      clock: row.clock as 'instant' | 'local',
      externalId: row.external_id,
      statedTs: row.stated_ts,
      withdrawnTs: row.withdrawn_ts,
      statement: JSON.parse(row.statement),
    }));
    // Known by name alone, its row stays as it is.
    if (said.length > 0) rebuilders[kind](this.#context, id, inOrderOfTrust(said) as never);
  }

  /** Works out what waits: records whose parts changed, then places in search. */
  async #drain(): Promise<void> {
    const { lookup } = this.#context;
    for (let waiting = lookup.stale(200); waiting.length > 0; waiting = lookup.stale(200)) {
      for (const id of waiting) {
        this.#begin();
        lookup.clearStale(id);
        this.#rebuildStale(id);
        if (this.#isDue()) await this.#commit();
      }
      await this.#commit();
    }
    const { names } = this.#context;
    for (let more = true; more; ) {
      this.#begin();
      do more = names.drainStale(50) > 0;
      while (more && !this.#isDue());
      await this.#commit();
    }
  }

  #rebuildStale(id: number): void {
    this.#writer.beginLine();
    const kind = this.#context.lookup.kindOf(id) as FeedKind;
    const before = this.#writer.row(kind, id);
    if (kind === 'venue' && this.#sources.said(id).length === 0) this.#followCity(id, before as never);
    else this.#rebuild(kind, id);
  }

  /** A venue known by name alone takes its city's name and zone. */
  #followCity(id: number, venue: { city_id: number | null }): void {
    const city = venue.city_id === null ? undefined : this.#writer.row('city', venue.city_id);
    if (!city) return;
    const row = {
      city: city.name as string,
      country: city.country as string,
      timezone: city.timezone as string | null,
    };
    const differing = this.#writer.save('venue', id, row, () => [], this.#options.now);
    if (differing.size > 0)
      for (const event of this.#context.lookup.dependents('venue', id)) this.#writer.markStale(event);
  }

  /** Withdraws what the run did not see; says why not, where more than half would go. */
  async #withdraw(): Promise<string | null> {
    const { id: source, runs: run } = this.#source;
    const { listed, gone } = this.#sources.counts(source, run);
    if (gone > 0 && this.#unreadable > 0 && !this.#options.force) {
      return `${this.#unreadable} lines do not say whose they are, and ${gone} records were not listed otherwise: nothing was withdrawn. Mend the feed, or run it again with --force.`;
    }
    if (gone * 2 > listed && !this.#options.force) {
      return `The feed no longer lists ${gone} of ${listed} records: nothing was withdrawn. Run it again with --force if that is right.`;
    }
    for (
      let some = this.#sources.gone(source, run, 200);
      some.length > 0;
      some = this.#sources.gone(source, run, 200)
    ) {
      for (const { kind, external_id: externalId, record_id: record } of some) {
        this.#begin();
        this.#writer.beginLine();
        this.#sources.withdraw({ source, kind, externalId }, this.#options.now, run);
        this.#rebuild(kind, record);
        this.#count(kind, 'withdrawn');
        if (this.#isDue()) await this.#commit();
      }
      await this.#commit();
    }
    return null;
  }

  #finish(): void {
    this.#state.finish(this.#options.now);
    if (this.#batches > batchesWorthCompacting) this.#context.names.compact();
  }

  #begin(): void {
    if (this.#sqlite.inTransaction) return;
    try {
      this.#writer.begin();
    } catch (failure) {
      throw new Failure(
        `The data file cannot be written: ${(failure as Error).message}. Try again when nobody else writes to it.`,
      );
    }
    this.#batchBegan = performance.now();
  }

  #isDue(): boolean {
    return performance.now() - this.#batchBegan > this.#pace.batchMs;
  }

  async #commit(): Promise<void> {
    if (!this.#sqlite.inTransaction) return;
    this.#context.names.flush();
    this.#writer.commit();
    this.#batches++;
    if (this.#pace.pauseMs > 0) await sleep(this.#pace.pauseMs);
  }

  #count(kind: FeedKind, what: keyof KindCounts): void {
    this.#kinds[kind] ??= { created: 0, updated: 0, unchanged: 0, matched: 0, withdrawn: 0 };
    this.#kinds[kind][what]++;
  }

  #reject(line: number, reason: string): void {
    this.#rejectedCount++;
    const rejected = { line, reason };
    this.#options.onRejected?.(rejected);
    if (this.#rejected.length < mostRejected) this.#rejected.push(rejected);
  }
}
