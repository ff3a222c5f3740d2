/** What operators see of matching, and put right (feed.md, promise 4). */
import type Database from 'better-sqlite3';
import type { FeedKind, Statement } from '../../contract/feed.ts';
import { Failure } from '../../failure.ts';
import type { DoubtRow } from '../../store/matching.ts';
import { type RecordName, RecordNames } from '../../store/record-names.ts';
import { publicId } from '../../store/show.ts';
import { Batches } from '../batches.ts';
import { drain } from '../drain.ts';
import { inTurn } from '../turn.ts';
import { Workbench } from '../workbench.ts';
import type { Anchor, Verdict } from './cluster.ts';
import { pairKey } from './decisions.ts';
import { findRecord } from './find-record.ts';
import type { Judgement, Reason } from './listing.ts';
import { type NamedKind, namedKinds } from './named-matcher.ts';

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
export type ShownPair = Judgement & {
  a: { source: string; external_id: string };
  b: { source: string; external_id: string };
  decision: Verdict | null;
};
export type Explanation = ShownRecord & {
  statements: { source: string; external_id: string; name: string | null; url: string | null }[];
  links: ShownPair[];
  near: (ShownPair & { record: ShownRecord })[];
};
export type Corrected = { record: ShownRecord; revision: number; decisions: number };

/** Kinds that are made of other records' parts and go where those go. */
const dependent: readonly FeedKind[] = ['edition', 'episode'];
const mostNear = 20;

export class Corrections {
  readonly #sqlite: Database.Database;
  readonly #bench: Workbench;
  readonly #names: RecordNames;
  readonly #now: number;

  constructor(sqlite: Database.Database, now: number) {
    this.#sqlite = sqlite;
    this.#now = now;
    this.#bench = new Workbench(sqlite, { now, created: () => {} });
    this.#names = new RecordNames(sqlite);
  }

  // ------------------------------------------------------------------------------------------------- looking

  /** Pairs that may be one and were kept apart, likeliest first. */
  duplicates(kind: FeedKind | null): Duplicate[] {
    return this.#bench.matching.store.doubts(kind).flatMap((row) => {
      const [a, b] = [this.#side(row, 'a'), this.#side(row, 'b')];
      if (a === null || b === null || a.record.id === b.record.id) return [];
      return [{ kind: row.kind, score: row.score, rule: row.rule, reasons: JSON.parse(row.reasons), a, b }];
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
    const said = this.#bench.sources
      .said(record.id)
      .map((row) => ({ ...row, read: JSON.parse(row.statement) }));
    const statements = said.map(({ source_name, external_id, read }) => ({
      source: source_name,
      external_id,
      name: (read.name ?? null) as string | null,
      url: (read.url ?? read.website ?? null) as string | null,
    }));
    return {
      ...shown(record),
      statements,
      links: this.#links(kind, record.id),
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

  #near(kind: FeedKind, id: number): Explanation['near'] {
    const { events, named } = this.#bench.matching;
    const pairs = kind === 'event' ? events.nearTo(id) : isNamed(kind) ? named.nearTo(kind, id) : [];
    return pairs
      .flatMap(({ a, b, judgement }) => {
        const record = b.record === null ? null : this.#names.of(kind, b.record);
        return record === null ? [] : [{ record: shown(record), ...this.#pair(kind, a, b, judgement) }];
      })
      .slice(0, mostNear);
  }

  // ------------------------------------------------------------------------------------------------- putting right

  /** Makes one record of two: B goes into A, whatever matching says of them, now and at every later sync. */
  async merge(textA: string, textB: string, { force = false } = {}): Promise<Corrected> {
    return await this.#change('a merge', () => {
      const [a, b] = this.#two(textA, textB);
      const kind = a.kind as FeedKind;
      if (a.id === b.id) throw new Failure(`Both name one record already: ${kind}/${a.slug}.`);
      const [anchorsA, anchorsB] = [this.#anchors(a), this.#anchors(b)];
      this.#contradictions(kind, anchorsA, anchorsB, 'different', force);
      const [first] = anchorsA as [Anchor];
      for (const one of anchorsB) this.#decide(kind, first, one, 'same');
      this.#absorb(kind, b.id, a.id);
      return { record: a, decisions: anchorsB.length };
    });
  }

  #absorb(kind: FeedKind, from: number, into: number): void {
    const { matching } = this.#bench;
    if (kind === 'event') {
      const said = matching.events.saidOf(from);
      for (const one of said) matching.events.unfile(from, speaking(one), one.externalId, one.statement);
      matching.merging.merge(kind, from, into);
      for (const one of said) matching.events.file(into, speaking(one), one.externalId, one.statement);
    } else {
      const said = this.#bench.sources.said(from);
      matching.merging.merge(kind, from, into);
      for (const row of said) this.#fileNamed(kind, into, row.statement);
    }
    this.#workOut(kind, into);
  }

  #fileNamed(kind: FeedKind, record: number, statement: string): void {
    if (isNamed(kind))
      this.#bench.matching.named.file(kind, record, JSON.parse(statement) as Statement<NamedKind>);
  }

  /** Works a record out; of one that is known by name alone, its names. */
  #workOut(kind: FeedKind, id: number): void {
    const { sources, context, writer, names } = this.#bench;
    if (sources.said(id).length > 0) {
      this.#resettle(kind, id);
      return;
    }
    const row = writer.row(kind, id);
    const given = context.lookup.givenNames(id).filter((name) => name !== row?.name);
    if (!row || given.length === 0 || !('aliases' in row)) return;
    writer.save(kind, id, { aliases: JSON.stringify(given) }, () => [], this.#now);
    names.write(kind, id, row.name as string, given, { prominence: names.prominence(kind, id) });
  }

  /** Puts a record's surroundings in order under the new decisions. */
  #resettle(kind: FeedKind, id: number): void {
    const { matching } = this.#bench;
    const settled =
      kind === 'event'
        ? matching.events.resettle(id)
        : isNamed(kind)
          ? matching.named.resettle(kind, id)
          : { record: id, changed: [] };
    for (const one of new Set([
      id,
      ...settled.changed,
      ...(settled.record === null ? [] : [settled.record]),
    ])) {
      if (this.#bench.sources.said(one).length > 0) this.#bench.rebuild(kind, one);
    }
  }

  /** Two records stay two, whatever matching says of them. */
  async neverMerge(textA: string, textB: string, { force = false } = {}): Promise<Corrected> {
    return await this.#change('a correction', () => {
      const [a, b] = this.#two(textA, textB);
      const kind = a.kind as FeedKind;
      if (a.id === b.id) {
        throw new Failure(
          `Both name one record, ${kind}/${a.slug}. \`cratebase split ${publicId(kind, a.id)}\` parts it.`,
        );
      }
      const [anchorsA, anchorsB] = [this.#anchors(a), this.#anchors(b)];
      this.#contradictions(kind, anchorsA, anchorsB, 'same', force);
      for (const one of anchorsA) for (const two of anchorsB) this.#decide(kind, one, two, 'different');
      for (const { id } of [a, b]) if (this.#bench.sources.said(id).length > 0) this.#resettle(kind, id);
      return { record: a, decisions: anchorsA.length * anchorsB.length };
    });
  }

  /**
   * Parts a record: the statements named ("source:external id") become one of their own; without any, each statement does.
   */
  async split(text: string, statements: readonly string[]): Promise<Corrected & { parts: ShownRecord[] }> {
    const parts: ShownRecord[] = [];
    const done = await this.#change('a split', () => {
      const record = findRecord(this.#names, text);
      const kind = record.kind as FeedKind;
      if (dependent.includes(kind)) throw notAlone(kind);
      const said = this.#bench.sources.said(record.id).map((row) => ({
        source: row.source_name,
        externalId: row.external_id,
        sourceId: row.source_id,
        statement: row.statement,
      }));
      const groups = groupsOf(said, statements, `${kind}/${record.slug}`);
      let decisions = 0;
      for (const [at, one] of groups.entries()) {
        for (const other of groups.slice(at + 1)) {
          for (const a of one) for (const b of other) this.#decide(kind, a, b, 'different');
          decisions += one.length * other.length;
        }
      }
      const made = groups.slice(1).map((group) => this.#part(kind, record.id, group));
      // In the order they were parted in: none may find another before it is whole.
      for (const id of [record.id, ...made]) this.#bench.rebuild(kind, id);
      for (const id of this.#bench.matching.merging.dependents(kind, record.id))
        this.#bench.writer.markStale(id);
      this.#bench.context.resolver.forget();
      this.#bench.writer.beginLine();
      for (const id of [record.id, ...made]) this.#resettle(kind, id);
      for (const id of made) {
        const named = this.#names.of(kind, id);
        if (named) parts.push(shown(named));
      }
      return { record, decisions };
    });
    return { ...done, parts };
  }

  /** Moves statements of a record to a new one. */
  #part(kind: FeedKind, from: number, group: Said[]): number {
    const { writer, sources, matching } = this.#bench;
    writer.beginLine();
    const id = writer.newRecord(kind);
    for (const { source, sourceId, externalId, statement } of group) {
      sources.move({ source: sourceId, kind, externalId }, id);
      const clock = sources.named(source)?.clock ?? 'instant';
      const speaker = { id: sourceId, name: source, clock };
      if (kind === 'event') {
        const read = JSON.parse(statement) as Statement<'event'>;
        matching.events.unfile(from, speaker, externalId, read);
        matching.events.file(id, speaker, externalId, read);
      } else this.#fileNamed(kind, id, statement);
    }
    return id;
  }

  // ------------------------------------------------------------------------------------------------- decisions

  #two(textA: string, textB: string): [RecordName, RecordName] {
    const [a, b] = [findRecord(this.#names, textA), findRecord(this.#names, textB)];
    if (a.kind !== b.kind)
      throw new Failure(`${a.kind}/${a.slug} and ${b.kind}/${b.slug} are of different kinds.`);
    if (dependent.includes(a.kind as FeedKind)) throw notAlone(a.kind as FeedKind);
    return [a, b];
  }

  /** What sources call a record; of one known by name alone its slug, which is its own for ever. */
  #anchors({ id, slug }: RecordName): Anchor[] {
    const bound = this.#bench.sources
      .anchors(id)
      .map(({ source_name, external_id }) => ({ source: source_name, externalId: external_id }));
    return bound.length > 0 ? bound : [{ source: '', externalId: slug }];
  }

  /** A new decision against an old one is a slip, unless it is said that it is meant. */
  #contradictions(kind: FeedKind, a: Anchor[], b: Anchor[], verdict: Verdict, force: boolean): void {
    const { decisions, store } = this.#bench.matching;
    for (const one of a) {
      for (const two of b) {
        if (decisions.between(kind, one, two) !== verdict) continue;
        const was = verdict === 'same' ? 'to be one (merge)' : 'to stay two (never-merge or split)';
        if (!force)
          throw new Failure(
            `It was decided before that these are ${was}. Repeat the command with --force to decide anew.`,
          );
        store.undecide(pairKey(kind, one, two));
      }
    }
  }

  #decide(kind: FeedKind, a: Anchor, b: Anchor, verdict: Verdict): void {
    this.#bench.matching.store.decide({ ...pairKey(kind, a, b), verdict, decided_ts: this.#now });
  }

  /** Runs a change in one transaction, then works out what follows from it in short ones. */
  async #change(what: string, work: () => { record: RecordName; decisions: number }): Promise<Corrected> {
    return await inTurn(this.#sqlite, { what, wait: true }, async () => {
      const batches = new Batches(this.#sqlite, this.#bench, false);
      try {
        batches.begin();
        this.#bench.writer.beginLine();
        const { record, decisions } = work();
        await batches.commit();
        await drain(this.#bench, batches);
        const now = this.#names.of(record.kind, record.id) ?? record;
        return { record: shown(now), revision: this.#names.revision(), decisions };
      } finally {
        this.#bench.rollback();
      }
    });
  }
}

type Said = Anchor & { sourceId: number; statement: string };

/** The parts of a split: first what stays. */
function groupsOf(said: Said[], named: readonly string[], record: string): Said[][] {
  if (said.length < 2)
    throw new Failure(
      `${record} has ${said.length === 0 ? 'no statement' : 'one statement only'}: there is nothing to part.`,
    );
  if (named.length === 0) return said.map((one) => [one]);
  const texts = new Set(named);
  const leaving = said.filter((one) => texts.has(`${one.source}:${one.externalId}`));
  if (leaving.length < texts.size) {
    const known = said.map((one) => `${one.source}:${one.externalId}`);
    const missing = named.find((text) => !known.includes(text));
    throw new Failure(`${record} has no statement ${JSON.stringify(missing)}; it has ${known.join(', ')}.`);
  }
  const staying = said.filter((one) => !leaving.includes(one));
  if (staying.length === 0)
    throw new Failure(`That is all of ${record}: at least one statement has to stay.`);
  return [staying, leaving];
}

const notAlone = (kind: FeedKind): Failure =>
  new Failure(
    kind === 'edition'
      ? 'An edition is its festival and its key: merge or split the festivals.'
      : 'An episode is its podcast and its name: merge or split the podcasts.',
  );
const isNamed = (kind: FeedKind): kind is NamedKind => (namedKinds as readonly FeedKind[]).includes(kind);
const shown = ({ kind, id, slug, name }: RecordName): ShownRecord => ({
  id: publicId(kind, id),
  kind: kind as FeedKind,
  slug,
  name,
});
const speaking = ({
  sourceId,
  source,
  clock,
}: {
  sourceId: number;
  source: string;
  clock: 'instant' | 'local';
}) => ({ id: sourceId, name: source, clock });
