/**
 * Artists known by a mention alone, and what becomes of them when more is known. "A & B" in a line-up is one act until both are on record and it is not: then it is read as two. Line-ups in which it was
 * read otherwise, before that was known, are read again at the end of the run, so that the order of sources does not matter.
 */

import { blockingHash } from '../../matching/blocking-hash.ts';
import type { MatchStore } from '../../store/resolution/match-store.ts';
import type { MergeStore } from '../../store/resolution/merge-store.ts';
import { fold } from '../../text/fold.ts';
import { splitJointName } from '../../text/lineup/entry.ts';
import type { RecordMerger } from './merge-records.ts';
import type { ResolutionContext } from './resolution-context.ts';

const dayRange = 2 ** 17;
const maxIndexed = 50_000;

export class JointArtists {
  readonly #context: ResolutionContext;
  readonly #store: MatchStore;
  readonly #merges: MergeStore;
  readonly #merger: RecordMerger;
  /** Records that were filed lately. */
  readonly #indexed = new Set<number>();

  constructor(desk: ResolutionContext, store: MatchStore, merges: MergeStore, merging: RecordMerger) {
    this.#context = desk;
    this.#store = store;
    this.#merges = merges;
    this.#merger = merging;
  }

  clearCache(): void {
    this.#indexed.clear();
  }

  /** Files an act that was read as one under the names that it may be made of. */
  index(record: number, parts: readonly string[]): void {
    if (this.#indexed.has(record)) return;
    if (this.#indexed.size >= maxIndexed) this.#indexed.clear();
    this.#indexed.add(record);
    this.#store.addBlockingKeys([...new Set(parts.map(nameKeyHash))], record, 0);
  }

  /** An artist has this name from now on: acts that it may be a part of are read again. */
  onArtistAdded(name: string): void {
    const key = nameKeyHash(name);
    for (const [, record] of this.#store.findByBlockingKeys([key, key]))
      if (this.#isJointName(record)) this.#markDependentsStale(record);
  }

  /** "A & B" is known to be one from now on: shows at which both play are read again. */
  onJointArtistAdded(name: string): void {
    const parts = splitJointName(name);
    if (parts.length === 0) return;
    const { lookup, writer } = this.#context.context;
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
  onNameAdded(record: number, name: string, isAlias: boolean): void {
    for (const { id, is_alias } of this.#context.context.lookup.byName('artist', fold(name))) {
      if (id === record) continue;
      if (isAlias && is_alias === 0 && this.#isMention(id)) this.#context.writer.markStale(id);
      else if (is_alias === 1) this.#markDependentsStale(id);
    }
  }

  /** What was only mentioned goes into the artist that has its name as an alias; what was misread, to whom it is. */
  resolveMention(record: number): void {
    if (!this.#isMention(record)) return;
    const name = this.#context.writer.row('artist', record)?.name as string;
    const holder = this.#context.context.resolver.artistByAlias(name, record);
    if (holder !== null && this.#context.sources.statementsOf(holder).length > 0)
      this.#merger.merge('artist', record, holder, { isMisread: true });
    else this.#dissolve(record);
  }

  /** A name that was taken for an artist's, and that no line-up is read as any more: its page leads to the first of them. */
  #dissolve(record: number): void {
    const names = this.#isJointName(record) ? this.#splitName(record) : [];
    if (names.length < 2 || this.#merges.dependents('artist', record).length > 0) return;
    const into = this.#context.context.resolver.artistByName(names[0] as string);
    if (into !== null && into !== record) this.#merger.merge('artist', record, into, { isMisread: true });
  }

  #splitName(record: number): string[] {
    const name = this.#context.writer.row('artist', record)?.name;
    return typeof name === 'string' ? this.#context.context.resolver.splitJointName(name) : [];
  }

  /** Whether nothing is known of a record but its name, and nothing was decided of it. */
  #isMention(record: number): boolean {
    const { sources, context } = this.#context;
    const isMerged = context.lookup.inheritedNamesWithPlace(record).some(({ slug }) => slug !== '');
    if (isMerged || sources.externalIdsOf(record).length > 0) return false;
    const slug = this.#context.writer.row('artist', record)?.slug;
    return slug !== undefined && this.#store.decisionsOf('artist', '', slug as string).length === 0;
  }

  /** Whether such a record has the name of several. */
  #isJointName(record: number): boolean {
    return this.#isMention(record) && this.#splitName(record).length > 1;
  }

  #markDependentsStale(record: number): void {
    for (const one of this.#merges.dependents('artist', record)) this.#context.writer.markStale(one);
  }
}

const nameKeyHash = (name: string): number =>
  blockingHash(`act ${fold(name).replace(/^(?:the|dj) (?=\S)/, '')}`) * dayRange;
