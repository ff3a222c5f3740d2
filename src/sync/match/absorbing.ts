/** One record that an operator merges into another: what goes along, and what is told of it. */
import type { FeedKind } from '../../contract/feed.ts';
import type { RecordName, RecordNames } from '../../store/record-names.ts';
import type { Town } from '../city-finder.ts';
import { inOrderOfTrust } from '../merge.ts';
import type { Workbench } from '../workbench.ts';
import type { CityHouses } from './city-houses.ts';
import { type Contradiction, contradictionsOf } from './contradicting.ts';
import { type ShownRecord, shown } from './explaining.ts';
import { takeFormer } from './former-slug.ts';
import { partsOf, textOf } from './parting.ts';
import type { Settling } from './settling.ts';

/** Why a record is shown under a name: of its statements the most trusted, the newest, or nobody says another. */
export type NameOwner = { source: string; external_id: string; because: 'trust' | 'newest' | 'only' };
export type Absorbed = {
  /** What went into the record; its id and slug lead there from now on. */
  merged: ShownRecord;
  /** How many statements came with it, and how many records of each kind named it. */
  moved: { statements: number; records: Partial<Record<FeedKind, number>> };
  /** What parts the two again: arguments of `split`. */
  undo: string[];
  /** What the two did not agree on: place, date. */
  contradicts: Contradiction[];
};

export class Absorbing {
  readonly #bench: Workbench;
  readonly #names: RecordNames;
  readonly #settling: Settling;
  readonly #houses: CityHouses;

  constructor(bench: Workbench, names: RecordNames, settling: Settling, houses: CityHouses) {
    this.#bench = bench;
    this.#names = names;
    this.#settling = settling;
    this.#houses = houses;
  }

  /** Merges `b`, with which `moved` comes, into `a`, which is of the same kind. */
  absorb(a: RecordName, b: RecordName, moved: Absorbed['moved']): Absorbed {
    const kind = a.kind as FeedKind;
    const absorbed = {
      merged: shown(b),
      moved,
      undo: this.#undo(a, b),
      contradicts: this.#contradictions(kind, a.id, b.id),
    };
    if (kind === 'event') this.#moveEvent(b.id, a.id);
    else this.#moveNamed(kind, b.id, a.id);
    this.#settling.workOut(kind, a.id);
    return absorbed;
  }

  /** What comes with a record that is merged. */
  movedWith({ kind, id }: RecordName): Absorbed['moved'] {
    const { sources, matching } = this.#bench;
    return {
      statements: sources.said(id).length,
      records: matching.merging.countDependents(kind as FeedKind, id),
    };
  }

  /** Whose statement a record has its name from; null where no source says it. */
  nameOwner(id: number, { name }: ShownRecord): NameOwner | null {
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

  #undo(a: RecordName, b: RecordName): string[] {
    const parts = partsOf(this.#bench, b).map(textOf);
    const slug = this.#isGuessed(a, b) ? [] : [b.slug];
    return [`${a.kind}/${a.slug}`, ...(parts.length > 0 ? ['--statement', ...parts, ...slug] : [])];
  }

  /** Whether a split would give `b` its own slug again without being told, of all that will lead to `a`. */
  #isGuessed(a: RecordName, b: RecordName): boolean {
    const { merging } = this.#bench.matching;
    const kind = b.kind as FeedKind;
    const said = this.#bench.sources.said(b.id);
    if (said.length === 0) return true;
    const former = [a.id, b.id].flatMap((id) => merging.formerSlugs(kind, id));
    const all = [...former, b.slug].toSorted((x, y) => x.length - y.length || (x < y ? -1 : 1));
    return (takeFormer(kind, said, [...all]) ?? (former.length === 0 ? b.slug : null)) === b.slug;
  }

  #contradictions(kind: FeedKind, a: number, b: number): Contradiction[] {
    const { writer } = this.#bench;
    const nameOf = (of: FeedKind, id: number) => this.#names.of(of, id)?.name ?? null;
    return contradictionsOf(kind, writer.row(kind, a), writer.row(kind, b), nameOf);
  }

  #moveEvent(from: number, into: number): void {
    const { events, merging } = this.#bench.matching;
    const said = events.saidOf(from);
    for (const one of said) events.unfile(from, speaking(one), one.externalId, one.statement);
    merging.merge('event', from, into, { byOperator: true });
    for (const one of said) events.file(into, speaking(one), one.externalId, one.statement);
  }

  #moveNamed(kind: FeedKind, from: number, into: number): void {
    const { matching, sources, writer, context } = this.#bench;
    const said = sources.said(from);
    const row = writer.row(kind, from);
    if (kind === 'city') this.#houses.remember(from);
    matching.merging.merge(kind, from, into, { byOperator: true });
    for (const { source_name, external_id, statement } of said)
      this.#settling.file(kind, into, { source: source_name, externalId: external_id, statement });
    const names = [row?.name as string, ...context.lookup.givenNames(into)];
    if (kind === 'venue') matching.houses.file(into, names, { city: null, country: null, ...row } as Town);
    if (kind === 'city') this.#houses.file(into);
  }
}

type Speaker = { sourceId: number; source: string; clock: 'instant' | 'local' };

const speaking = ({ sourceId, source, clock }: Speaker) => ({ id: sourceId, name: source, clock });
