/** What a dry run found to be what the catalogue has already, and why (docs/spec/imports.md#promises, promise 4). */
import type Database from 'better-sqlite3';
import type { FeedKind } from '../contract/feed.ts';
import { RecordNames } from '../store/record-names.ts';
import type { Subject } from './lines.ts';
import type { Judgement, Reason } from './match/listing.ts';
import { type NamedKind, namedKinds } from './match/named-judge.ts';
import { Workbench } from './workbench.ts';

/** A record of a source and the one of the catalogue that it is found to be. */
export type NamedMatch = {
  kind: FeedKind;
  external_id: string;
  /** Of the record that it goes into. */
  slug: string;
  name: string;
  /** In a few words: the rule, how likely it is, and what speaks for it most. */
  why: string;
  /** Null where nothing had to be weighed. */
  score: number | null;
  reasons: Reason[];
};

/** What went into records that were there, each once. */
export class Matches {
  readonly #subjects = new Map<string, Subject>();

  add(subject: Subject): void {
    this.#subjects.set(`${subject.kind} ${subject.externalId}`, subject);
  }

  /** By name and reason, in the order in which they were met. To be asked after the run that met them. */
  named(sqlite: Database.Database, source: string, now: number): NamedMatch[] {
    const preview = new Preview(sqlite, source, now);
    return [...this.#subjects.values()].flatMap((subject) => preview.match(subject) ?? []);
  }
}

/** What is known of kinds that are not weighed. */
const plainly: Partial<Record<FeedKind, string>> = {
  city: 'a city of this name in this country',
  genre: 'a genre of this name',
  podcast: 'a podcast of this name',
  edition: 'this edition of this festival',
  episode: 'an episode of this name in this podcast',
};

class Preview {
  readonly #bench: Workbench;
  readonly #names: RecordNames;
  readonly #source: { id: number; name: string } | undefined;

  constructor(sqlite: Database.Database, source: string, now: number) {
    this.#bench = new Workbench(sqlite, { now, created: () => {} });
    this.#names = new RecordNames(sqlite);
    this.#source = this.#bench.sources.named(source);
  }

  match({ kind, externalId }: Subject): NamedMatch | null {
    if (this.#source === undefined) return null;
    const bound = this.#bench.sources.find({ source: this.#source.id, kind, externalId });
    const record = bound && this.#names.of(kind, bound.record_id);
    if (!record) return null;
    const { slug, name } = record;
    const judged = this.#judged(kind, record.id, externalId);
    const why = judged === null ? (plainly[kind] ?? 'known by this name until now') : inShort(judged);
    const { score = null, reasons = [] } = judged ?? {};
    return { kind, external_id: externalId, slug, name, why, score, reasons };
  }

  /** What speaks most for it among what others say of the record; null where nobody else says anything. */
  #judged(kind: FeedKind, record: number, externalId: string): Judgement | null {
    const { events, named } = this.#bench.matching;
    const isOwn = (one: { source: string; externalId: string }) =>
      one.source === this.#source?.name && one.externalId === externalId;
    if (kind === 'event') {
      return likeliest(events.saidOf(record), isOwn, (a, b) => events.judge(a, b));
    }
    if (!isNamed(kind)) return null;
    return likeliest(named.nodesOf(kind, record), isOwn, (a, b) => named.judge(kind, a, b));
  }
}

const isNamed = (kind: FeedKind): kind is NamedKind => (namedKinds as readonly FeedKind[]).includes(kind);

function likeliest<N>(
  nodes: readonly N[],
  isOwn: (node: N) => boolean,
  judge: (a: N, b: N) => Judgement,
): Judgement | null {
  const own = nodes.find(isOwn);
  if (own === undefined) return null;
  const judged = nodes.filter((node) => node !== own).map((node) => judge(own, node));
  return judged.toSorted((one, other) => other.score - one.score)[0] ?? null;
}

const mostReasons = 3;

function inShort({ rule, score, reasons }: Judgement): string {
  const telling = reasons
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
    .slice(0, mostReasons)
    .map(({ text }) => text);
  return [`${rule} ${score}`, ...telling].join('; ');
}
