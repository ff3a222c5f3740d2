/**
 * Artists known by a mention alone, and what becomes of them when more is known. "A & B" in a line-up is one act until both are on record and it is not: then it is read as two. Line-ups in which it was
 * read otherwise, before that was known, are read again at the end of the run, so that the order of sources does not matter.
 */
import { fold } from '../../store/fold.ts';
import type { MatchStore } from '../../store/matching.ts';
import type { MergeStore } from '../../store/merging.ts';
import { jointNames } from '../reading/entry.ts';
import type { Desk } from './desk.ts';
import { hash } from './keys.ts';
import type { Merging } from './merging.ts';

const days = 2 ** 17;
const longestKept = 50_000;

export class Wholes {
  readonly #desk: Desk;
  readonly #store: MatchStore;
  readonly #merges: MergeStore;
  readonly #merging: Merging;
  /** Records that were filed lately. */
  readonly #filed = new Set<number>();

  constructor(desk: Desk, store: MatchStore, merges: MergeStore, merging: Merging) {
    this.#desk = desk;
    this.#store = store;
    this.#merges = merges;
    this.#merging = merging;
  }

  forget(): void {
    this.#filed.clear();
  }

  /** Files an act that was read as one under the names that it may be made of. */
  file(record: number, parts: readonly string[]): void {
    if (this.#filed.has(record)) return;
    if (this.#filed.size >= longestKept) this.#filed.clear();
    this.#filed.add(record);
    this.#store.addKeys([...new Set(parts.map(keyOf))], record, 0);
  }

  /** An artist has this name from now on: acts that it may be a part of are read again. */
  partKnown(name: string): void {
    const key = keyOf(name);
    for (const [, record] of this.#store.near([key, key])) if (this.#isSeveral(record)) this.#reread(record);
  }

  /** "A & B" is known to be one from now on: shows at which both play are read again. */
  wholeKnown(name: string): void {
    const parts = jointNames(name);
    if (parts.length === 0) return;
    const { lookup, writer } = this.#desk.context;
    const shows = parts.map(
      (part) =>
        new Set(
          lookup.byName('artist', fold(part)).flatMap(({ id }) => this.#merges.dependents('artist', id)),
        ),
    );
    const [first = new Set<number>(), ...others] = shows;
    for (const show of first) if (others.every((other) => other.has(show))) writer.markStale(show);
  }

  /**
   * An artist's name is, or its alias: mentions that stood for themselves are its, and what went to another of this name
   * is looked at again.
   */
  nameKnown(record: number, name: string, isAlias: boolean): void {
    for (const { id, is_alias } of this.#desk.context.lookup.byName('artist', fold(name))) {
      if (id === record) continue;
      if (isAlias && is_alias === 0 && this.#isMention(id)) this.#desk.writer.markStale(id);
      else if (is_alias === 1) this.#reread(id);
    }
  }

  /** What was only mentioned goes into the artist that has its name as an alias; what was misread, to whom it is. */
  refresh(record: number): void {
    if (!this.#isMention(record)) return;
    const name = this.#desk.writer.row('artist', record)?.name as string;
    const holder = this.#desk.context.resolver.artistWithAlias(name, record);
    if (holder !== null && this.#desk.sources.said(holder).length > 0)
      this.#merging.merge('artist', record, holder, { isMisread: true });
    else this.#dissolve(record);
  }

  /** A name that was taken for an artist's, and that no line-up is read as any more: its page leads to the first of them. */
  #dissolve(record: number): void {
    const names = this.#isSeveral(record) ? this.#namesIn(record) : [];
    if (names.length < 2 || this.#merges.dependents('artist', record).length > 0) return;
    const into = this.#desk.context.resolver.artistNamed(names[0] as string);
    if (into !== null && into !== record) this.#merging.merge('artist', record, into, { isMisread: true });
  }

  #namesIn(record: number): string[] {
    const name = this.#desk.writer.row('artist', record)?.name;
    return typeof name === 'string' ? this.#desk.context.resolver.namesIn(name) : [];
  }

  /** Whether nothing is known of a record but its name, and nothing was decided of it. */
  #isMention(record: number): boolean {
    const { sources, context } = this.#desk;
    const isMerged = context.lookup.given(record).some(({ slug }) => slug !== '');
    if (isMerged || sources.anchors(record).length > 0) return false;
    const slug = this.#desk.writer.row('artist', record)?.slug;
    return slug !== undefined && this.#store.decisionsOf('artist', '', slug as string).length === 0;
  }

  /** Whether such a record has the name of several. */
  #isSeveral(record: number): boolean {
    return this.#isMention(record) && this.#namesIn(record).length > 1;
  }

  #reread(record: number): void {
    for (const one of this.#merges.dependents('artist', record)) this.#desk.writer.markStale(one);
  }
}

const keyOf = (name: string): number => hash(`act ${fold(name).replace(/^(?:the|dj) (?=\S)/, '')}`) * days;
