/**
 * Artists known by mention only (without source records, merged records and decisions), and joint artists. "A & B" in a
 * line-up is one artist until both parts exist and the whole does not; then it is two. When a new artist changes this,
 * the line-ups that were read before are queued and rebuilt at the end of the run. So the order of sources does not matter.
 */

import { undatedKey } from '../../matching/blocking-hash.ts';
import type { MatchStore } from '../../store/resolution/match-store.ts';
import type { MergeStore } from '../../store/resolution/merge-store.ts';
import type { RowOf } from '../../store/writer.ts';
import { fold } from '../../text/fold.ts';
import { splitJointName } from '../../text/lineup/entry.ts';
import type { StoreContext } from '../store-context.ts';
import type { RecordMerger } from './merge-records.ts';
import type { NameLookup } from './name-lookup.ts';

const maxIndexed = 50_000;

/** The index of joint artists, and what is resolved again when an artist appears. */
export class JointArtists {
  readonly #context: StoreContext;
  readonly #store: MatchStore;
  readonly #merges: MergeStore;
  readonly #finder: NameLookup;
  /** Recently indexed records. */
  readonly #indexed = new Set<number>();

  constructor(context: StoreContext, store: MatchStore, merges: MergeStore, finder: NameLookup) {
    this.#context = context;
    this.#store = store;
    this.#merges = merges;
    this.#finder = finder;
  }

  /** Forgets which joint artists were indexed: a rollback may have undone it. */
  clearCache(): void {
    this.#indexed.clear();
  }

  /** Indexes a joint artist under the names of its parts. */
  index(record: number, parts: readonly string[]): void {
    if (this.#indexed.has(record)) return;
    if (this.#indexed.size >= maxIndexed) this.#indexed.clear();
    this.#indexed.add(record);
    this.#store.addBlockingKeys([...new Set(parts.map(nameKeyHash))], record, 0);
  }

  /** Marks records for rebuilding that show joint artists which may contain one of these new names. */
  onArtistsAdded(names: readonly string[]): void {
    const records = new Set<number>();
    for (const key of new Set(names.map(nameKeyHash)))
      for (const [, record] of this.#store.findByBlockingKeys([key, key])) records.add(record);
    this.#markDependentsStale([...records].filter((record) => this.#isJointName(record)));
  }

  /** Marks events with both parts for rebuilding when "A & B" is known to be one artist. */
  onJointArtistAdded(name: string): void {
    const parts = splitJointName(name);
    if (parts.length === 0) return;
    const { lookup, writer } = this.#context;
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
   * Must be called when an artist gets a name or aliases: mentions of an alias become this artist, and references to
   * other artists with one of the names as an alias are resolved again. Each of them is looked at once, however many of
   * the names it has.
   */
  onNamesAdded(record: number, name: string, aliases: readonly string[]): void {
    const [namesakes, holders] = [new Set<number>(), new Set<number>()];
    for (const [at, one] of [name, ...aliases].entries())
      for (const { id, is_alias } of this.#context.lookup.byName('artist', fold(one))) {
        if (is_alias === 1) holders.add(id);
        else if (at > 0) namesakes.add(id);
      }
    namesakes.delete(record);
    holders.delete(record);
    for (const id of namesakes) if (this.#isMention(id)) this.#context.writer.markStale(id);
    this.#markDependentsStale([...holders]);
  }

  /** Merges a mention into the artist with this alias, or a misread joint artist into its first part. */
  resolveMention(record: number, merger: RecordMerger): void {
    if (!this.#isMention(record)) return;
    const { name } = this.#context.writer.row('artist', record) as RowOf<'artist'>;
    const holder = this.#finder.artistWithAlias(name, record);
    if (holder !== null && this.#context.sources.statementsOf(holder).length > 0)
      merger.merge('artist', record, holder, { isMisread: true });
    else this.#dissolve(record, merger);
  }

  /** Merges a joint artist that no line-up uses any more into its first part, so that its page redirects. */
  #dissolve(record: number, merger: RecordMerger): void {
    const names = this.#isJointName(record) ? this.#splitName(record) : [];
    const [first = '', ...others] = names;
    if (others.length === 0 || this.#merges.dependents('artist', record).length > 0) return;
    const into = this.#finder.artistByName(first);
    if (into !== null && into !== record) merger.merge('artist', record, into, { isMisread: true });
  }

  #splitName(record: number): readonly string[] {
    const name = this.#context.writer.row('artist', record)?.name;
    return name === undefined ? [] : this.#finder.splitJointName(name);
  }

  /** Whether an artist is known by mention only: without source records, merged records and decisions. */
  #isMention(record: number): boolean {
    const { sources, lookup } = this.#context;
    if (sources.externalIdsOf(record).length > 0) return false;
    if (lookup.inheritedNamesWithPlace(record).some(({ slug }) => slug !== '')) return false;
    const slug = this.#context.writer.row('artist', record)?.slug;
    return slug !== undefined && this.#store.decisionsOf('artist', '', slug).length === 0;
  }

  /** Whether a record is a mention of several artists. */
  #isJointName(record: number): boolean {
    return this.#isMention(record) && this.#splitName(record).length > 1;
  }

  #markDependentsStale(records: readonly number[]): void {
    for (const one of this.#merges.dependentsOfAll('artist', records)) this.#context.writer.markStale(one);
  }
}

const nameKeyHash = (name: string): number =>
  undatedKey(`act ${fold(name).replace(/^(?:the|dj) (?=\S)/, '')}`);
