/** What operators see of matching: what a record is made of and why, what nearly was the same, what is in doubt. */
import type { FeedKind } from '../../contract/feed.ts';
import type { DoubtRow } from '../../store/matching.ts';
import type { RecordName, RecordNames } from '../../store/record-names.ts';
import { publicId } from '../../store/show.ts';
import type { Workbench } from '../workbench.ts';
import type { Anchor, Verdict } from './cluster.ts';
import { findRecord } from './find-record.ts';
import { doubtfulFrom, type Judgement, type Reason } from './listing.ts';
import { type NamedKind, namedKinds } from './named-judge.ts';

export type ShownRecord = { id: string; kind: FeedKind; slug: string; name: string };
export type ShownSide = { source: string; external_id: string; record: ShownRecord };
export type Duplicate = {
  kind: FeedKind;
  score: number;
  rule: string;
  reasons: Reason[];
  a: ShownSide;
  b: ShownSide;
};
/** What a source says of a record beside which more were found that may be the same than are compared or listed. */
export type LeftOut = ShownSide & { kind: FeedKind; count: number };
export type ShownPair = Judgement & {
  a: { source: string; external_id: string };
  b: { source: string; external_id: string };
  decision: Verdict | null;
};
/** What a source says of a record; `withdrawn` where it does not list it any more. */
export type ShownStatement = {
  source: string;
  external_id: string;
  name: string | null;
  /** Where and when, as the source has it: what two listings differ in. */
  start_at: string | null;
  place: string | null;
  url: string | null;
  withdrawn: boolean;
};
export type Explanation = ShownRecord & {
  statements: ShownStatement[];
  /** Names by which it is known besides: of records that went into it, and that no source speaks of. */
  given_names: { name: string; slug: string | null }[];
  /** Each two of its statements, likeliest first. */
  links: ShownPair[];
  /** Other records that were nearly the same, each by its likeliest pair; and those an operator keeps apart. */
  near: (ShownPair & { record: ShownRecord })[];
};

/** Below this nothing was near, unless an operator said so. */
const nearFrom = doubtfulFrom / 2;

export class Explaining {
  readonly #bench: Workbench;
  readonly #names: RecordNames;

  constructor(bench: Workbench, names: RecordNames) {
    this.#bench = bench;
    this.#names = names;
  }

  /** Pairs that may be one and were kept apart, likeliest first. */
  duplicates(kind: FeedKind | null): Duplicate[] {
    return this.#bench.matching.store.doubts(kind).flatMap((row) => {
      const [a, b] = [this.#side(row, 'a'), this.#side(row, 'b')];
      if (a === null || b === null || a.record.id === b.record.id) return [];
      return [{ kind: row.kind, score: row.score, rule: row.rule, reasons: JSON.parse(row.reasons), a, b }];
    });
  }

  /** Records beside which more were found that may be the same than are compared or listed; those with the most first. */
  leftOut(kind: FeedKind | null): LeftOut[] {
    return this.#bench.matching.store.leftOut(kind).flatMap(({ kind, source, external, count }) => {
      const record = this.#recordOf(kind, { source, externalId: external });
      return record === null ? [] : [{ kind, count, source, external_id: external, record: shown(record) }];
    });
  }

  #side(row: DoubtRow, side: 'a' | 'b'): ShownSide | null {
    const [source, externalId] = [row[`${side}_source`], row[`${side}_external`]];
    const record = this.#recordOf(row.kind, { source, externalId });
    return record === null ? null : { source, external_id: externalId, record: shown(record) };
  }

  #recordOf(kind: FeedKind, { source, externalId }: Anchor): RecordName | null {
    if (source === '') return this.#names.bySlug(kind, externalId);
    const id = this.#bench.sources.named(source)?.id;
    const bound = id === undefined ? undefined : this.#bench.sources.find({ source: id, kind, externalId });
    return bound ? this.#names.of(kind, bound.record_id) : null;
  }

  /** What a record consists of and why, and what nearly was the same. */
  explain(text: string): Explanation {
    const record = findRecord(this.#names, text);
    const kind = record.kind as FeedKind;
    const given = this.#bench.context.lookup.given(record.id);
    return {
      ...shown(record),
      statements: this.#bench.sources.said(record.id).map(statementOf),
      given_names: given.map(({ name, slug }) => ({ name, slug: slug || null })),
      links: this.#links(kind, record.id).toSorted((one, two) => two.score - one.score),
      near: this.#near(kind, record.id),
    };
  }

  #links(kind: FeedKind, id: number): ShownPair[] {
    const { events, named } = this.#bench.matching;
    if (kind === 'event') return this.#pairs(kind, events.saidOf(id), (a, b) => events.judge(a, b));
    if (!isNamed(kind)) return [];
    return this.#pairs(kind, named.nodesOf(kind, id), (a, b) => named.judge(kind, a, b));
  }

  #pairs<N extends Anchor>(kind: FeedKind, nodes: N[], judge: (a: N, b: N) => Judgement): ShownPair[] {
    return nodes.flatMap((a, at) => nodes.slice(at + 1).map((b) => this.#pair(kind, a, b, judge(a, b))));
  }

  #pair(kind: FeedKind, a: Anchor, b: Anchor, judgement: Judgement): ShownPair {
    return {
      a: { source: a.source, external_id: a.externalId },
      b: { source: b.source, external_id: b.externalId },
      ...judgement,
      decision: this.#bench.matching.decisions.between(kind, a, b) ?? null,
    };
  }

  /** Every other record once: by the pair that was decided, else by the likeliest. */
  #near(kind: FeedKind, id: number): Explanation['near'] {
    const { events, named } = this.#bench.matching;
    const pairs = kind === 'event' ? events.nearTo(id) : isNamed(kind) ? named.nearTo(kind, id) : [];
    const near = new Map<number, Explanation['near'][number]>();
    for (const { a, b, judgement } of pairs) {
      const record = b.record === null || b.record === id ? null : this.#names.of(kind, b.record);
      if (record === null) continue;
      const pair = { record: shown(record), ...this.#pair(kind, a, b, judgement) };
      const known = near.get(record.id);
      if (known === undefined ? isNear(pair) : known.decision === null && pair.decision !== null)
        near.set(record.id, pair);
    }
    return [...near.values()];
  }
}

const isNear = ({ score, decision }: ShownPair): boolean => decision !== null || score >= nearFrom;

type Said = { source_name: string; external_id: string; withdrawn_ts: number | null; statement: string };

function statementOf({ source_name, external_id, withdrawn_ts, statement }: Said): ShownStatement {
  const read = JSON.parse(statement);
  const place = [read.venue?.name, read.city ?? read.venue?.city, read.country ?? read.venue?.country];
  return {
    source: source_name,
    external_id,
    name: read.name ?? null,
    start_at: read.start_at ?? null,
    place: place.filter(Boolean).join(', ') || null,
    url: read.url ?? read.website ?? null,
    withdrawn: withdrawn_ts !== null,
  };
}

export const isNamed = (kind: FeedKind): kind is NamedKind =>
  (namedKinds as readonly FeedKind[]).includes(kind);

export const shown = ({ kind, id, slug, name }: RecordName): ShownRecord => ({
  id: publicId(kind, id),
  kind: kind as FeedKind,
  slug,
  name,
});
