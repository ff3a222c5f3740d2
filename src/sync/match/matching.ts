/** Matching as imports meet it: where a statement belongs, and what its coming changes for others. */
import type { FeedKind, Statement } from '../../contract/feed.ts';
import type { MatchStore } from '../../store/matching.ts';
import type { MergeStore } from '../../store/merging.ts';
import { matchRecord } from '../match.ts';
import { Decisions } from './decisions.ts';
import type { Desk } from './desk.ts';
import { EventMatcher, type Speaking } from './event-matcher.ts';
import { HouseFinder } from './house-finder.ts';
import { Merging } from './merging.ts';
import { type NamedKind, namedKinds } from './named-judge.ts';
import { NamedMatcher } from './named-matcher.ts';
import type { Placement } from './rehome.ts';
import { Wholes } from './wholes.ts';

export class Matching {
  readonly decisions: Decisions;
  readonly merging: Merging;
  readonly events: EventMatcher;
  readonly named: NamedMatcher;
  readonly houses: HouseFinder;
  readonly wholes: Wholes;
  readonly store: MatchStore;
  readonly #desk: Desk;

  constructor(desk: Desk, store: MatchStore, merges: MergeStore) {
    this.#desk = desk;
    this.store = store;
    this.decisions = new Decisions(store);
    this.merging = new Merging(desk, merges);
    this.events = new EventMatcher(desk, store, this.decisions, this.merging);
    this.houses = new HouseFinder(desk, store);
    this.named = new NamedMatcher(desk, store, this.decisions, this.merging, this.houses);
    this.wholes = new Wholes(desk, store, merges, this.merging);
    desk.context.resolver.wholes = this.wholes;
    desk.context.resolver.houses = this.houses;
    desk.context.resolver.directory = this.named;
  }

  /** Forget what is kept at hand: a batch was undone, or places and people changed. */
  forget(): void {
    this.store.forget();
    this.events.forget();
    this.wholes.forget();
  }

  /**
   * The record that a source's first statement of something speaks of, null for a new one; and what else changed. Only
   * reads; the placement that it returns writes.
   */
  place(kind: FeedKind, source: Speaking, externalId: string, statement: Statement<FeedKind>): Placement {
    if (kind === 'event') return this.events.place(source, externalId, statement as Statement<'event'>);
    if (isNamed(kind)) return this.named.place(kind, source, externalId, statement as Statement<NamedKind>);
    // Found by name alone, which takes no time; and it may put a festival or podcast on record.
    return () => {
      const { context, sources } = this.#desk;
      const speaker = { sourceId: source.id, run: context.run };
      const record = matchRecord(context, sources, kind, statement, speaker);
      if (record !== null)
        this.merging.keepFormer(kind, record, statement as { name?: string; country?: string });
      return { record, changed: [] };
    };
  }

  /** To be called when the statement is bound to its record. */
  bound(
    kind: FeedKind,
    record: number,
    source: Speaking,
    externalId: string,
    statement: Statement<FeedKind>,
  ): void {
    if (kind === 'event') this.events.file(record, source, externalId, statement as Statement<'event'>);
    else if (isNamed(kind))
      this.named.file(kind, record, { source: source.name, externalId }, statement as Statement<NamedKind>);
  }

  /** Files a record under its names once more: its city may be called otherwise now, or another version filed it. */
  refile(kind: FeedKind, record: number): void {
    if (!isNamed(kind)) return;
    const said = this.#desk.sources.said(record);
    for (const { source_name, external_id, statement } of said) {
      const anchor = { source: source_name, externalId: external_id };
      this.named.file(kind, record, anchor, JSON.parse(statement) as Statement<NamedKind>);
    }
    if (said.length === 0 && kind !== 'artist') this.named.fileRow(kind, record);
  }

  /**
   * Where a statement belongs that is made again, with what it was before. Only reads; the placement that it returns is
   * to be called when the new statement is stored, and writes.
   */
  restated(
    kind: FeedKind,
    record: number,
    source: Speaking,
    externalId: string,
    statement: Statement<FeedKind>,
    before: string | null,
  ): Placement {
    const placement = isNamed(kind)
      ? this.#namedAgain(kind, record, source, externalId, statement as Statement<NamedKind>, before)
      : kind === 'event'
        ? this.#eventAgain(record, source, externalId, statement as Statement<'event'>, before)
        : null;
    if (placement === null) return () => ({ record, changed: [] });
    return () => {
      const settled = placement();
      const now = this.#desk.sources.find({ source: source.id, kind, externalId })?.record_id ?? record;
      const others = new Set([...settled.changed, ...(settled.record === null ? [] : [settled.record])]);
      others.delete(now);
      return { record: now, changed: [...others] };
    };
  }

  /** Null where nothing changed that tells whom it speaks of; so below. */
  #namedAgain(
    kind: NamedKind,
    record: number,
    source: Speaking,
    externalId: string,
    statement: Statement<NamedKind>,
    before: string | null,
  ): Placement | null {
    if (before !== null && identity(JSON.parse(before)) === identity(statement)) return null;
    const placement = this.named.restating(kind, record, source, externalId, statement);
    return () => {
      this.named.file(kind, record, { source: source.name, externalId }, statement);
      return placement();
    };
  }

  #eventAgain(
    record: number,
    source: Speaking,
    externalId: string,
    statement: Statement<'event'>,
    before: string | null,
  ): Placement | null {
    const old = before === null ? null : (JSON.parse(before) as Statement<'event'>);
    if (old !== null && weighed(old) === weighed(statement)) return null;
    const placement = this.events.restating(record, source, externalId, statement);
    return () => {
      if (old !== null) this.events.unfile(record, source, externalId, old);
      this.events.file(record, source, externalId, statement);
      return placement();
    };
  }
}

const isNamed = (kind: FeedKind): kind is NamedKind => (namedKinds as readonly FeedKind[]).includes(kind);

/** What of a statement tells whom it speaks of. */
const identity = (said: Statement<NamedKind>): string => {
  const { name, country, aliases, external_ids, links } = said;
  const { city, address, latitude, longitude, website, real_name } = said as Partial<
    Statement<'venue'> & Statement<'artist'>
  >;
  return JSON.stringify([
    name,
    country,
    aliases,
    external_ids,
    links,
    city,
    address,
    latitude,
    longitude,
    website,
    real_name,
  ]);
};

/** What of a statement matching weighs. */
const weighed = ({
  name,
  start_at,
  end_at,
  timezone,
  venue,
  city,
  country,
  lineup,
  tickets,
  url,
  festival,
  genres,
}: Statement<'event'>): string =>
  JSON.stringify([
    name,
    start_at,
    end_at,
    timezone,
    venue,
    city,
    country,
    lineup,
    tickets,
    url,
    festival,
    genres,
  ]);
