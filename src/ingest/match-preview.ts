/** What a dry run found to be what the catalogue has already, and why (docs/spec/imports.md#promises, promise 4). */
import type Database from 'better-sqlite3';
import type { FeedKind } from '../contract/feed.ts';
import { type NamedEntityKind, namedEntityKinds } from '../matching/entities/compare-entities.ts';
import { type ExplainedEvidence, type ExplainedMatch, explainMatch } from '../matching/explain.ts';
import type { MatchResult } from '../matching/model.ts';
import type { RecordKey } from '../sources/common/input-items.ts';
import { RecordFinder } from '../store/records/record-finder.ts';
import { WriteSession } from './write-session.ts';

/** A record of a source and the one of the catalogue that it is found to be. */
export type MatchPreview = {
  kind: FeedKind;
  external_id: string;
  /** Of the record that it goes into. */
  slug: string;
  name: string;
  /** In a few words: the rule, how likely it is, and what speaks for it most. */
  why: string;
  /** Null where nothing had to be weighed. */
  score: number | null;
  reasons: ExplainedEvidence[];
};

/** What went into records that were there, each once. */
export class MatchCollector {
  readonly #subjects = new Map<string, RecordKey>();

  add(subject: RecordKey): void {
    this.#subjects.set(`${subject.kind} ${subject.externalId}`, subject);
  }

  /** By name and reason, in the order in which they were met. To be asked after the run that met them. */
  describeAll(sqlite: Database.Database, source: string, now: number): MatchPreview[] {
    const preview = new MatchDescriber(sqlite, source, now);
    return [...this.#subjects.values()].flatMap((subject) => preview.describe(subject) ?? []);
  }
}

/** What is known of kinds that are not weighed. */
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

  describe({ kind, externalId }: RecordKey): MatchPreview | null {
    if (this.#source === undefined) return null;
    const bound = this.#session.sources.find({ source: this.#source.id, kind, externalId });
    const record = bound && this.#names.byId(kind, bound.record_id);
    if (!record) return null;
    const { slug, name } = record;
    const judged = this.#judged(kind, record.id, externalId);
    const why =
      judged === null ? (exactMatchReasons[kind] ?? 'known by this name until now') : summarize(judged);
    const { score = null, reasons = [] } = judged ?? {};
    return { kind, external_id: externalId, slug, name, why, score, reasons };
  }

  /** What speaks most for it among what others say of the record; null where nobody else says anything. */
  #judged(kind: FeedKind, record: number, externalId: string): ExplainedMatch | null {
    const { events, entities: named } = this.#session.matcher;
    const isOwn = (one: { source: string; externalId: string }) =>
      one.source === this.#source?.name && one.externalId === externalId;
    if (kind === 'event') {
      return bestMatch(events.sourceRecordsOf(record), isOwn, (a, b) => events.judge(a, b));
    }
    if (!isNamedEntityKind(kind)) return null;
    return bestMatch(named.sourceRecordsOf(kind, record), isOwn, (a, b) => named.compare(kind, a, b));
  }
}

const isNamedEntityKind = (kind: FeedKind): kind is NamedEntityKind =>
  (namedEntityKinds as readonly FeedKind[]).includes(kind);

function bestMatch<N>(
  nodes: readonly N[],
  isOwn: (node: N) => boolean,
  judge: (a: N, b: N) => MatchResult,
): ExplainedMatch | null {
  const own = nodes.find(isOwn);
  if (own === undefined) return null;
  const judged = nodes.filter((node) => node !== own).map((node) => judge(own, node));
  const best = judged.toSorted((one, other) => other.score - one.score)[0];
  return best === undefined ? null : explainMatch(best);
}

const maxReasons = 3;

function summarize({ rule, score, reasons }: ExplainedMatch): string {
  const telling = reasons
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
    .slice(0, maxReasons)
    .map(({ text }) => text);
  return [`${rule} ${score}`, ...telling].join('; ');
}
