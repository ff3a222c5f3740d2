/** What operators put right of matching (feed.md, promise 4). */
import type Database from 'better-sqlite3';
import type { FeedKind, Statement } from '../../contract/feed.ts';
import { Failure } from '../../failure.ts';
import { type RecordName, RecordNames } from '../../store/record-names.ts';
import { publicId } from '../../store/show.ts';
import { Batches } from '../batches.ts';
import { drain } from '../drain.ts';
import { inOrderOfTrust } from '../merge.ts';
import type { Named } from '../resolver.ts';
import { slugOf } from '../slug.ts';
import { inTurn } from '../turn.ts';
import { Workbench } from '../workbench.ts';
import { CityHouses } from './city-houses.ts';
import type { Anchor, Verdict } from './cluster.ts';
import { type Contradiction, contradictionsOf } from './contradicting.ts';
import { mergeKey, pairKey, turned } from './decisions.ts';
import {
  type Duplicate,
  Explaining,
  type Explanation,
  isNamed,
  type ShownRecord,
  shown,
} from './explaining.ts';
import { findRecord } from './find-record.ts';
import type { NamedKind } from './named-matcher.ts';
import {
  groupsOf,
  isName,
  isSaid,
  type NamePart,
  type Part,
  partsOf,
  type SaidPart,
  textOf,
} from './parting.ts';

export type Corrected = { record: ShownRecord; revision: number; decisions: number };
/** Why a record is shown under a name: of its statements the most trusted, the newest, or nobody says another. */
export type NameOwner = { source: string; external_id: string; because: 'trust' | 'newest' | 'only' };
export type Merged = Corrected & {
  /** What went into the record; its id and slug lead there from now on. */
  merged: ShownRecord;
  /** How many statements came with it, and how many records of each kind named it. */
  moved: { statements: number; records: Partial<Record<FeedKind, number>> };
  /** Whose statement gives the name; null where no source speaks of the record. */
  name_from: NameOwner | null;
  /** What the two did not agree on: place, date. */
  contradicts: Contradiction[];
  /** What parts the two again: arguments of `split`. */
  undo: string[];
};
export type Parted = Corrected & { parts: ShownRecord[] };

/** Kinds that are made of other records' parts and go where those go. */
const dependent: readonly FeedKind[] = ['edition', 'episode'];
/** What a record known by name alone does not have. */
const ownRows = { artist: 'artist_genres', label: 'label_artists', festival: 'festival_genres' } as const;

export class Corrections {
  readonly #sqlite: Database.Database;
  readonly #bench: Workbench;
  readonly #names: RecordNames;
  readonly #explaining: Explaining;
  readonly #houses: CityHouses;
  readonly #now: number;

  constructor(sqlite: Database.Database, now: number) {
    this.#sqlite = sqlite;
    this.#now = now;
    this.#bench = new Workbench(sqlite, { now, created: () => {} });
    this.#names = new RecordNames(sqlite);
    this.#explaining = new Explaining(this.#bench, this.#names);
    this.#houses = new CityHouses(this.#bench);
  }

  /** Pairs that may be one and were kept apart, likeliest first. */
  duplicates(kind: FeedKind | null): Duplicate[] {
    return this.#explaining.duplicates(kind);
  }

  /** What a record consists of and why, and what nearly was the same. */
  explain(text: string): Explanation {
    return this.#explaining.explain(text);
  }

  // ------------------------------------------------------------------------------------------------- merging

  /** Makes one record of two: B goes into A, whatever matching says of them, now and at every later sync. */
  async merge(textA: string, textB: string, { force = false } = {}): Promise<Merged> {
    let told: Pick<Merged, 'merged' | 'moved' | 'undo' | 'contradicts'> | undefined;
    const done = await this.#change('a merge', () => {
      const [a, b] = this.#two(textA, textB);
      const kind = a.kind as FeedKind;
      if (a.id === b.id) throw alreadyOne(a);
      const [anchorsA, anchorsB] = [this.#anchors(a), this.#anchors(b)];
      this.#contradictions(kind, anchorsA, anchorsB, 'different', force);
      const [first] = anchorsA as [Anchor];
      for (const one of anchorsB) this.#decide(kind, first, one, 'same');
      const rows = [a, b].map(({ id }) => this.#bench.writer.row(kind, id));
      told = {
        merged: shown(b),
        moved: this.#movedWith(b),
        undo: this.#undo(a, b),
        contradicts: contradictionsOf(
          kind,
          rows[0],
          rows[1],
          (of, id) => this.#names.of(of, id)?.name ?? null,
        ),
      };
      this.#absorb(kind, b.id, a.id);
      return { record: a, decisions: anchorsB.length };
    });
    const id = findRecord(this.#names, done.record.id).id;
    return { ...done, ...(told as NonNullable<typeof told>), name_from: this.#nameOwner(id, done.record) };
  }

  #movedWith({ kind, id }: RecordName): Merged['moved'] {
    const records: Partial<Record<FeedKind, number>> = {};
    for (const one of this.#bench.matching.merging.dependents(kind as FeedKind, id)) {
      const of = this.#bench.context.lookup.kindOf(one) as FeedKind;
      records[of] = (records[of] ?? 0) + 1;
    }
    return { statements: this.#bench.sources.said(id).length, records };
  }

  #undo(a: RecordName, b: RecordName): string[] {
    const parts = this.#parts(b).map(textOf);
    return [`${a.kind}/${a.slug}`, ...(parts.length > 0 ? ['--statement', ...parts] : [])];
  }

  #parts({ id, slug }: RecordName): Part[] {
    return partsOf(slug, this.#bench.sources.said(id), this.#bench.context.lookup.given(id));
  }

  #nameOwner(id: number, { name }: ShownRecord): NameOwner | null {
    const said = inOrderOfTrust(
      this.#bench.sources.said(id).map((row) => ({
        sourceId: row.source_id,
        sourceName: row.source_name,
        trust: row.trust,
        clock: 'instant' as const,
        externalId: row.external_id,
        statedTs: row.stated_ts,
        withdrawnTs: row.withdrawn_ts,
        statement: JSON.parse(row.statement),
      })),
    );
    const owner = said.find(({ statement }) => statement.name === name);
    if (owner === undefined) return null;
    const other = said.find(({ statement }) => statement.name !== name);
    const because = other === undefined ? 'only' : other.trust < owner.trust ? 'trust' : 'newest';
    return { source: owner.sourceName, external_id: owner.externalId, because };
  }

  #absorb(kind: FeedKind, from: number, into: number): void {
    const { matching, sources, writer, context } = this.#bench;
    if (kind === 'event') {
      const said = matching.events.saidOf(from);
      for (const one of said) matching.events.unfile(from, speaking(one), one.externalId, one.statement);
      matching.merging.merge(kind, from, into, { byOperator: true });
      for (const one of said) matching.events.file(into, speaking(one), one.externalId, one.statement);
    } else {
      const said = sources.said(from);
      const row = writer.row(kind, from);
      if (kind === 'city') this.#houses.remember(from);
      matching.merging.merge(kind, from, into, { byOperator: true });
      for (const { statement } of said) this.#fileNamed(kind, into, statement);
      const names = [row?.name as string, ...context.lookup.givenNames(into)];
      if (kind === 'venue') matching.named.fileHouse(into, names, row?.city as string | null);
      if (kind === 'city') this.#houses.file(into);
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
    if (!row || !('aliases' in row)) return;
    const given = context.lookup.givenNames(id).filter((name) => name !== row.name);
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

  // ------------------------------------------------------------------------------------------------- keeping apart

  /** Two records stay two, whatever matching says of them. */
  async neverMerge(textA: string, textB: string, { force = false } = {}): Promise<Corrected> {
    return await this.#change('a correction', () => {
      const [a, b] = this.#two(textA, textB);
      const kind = a.kind as FeedKind;
      if (a.id === b.id) throw alreadyOne(a);
      const [anchorsA, anchorsB] = [this.#anchors(a), this.#anchors(b)];
      this.#contradictions(kind, anchorsA, anchorsB, 'same', force);
      for (const one of anchorsA) for (const two of anchorsB) this.#decide(kind, one, two, 'different');
      for (const { id } of [a, b]) if (this.#bench.sources.said(id).length > 0) this.#resettle(kind, id);
      return { record: a, decisions: anchorsA.length * anchorsB.length };
    });
  }

  /**
   * Parts a record: the parts named ("source:external id", or the slug of what is known by name alone) become one of their
   * own; without any, each does. What was a record of its own before has its slug back.
   */
  async split(text: string, named: readonly string[]): Promise<Parted> {
    const parts: ShownRecord[] = [];
    const done = await this.#change('a split', () => {
      const record = findRecord(this.#names, text);
      const kind = record.kind as FeedKind;
      if (dependent.includes(kind)) throw notAlone(kind);
      const anchors = this.#anchors(record);
      const all = this.#parts(record);
      const { decisions: decided } = this.#bench.matching;
      const guests = new Set(all.filter((part) => decided.isMergedInto(kind, part, anchors)));
      const groups = groupsOf(all, named, {
        slug: record.slug,
        record: `${kind}/${record.slug}`,
        isGuest: (part) => guests.has(part),
      });
      const decisions = this.#decideGroups(kind, groups);
      const made = this.#part(kind, record, groups, guests);
      for (const id of made) {
        const found = this.#names.of(kind, id);
        if (found) parts.push(shown(found));
      }
      return { record, decisions };
    });
    return { ...done, parts };
  }

  #decideGroups(kind: FeedKind, groups: Part[][]): number {
    let decisions = 0;
    for (const [at, one] of groups.entries()) {
      for (const other of groups.slice(at + 1)) {
        for (const a of one) for (const b of other) this.#decide(kind, a, b, 'different');
        decisions += one.length * other.length;
      }
    }
    return decisions;
  }

  /** Makes records of all groups but the first. */
  #part(kind: FeedKind, record: RecordName, groups: Part[][], guests: ReadonlySet<Part>): number[] {
    const { matching, context, writer } = this.#bench;
    const { id } = record;
    const former = matching.merging.formerSlugs(kind, id);
    const leaving = groups.slice(1);
    const slugs = new Map(leaving.map((group) => [group, takeFormer(kind, group.filter(isSaid), former)]));
    const [renamed, ...more] = leaving.filter((group) => guests.has(group[0] as Part) && !slugs.get(group));
    // Its source calls it otherwise since it was merged: the one slug that is left is its own.
    if (renamed && more.length === 0 && former.length === 1) slugs.set(renamed, former[0] as string);
    const hasNames = groups.flat().some(isName);
    if (hasNames) this.#undecideNamed(kind, record);
    const made = leaving.map((group) =>
      group.some(isSaid)
        ? this.#partSaid(kind, id, group, slugs.get(group) ?? null)
        : this.#partNames(kind, id, group),
    );
    if (hasNames) matching.merging.unbindNamed(id);
    this.#remain(kind, id, groups[0] as Part[]);
    // In the order they were parted in: none may find another before it is whole.
    for (const one of made) {
      this.#bench.rebuild(kind, one);
      this.#leadBack(kind, id, one);
      if (kind === 'city') this.#houses.giveBack(id, one);
    }
    for (const one of matching.merging.dependents(kind, id)) writer.markStale(one);
    context.resolver.forget();
    writer.beginLine();
    for (const one of [id, ...made]) if (this.#bench.sources.said(one).length > 0) this.#resettle(kind, one);
    return made;
  }

  /** The id that a record had before it was merged leads to it again: ids are never used twice. */
  #leadBack(kind: FeedKind, from: number, id: number): void {
    const { matching, writer } = this.#bench;
    const slug = writer.row(kind, id)?.slug as string | undefined;
    const former = slug === undefined ? null : matching.merging.formerId(from, slug);
    if (former !== null && former !== id) writer.noteMerged(kind, former, id, slug);
  }

  /** What stays is worked out again: from what is said of it, else it is known by its name alone, as it was. */
  #remain(kind: FeedKind, id: number, staying: readonly Part[]): void {
    const { matching, context, writer, sources } = this.#bench;
    const own = staying.find(isName);
    if (sources.said(id).length > 0) this.#bench.rebuild(kind, id);
    else if (own !== undefined && !staying.some((part) => !isName(part))) {
      matching.merging.dropName(id, own.name);
      if (kind in ownRows) writer.saveChildren(ownRows[kind as keyof typeof ownRows], id, []);
      context.resolver.bare(kind as Named, id, own.name);
      this.#workOut(kind, id);
    } else this.#workOut(kind, id);
  }

  /** Moves statements of a record to a new one. */
  #partSaid(kind: FeedKind, from: number, group: readonly Part[], slug: string | null): number {
    const { writer, sources, matching } = this.#bench;
    const said = group.filter(isSaid);
    writer.wishSlug(slug, true);
    const id = writer.newRecord(kind);
    for (const { source, sourceId, externalId, statement } of said) {
      sources.move({ source: sourceId, kind, externalId }, id);
      const clock = sources.named(source)?.clock ?? 'instant';
      const speaker = { id: sourceId, name: source, clock };
      if (kind === 'event') {
        const read = JSON.parse(statement) as Statement<'event'>;
        matching.events.unfile(from, speaker, externalId, read);
        matching.events.file(id, speaker, externalId, read);
      } else this.#fileNamed(kind, id, statement);
    }
    this.#giveNames(from, id, group.filter(isName));
    return id;
  }

  /** Makes a record again of what was known by name alone. */
  #partNames(kind: FeedKind, from: number, group: readonly Part[]): number {
    const { matching, context } = this.#bench;
    const [first, ...others] = group.filter(isName) as [NamePart, ...NamePart[]];
    matching.merging.dropName(from, first.name);
    const id = context.resolver.again(kind as Named, first.name);
    this.#giveNames(from, id, others);
    this.#workOut(kind, id);
    return id;
  }

  #giveNames(from: number, to: number, parts: readonly NamePart[]): void {
    for (const { name } of parts) {
      this.#bench.matching.merging.dropName(from, name);
      this.#bench.matching.merging.giveName(to, name);
    }
  }

  /** What sources only named will find its record by name again: that it was one with others does not hold any more. */
  #undecideNamed(kind: FeedKind, record: RecordName): void {
    const { sources, matching } = this.#bench;
    const anchors = this.#anchors(record);
    const said = new Set(sources.said(record.id).map((row) => `${row.source_name}:${row.external_id}`));
    for (const [at, one] of anchors.entries()) {
      for (const other of anchors.slice(at + 1)) {
        if (said.has(textOf(one)) && said.has(textOf(other))) continue;
        if (matching.decisions.between(kind, one, other) === 'same')
          this.#decide(kind, one, other, 'different');
      }
    }
  }

  // ------------------------------------------------------------------------------------------------- decisions

  #two(textA: string, textB: string): [RecordName, RecordName] {
    const [a, b] = [findRecord(this.#names, textA), findRecord(this.#names, textB)];
    if (a.kind !== b.kind)
      throw new Failure(
        `${a.kind}/${a.slug} and ${b.kind}/${b.slug} are of different kinds. Name two records of one kind, as in ${a.kind}/SLUG ${a.kind}/SLUG.`,
      );
    if (dependent.includes(a.kind as FeedKind)) throw notAlone(a.kind as FeedKind);
    return [a, b];
  }

  /** What sources call a record; of one known by name alone its slug, which is its own for ever. */
  #anchors({ id, slug }: RecordName): Anchor[] {
    const bound = this.#bench.sources
      .anchors(id)
      .map(({ source_name, external_id }) => ({ source: source_name, externalId: external_id }));
    const given = this.#bench.context.lookup.given(id).filter((name) => name.slug !== '');
    const names = given.map((name) => ({ source: '', externalId: name.slug }));
    return [...(bound.length > 0 ? bound : [{ source: '', externalId: slug }]), ...names];
  }

  /** A new decision against an old one is a slip, unless it is said that it is meant. */
  #contradictions(kind: FeedKind, a: Anchor[], b: Anchor[], verdict: Verdict, force: boolean): void {
    const { decisions } = this.#bench.matching;
    for (const one of a) {
      for (const two of b) {
        if (decisions.between(kind, one, two) !== verdict) continue;
        const was = verdict === 'same' ? 'to be one (merge)' : 'to stay two (never-merge or split)';
        if (!force)
          throw new Failure(
            `It was decided before that these are ${was}. Repeat the command with --force to decide anew.`,
          );
        this.#undecide(kind, one, two);
      }
    }
  }

  /** Of a merge, which of the two stays is remembered: a split gives each its own again. */
  #decide(kind: FeedKind, a: Anchor, b: Anchor, verdict: Verdict): void {
    this.#undecide(kind, a, b);
    const key = verdict === 'same' ? mergeKey(kind, a, b) : pairKey(kind, a, b);
    this.#bench.matching.store.decide({ ...key, verdict, decided_ts: this.#now });
  }

  #undecide(kind: FeedKind, a: Anchor, b: Anchor): void {
    const key = pairKey(kind, a, b);
    for (const one of [key, turned(key)]) this.#bench.matching.store.undecide(one);
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

/** The slug that these statements' record had before it went into another one, if it reads like their name. */
function takeFormer(kind: FeedKind, said: readonly SaidPart[], former: string[]): string | null {
  for (const { statement } of said) {
    const stem = slugOf((JSON.parse(statement) as { name?: string }).name ?? '', kind);
    const at = former.findIndex((slug) => slug === stem || slug.startsWith(`${stem}-`));
    if (at >= 0) return former.splice(at, 1)[0] as string;
  }
  return null;
}

const alreadyOne = ({ kind, slug, id }: RecordName): Failure =>
  new Failure(
    `Both name one record already, ${kind}/${slug}. \`cratebase explain ${kind}/${slug}\` shows why, \`cratebase split ${publicId(kind, id)}\` parts it.`,
  );

const notAlone = (kind: FeedKind): Failure =>
  new Failure(
    kind === 'edition'
      ? 'An edition is its festival and its key: merge or split the festivals.'
      : 'An episode is its podcast and its name: merge or split the podcasts.',
  );
const speaking = ({
  sourceId,
  source,
  clock,
}: {
  sourceId: number;
  source: string;
  clock: 'instant' | 'local';
}) => ({ id: sourceId, name: source, clock });
