/**
 * Describes which records a dry run matched to existing records, and why (docs/spec/imports.md#promises, promise 4).
 */
import type Database from 'better-sqlite3';
import type { FeedKind } from '../contract/feed.ts';
import type { ExplainedEvidence } from '../contract/review-items.ts';
import { type ExplainedMatch, explainMatch, strongestReasons } from '../matching/explain.ts';
import type { MatchResult } from '../matching/model.ts';
import type { RecordKey } from '../sources/common/input-items.ts';
import { RecordFinder } from '../store/records/record-finder.ts';
import { isNamedEntityKind } from './resolution/entity-matcher.ts';
import { WriteSession } from './write-session.ts';

/** A source record and the catalogue record that it matched. */
export type MatchPreview = {
  kind: FeedKind;
  external_id: string;
  /** The slug of the matched record. */
  slug: string;
  name: string;
  /** A short reason: the rule, the score and the strongest evidence. */
  why: string;
  /** Null for kinds that are matched by exact name. */
  score: number | null;
  reasons: ExplainedEvidence[];
};

/** Collects the source records that matched existing records, each once. */
export class MatchCollector {
  readonly #subjects = new Map<string, RecordKey>();

  /** Adds a source record; one that was added before keeps its place. */
  add(subject: RecordKey): void {
    this.#subjects.set(`${subject.kind} ${subject.externalId}`, subject);
  }

  /** Describes all matches in the order in which they were added. Call it after the import has ended. */
  describeAll(sqlite: Database.Database, source: string, now: number): MatchPreview[] {
    const preview = new MatchDescriber(sqlite, source, now);
    return [...this.#subjects.values()].flatMap((subject) => preview.describe(subject) ?? []);
  }
}

const exactMatchReasons: Partial<Record<FeedKind, string>> = {
  city: 'a city of this name in this country',
  genre: 'a genre of this name',
  podcast: 'a podcast of this name',
  edition: 'this edition of this festival',
  episode: 'an episode of this name in this podcast',
};

class MatchDescriber {
  readonly #session: WriteSession;
  readonly #names: RecordFinder;
  readonly #source: { id: number; name: string } | undefined;

  constructor(sqlite: Database.Database, source: string, now: number) {
    this.#session = new WriteSession(sqlite, { now, onCreated: () => {} });
    this.#names = new RecordFinder(sqlite);
    this.#source = this.#session.sources.findSource(source);
  }

  /** Describes one match; null if the source, its record or the matched record is gone. */
  describe({ kind, externalId }: RecordKey): MatchPreview | null {
    if (this.#source === undefined) return null;
    const row = this.#session.sources.find({ source: this.#source.id, kind, externalId });
    const record = row && this.#names.byId(kind, row.record_id);
    if (!record) return null;
    const { slug, name } = record;
    const best = this.#bestMatch(kind, record.id, externalId);
    const why =
      best === null ? (exactMatchReasons[kind] ?? 'a record known by this name only') : summarize(best);
    const { score = null, reasons = [] } = best ?? {};
    return { kind, external_id: externalId, slug, name, why, score, reasons };
  }

  /** Returns the best match among the other source records of the record; null if there are none. */
  #bestMatch(kind: FeedKind, record: number, externalId: string): ExplainedMatch | null {
    const { events, entities: named } = this.#session.matcher;
    const isOwn = (one: { source: string; externalId: string }) =>
      one.source === this.#source?.name && one.externalId === externalId;
    if (kind === 'event') {
      return bestMatch(events.sourceRecordsOf(record), isOwn, (a, b) => events.compare(a, b));
    }
    if (!isNamedEntityKind(kind)) return null;
    return bestMatch(named.sourceRecordsOf(kind, record), isOwn, (a, b) => named.compare(kind, a, b));
  }
}

function bestMatch<N>(
  records: readonly N[],
  isOwn: (record: N) => boolean,
  compare: (a: N, b: N) => MatchResult,
): ExplainedMatch | null {
  const own = records.find(isOwn);
  if (own === undefined) return null;
  const results = records.filter((record) => record !== own).map((record) => compare(own, record));
  const best = results.toSorted((one, other) => other.score - one.score)[0];
  return best === undefined ? null : explainMatch(best);
}

const maxReasons = 3;

const summarize = (match: ExplainedMatch): string =>
  [`${match.rule} ${match.score}`, ...strongestReasons(match, maxReasons)].join('; ');
