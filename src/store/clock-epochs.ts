/** Finds the span of time in which answers stay the same: until an event ends, a venue closes, or a day begins. */
import { sql } from 'kysely';
import { dayMs } from '../clock.ts';
import type { ClockPart } from '../contract/operations.ts';
import { prepare, prepareValue, SqliteStore } from './statement.ts';

/** A span of time, in ms since 1970, in which no answer changes, and what it is called. */
type Epoch = { from: number; until: number; revision: number; name: string };
const never: Epoch = {
  from: Number.POSITIVE_INFINITY,
  until: Number.NEGATIVE_INFINITY,
  revision: -1,
  name: '',
};

/** The dates on which venues and labels close, and artists and festivals end. */
const endings = [
  ['venues', 'closed_at'],
  ['labels', 'closed_at'],
  ['artists', 'ended_at'],
  ['festivals', 'ended_at'],
] as const;

// A date has begun if its text is not behind that of today: "2027" is before "2027-01-01", which is before "2027-02".
const last = endings.map(
  ([table, column]) => `(SELECT max(${column}) FROM ${table} WHERE ${column} <= @day)`,
);

/** Computes the spans of time for a catalogue revision, and caches the present span of each part. Days are those of UTC. */
export class ClockEpochs extends SqliteStore {
  readonly #cached: Record<ClockPart, Epoch> = { events: never, endings: never, days: never };
  readonly #turn = prepare<{ now: number }, { before: number | null; after: number | null }>(
    this.sqlite,
    (p) => sql`
      select
        max(
          coalesce((select max(ends_ts) from events where ends_ts <= ${p.now}), 0),
          coalesce((select max(ends_ts) from editions where ends_ts <= ${p.now}), 0),
          coalesce((select max(start_ts) from editions where start_ts <= ${p.now}), 0)
        ) as before,
        min(
          coalesce((select min(ends_ts) from events where ends_ts > ${p.now}), 9e15),
          coalesce((select min(ends_ts) from editions where ends_ts > ${p.now}), 9e15),
          coalesce((select min(start_ts) from editions where start_ts > ${p.now}), 9e15)
        ) as after`,
  );
  readonly #ending = this.sqlite
    .prepare(`SELECT max(${last.map((date) => `ifnull(${date}, '')`).join(', ')})`)
    .pluck();
  readonly #longest = prepareValue<number>(this.sqlite, 'SELECT max_event_duration_ms FROM catalogue');

  /** Names the state of what an answer depends on beside the catalogue: it changes when the answer may, and only then. */
  name(parts: readonly ClockPart[], now: number, revision: number): string {
    return parts.map((part) => this.at(part, now, revision).name).join(' ');
  }

  /** The span around `now` (ms) in which none of the parts changes. */
  span(parts: readonly ClockPart[], now: number, revision: number): { from: number; until: number } {
    const epochs = parts.map((part) => this.at(part, now, revision));
    return {
      from: Math.max(...epochs.map(({ from }) => from)),
      until: Math.min(...epochs.map(({ until }) => until)),
    };
  }

  /** The present span of one part. It is kept until it ends or the catalogue changes. */
  at(part: ClockPart, now: number, revision: number): Epoch {
    const cached = this.#cached[part];
    if (cached.revision === revision && cached.from <= now && now < cached.until) return cached;
    const epoch = { ...this.#read(part, now), revision };
    this.#cached[part] = epoch;
    return epoch;
  }

  #read(part: ClockPart, now: number): Omit<Epoch, 'revision'> {
    const day = now - (now % dayMs);
    if (part === 'events') {
      const turn = this.#turn.get({ now });
      const from = turn?.before ?? 0;
      return { from, until: turn?.after ?? Number.POSITIVE_INFINITY, name: String(from) };
    }
    if (part === 'endings') {
      const name = this.#ending.get({ day: new Date(now).toISOString().slice(0, 10) }) as string;
      return { from: day, until: day + dayMs, name };
    }
    // Search reads whole days back from now, and from when the longest event that runs may have begun.
    const shift = this.#longest.one() % dayMs;
    const second = day + shift <= now ? day + shift : day + shift - dayMs;
    return {
      from: Math.max(day, second),
      until: Math.min(day, second) + dayMs,
      name: `${day}-${second}`,
    };
  }
}
