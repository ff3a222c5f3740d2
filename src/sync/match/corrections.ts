/** What operators put right of matching (docs/spec/imports.md#promises, promise 4): each correction in its turn, whole or not at all. */
import type Database from 'better-sqlite3';
import type { FeedKind } from '../../contract/feed.ts';
import { Failure } from '../../failure.ts';
import { type RecordName, RecordNames } from '../../store/record-names.ts';
import { publicId } from '../../store/show.ts';
import { Batches } from '../batches.ts';
import { drain } from '../drain.ts';
import { inTurn } from '../turn.ts';
import { Workbench } from '../workbench.ts';
import { type Absorbed, Absorbing, type NameOwner } from './absorbing.ts';
import { CityHouses } from './city-houses.ts';
import { Deciding } from './deciding.ts';
import {
  type Duplicate,
  Explaining,
  type Explanation,
  type LeftOut,
  type ShownRecord,
  shown,
} from './explaining.ts';
import { findRecord } from './find-record.ts';
import { Settling } from './settling.ts';
import { Splitting } from './splitting.ts';

/** So many records that are shown with one are led to another in one transaction. */
const maxLedAtOnce = 1_000;

export type Corrected = { record: ShownRecord; revision: number; decisions: number };
/** `other` is the record that `record` is kept apart from. */
export type KeptApart = Corrected & { other: ShownRecord };
/** `name_from` tells whose statement gives the name; null where no source speaks of the record. */
export type Merged = Corrected & Absorbed & { name_from: NameOwner | null };
export type Parted = Corrected & { parts: ShownRecord[] };

/** Kinds that are made of other records' parts and go where those go. */
const dependent: readonly FeedKind[] = ['edition', 'episode'];

export class Corrections {
  readonly #sqlite: Database.Database;
  readonly #bench: Workbench;
  readonly #names: RecordNames;
  readonly #explaining: Explaining;
  readonly #deciding: Deciding;
  readonly #settling: Settling;
  readonly #absorbing: Absorbing;
  readonly #splitting: Splitting;
  readonly #onWait: ((what: string) => void) | undefined;

  /**
   * @param now ms since 1970
   * @param onWait called once where a change has to wait for another writer, with what that does: "an import of berghain"
   */
  constructor(sqlite: Database.Database, now: number, onWait?: (what: string) => void) {
    this.#sqlite = sqlite;
    this.#onWait = onWait;
    const bench = new Workbench(sqlite, { now, created: () => {} });
    this.#bench = bench;
    this.#names = new RecordNames(sqlite);
    this.#explaining = new Explaining(bench, this.#names);
    this.#deciding = new Deciding(bench, now);
    this.#settling = new Settling(bench, now);
    const houses = new CityHouses(bench);
    this.#absorbing = new Absorbing(bench, this.#names, this.#settling, houses);
    this.#splitting = new Splitting(bench, this.#deciding, this.#settling, houses);
  }

  /** Pairs that may be one and were kept apart, likeliest first. */
  duplicates(kind: FeedKind | null): Duplicate[] {
    return this.#explaining.duplicates(kind);
  }

  /** Records beside which more were found that may be the same than are compared or listed. */
  leftOut(kind: FeedKind | null): LeftOut[] {
    return this.#explaining.leftOut(kind);
  }

  /** What a record consists of and why, and what nearly was the same. */
  explain(text: string): Explanation {
    return this.#explaining.explain(text);
  }

  /** Makes one record of two: B goes into A, whatever matching says of them, now and at every later sync. */
  async merge(textA: string, textB: string, { force = false } = {}): Promise<Merged> {
    // A slip is said at once, not when an import is over that has to be waited for.
    this.#two(textA, textB);
    let absorbed: Absorbed | undefined;
    let moved: Absorbed['moved'] | undefined;
    const ahead = async (batches: Batches) => {
      const [a, b] = this.#two(textA, textB);
      const anchors = [this.#deciding.anchors(a), this.#deciding.anchors(b)] as const;
      if (!force) this.#deciding.check(a.kind as FeedKind, ...anchors, 'different');
      moved = this.#absorbing.movedWith(b);
      await this.#leadAhead(batches, a, b, moved);
    };
    const work = () => {
      const [a, b] = this.#two(textA, textB);
      const kind = a.kind as FeedKind;
      const [anchorsA, anchorsB] = [this.#deciding.anchors(a), this.#deciding.anchors(b)];
      this.#deciding.revoke(kind, anchorsA, anchorsB, 'different', { force });
      const decisions = this.#deciding.join(kind, anchorsA, anchorsB);
      absorbed = this.#absorbing.absorb(a, b, moved ?? this.#absorbing.movedWith(b));
      return { record: a, decisions };
    };
    const done = await this.#change('a merge', work, ahead);
    const id = findRecord(this.#names, done.record.id).id;
    const name_from = this.#absorbing.nameOwner(id, done.record);
    return { ...done, ...(absorbed as NonNullable<typeof absorbed>), name_from };
  }

  /** Two records stay two, whatever matching says of them. */
  async neverMerge(textA: string, textB: string, { force = false } = {}): Promise<KeptApart> {
    this.#two(textA, textB);
    let second: RecordName | undefined;
    const done = await this.#change('a correction', () => {
      const [a, b] = this.#two(textA, textB);
      second = b;
      const kind = a.kind as FeedKind;
      const [anchorsA, anchorsB] = [this.#deciding.anchors(a), this.#deciding.anchors(b)];
      this.#deciding.revoke(kind, anchorsA, anchorsB, 'same', { force });
      const decisions = this.#deciding.part(kind, [anchorsA, anchorsB]);
      this.#settling.resettle(kind, [a.id, b.id]);
      return { record: a, decisions };
    });
    const { kind, id } = second as RecordName;
    const other = this.#names.of(kind, id) ?? (second as RecordName);
    return { ...done, other: shown(other) };
  }

  /**
   * Parts a record: the parts named ("source:external id", or the slug of what is known by name alone) become one of their
   * own; without any, each does. What was a record of its own before has its slug back: the one of those that led to the
   * record that is named as well, else the one that reads like it.
   */
  async split(text: string, named: readonly string[]): Promise<Parted> {
    findRecord(this.#names, text);
    const parts: ShownRecord[] = [];
    const done = await this.#change('a split', () => {
      const record = findRecord(this.#names, text);
      const kind = record.kind as FeedKind;
      if (dependent.includes(kind)) throw notAlone(kind);
      const { made, decisions } = this.#splitting.split(record, named);
      for (const id of made) {
        const found = this.#names.of(kind, id);
        if (found) parts.push(shown(found));
      }
      return { record, decisions };
    });
    return { ...done, parts };
  }

  /** Two different records of one kind that can be decided of. */
  #two(textA: string, textB: string): [RecordName, RecordName] {
    const [a, b] = [findRecord(this.#names, textA), findRecord(this.#names, textB)];
    if (a.kind !== b.kind)
      throw new Failure(
        `${a.kind}/${a.slug} and ${b.kind}/${b.slug} are of different kinds. Name two records of one kind, as in ${a.kind}/SLUG ${a.kind}/SLUG.`,
      );
    if (dependent.includes(a.kind as FeedKind)) throw notAlone(a.kind as FeedKind);
    if (a.id === b.id) throw alreadyOne(a);
    return [a, b];
  }

  /** Leads most of very many records that are shown with `b` to `a`, in transactions of their own. */
  async #leadAhead(
    batches: Batches,
    a: RecordName,
    b: RecordName,
    { records }: Absorbed['moved'],
  ): Promise<void> {
    const count = Object.values(records).reduce((sum, one) => sum + one, 0);
    for (let isMore = count > maxLedAtOnce; isMore; ) {
      await batches.opened();
      batches.doing('records led ahead of a merge');
      isMore = this.#bench.matching.merging.leadSome(b.kind as FeedKind, b.id, a.id, maxLedAtOnce);
      await batches.commit();
    }
  }

  /**
   * Runs a change in one transaction, then works out what follows from it in short ones.
   * @param ahead what is done before, in transactions of its own
   */
  async #change(
    what: string,
    work: () => { record: RecordName; decisions: number },
    ahead: (batches: Batches) => Promise<void> = async () => {},
  ): Promise<Corrected> {
    return await inTurn(this.#sqlite, { what, wait: true, onWait: this.#onWait }, async () => {
      const batches = new Batches(this.#sqlite, this.#bench, { isAlone: false });
      try {
        await ahead(batches);
        await batches.opened();
        batches.doing(what);
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
