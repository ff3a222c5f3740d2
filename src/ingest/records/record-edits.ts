/**
 * Applies the edits of a record to its source records before the record is computed from them. A field that an editor
 * set replaces the field of every source record, so that owners, unions and rendering need no rule of their own
 * (docs/decisions/18-edits.md). Matching compares the source records as their sources state them, but for aliases that
 * an editor took away: they would join the record with one of that name again.
 */

import { type EditableField, editableFieldsOf } from '../../contract/editable-fields.ts';
import type { FeedKind } from '../../contract/feed.ts';
import { getOrCreate } from '../../memoize.ts';
import type { StoredEdit } from '../../store/edits.ts';
import type { ContentMembers } from '../../store/resolution/record-content.ts';
import { fold } from '../../text/fold.ts';
import { chosenKey } from '../resolution/references.ts';
import { deriveLineup } from './lineup-entries.ts';
import type { AppliedEdits, SourceRecord } from './survivorship.ts';

/** The members of a feed record of any kind. */
type Members = ContentMembers & Record<string, unknown>;
type AnyRecord = SourceRecord<FeedKind>;
type Entry = { name?: string; url?: string; record?: string };

/** Fields with times, which a source with local clock times may write with a wrong offset. */
const timeFields = ['start_at', 'end_at', 'published_at', 'lineup', 'lineup+'];
const offsetPattern = /(?:[Zz]|[+-]\d{2}:\d{2})$/;

/** Lists that one source owns, rather than the union of all sources. */
const ownedLists: ReadonlySet<string> = new Set(['genres', 'tracklist']);

/** The key by which two names count as the same entry. */
export const nameKey = (name: string): string => fold(name) || name;
/** The key by which two addresses count as the same entry: without scheme, `www.` and a slash at the end. */
export const urlKey = (url: string): string =>
  url
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/^www\./i, '')
    .replace(/\/$/, '');

/** The key of a list entry, which `-=` names. */
export function entryKey({ type }: EditableField, entry: unknown): string {
  if (type === 'links' || type === 'tickets')
    return urlKey(typeof entry === 'string' ? entry : ((entry as Entry).url ?? ''));
  // "discogs" and "discogs:123": a record has one id at each service.
  if (type === 'ids') return String(entry).split(':', 1)[0]?.trim() ?? '';
  return nameKey(typeof entry === 'string' ? entry : ((entry as Entry).name ?? ''));
}

/** The edits of one record, parsed. */
export class RecordEdits implements AppliedEdits {
  readonly #kind: FeedKind;
  readonly #set = new Map<string, unknown>();
  readonly #added = new Map<string, Map<string, unknown>>();
  readonly #removed = new Map<string, Set<string>>();
  /** Names taken away exactly as written, although they differ from the name of the record in case only. */
  readonly #removedTexts = new Set<string>();

  /** @param edits oldest first; a newer one of a field replaces an older one */
  constructor(kind: FeedKind, edits: readonly StoredEdit[]) {
    this.#kind = kind;
    for (const { field, value } of edits) this.#read(field, value);
  }

  #read(field: string, value: unknown): void {
    const name = field.replace(/[+-]$/, '');
    const definition = editableFieldsOf(this.#kind)[name];
    // A later version of the program may drop a field.
    if (definition === undefined) return;
    if (field === name) this.#set.set(name, withChosenKeys(value));
    else if (field.endsWith('+')) this.#readAdded(name, definition, value);
    else this.#readRemoved(name, definition, removedTexts(value));
  }

  #readAdded(name: string, definition: EditableField, value: unknown): void {
    const entries = definition.type === 'ids' ? Object.entries(value as Members) : (value as unknown[]);
    const addedEntries = getOrCreate(this.#added, name, () => new Map<string, unknown>());
    for (const entry of entries.map(withChosenKey)) {
      const key = entryKey(definition, Array.isArray(entry) ? entry[0] : entry);
      addedEntries.set(key, entry);
      this.#removed.get(name)?.delete(key);
    }
  }

  #readRemoved(name: string, definition: EditableField, texts: readonly string[]): void {
    const removedKeys = getOrCreate(this.#removed, name, () => new Set<string>());
    for (const text of texts) {
      const key = entryKey(definition, text);
      removedKeys.add(key);
      if (name === 'aliases') this.#removedTexts.add(text);
      this.#added.get(name)?.delete(key);
    }
  }

  /** The value that an editor set, which is checked like that of a source; undefined if none did. */
  #valueOf<Field extends keyof ContentMembers>(field: Field): ContentMembers[Field] {
    return this.#set.get(field) as ContentMembers[Field];
  }

  sets(field: string): boolean {
    return this.#set.has(field);
  }

  removes(field: string, name: string): boolean {
    const removedKeys = this.#removed.get(field);
    return removedKeys?.has(nameKey(name)) ?? false;
  }

  added(field: string): readonly unknown[] {
    return [...(this.#added.get(field)?.values() ?? [])];
  }

  /** The names of merged records that stay aliases of the record. */
  keptAliases(names: readonly string[], name: string): string[] {
    if (this.#set.has('aliases')) return [];
    return names.filter((one) => !this.#isRemovedAlias(one, name));
  }

  /** The aliases of a source record that count when it is compared: without those that an editor took away. */
  comparedAliases(aliases: readonly string[], name: string): string[] {
    const set = this.#valueOf('aliases');
    const keptKeys = set === undefined ? null : new Set((set ?? []).map(nameKey));
    return aliases.filter(
      (one) => !this.#isRemovedAlias(one, name) && (keptKeys === null || keptKeys.has(nameKey(one))),
    );
  }

  #isRemovedAlias(alias: string, name: string): boolean {
    if (this.#removedTexts.has(alias)) return alias !== name;
    return this.removes('aliases', alias) && nameKey(alias) !== nameKey(name);
  }

  /**
   * Returns the source records with the edits applied.
   * @param records in order of trust
   */
  apply<K extends FeedKind>(records: readonly SourceRecord<K>[]): SourceRecord<K>[] {
    return this.#apply(records as readonly AnyRecord[]) as SourceRecord<K>[];
  }

  #apply(records: readonly AnyRecord[]): AnyRecord[] {
    if (records.length === 0) return [];
    const copies = records.map((record) => {
      const local = this.#withLocalTimes(record);
      return { ...local, statement: { ...local.statement }, edits: this };
    });
    const statements: Members[] = copies.map(({ statement }) => statement);
    this.#applyNames(statements);
    for (const [field, value] of this.#set) for (const one of statements) one[field] = value;
    this.#applyPlace(statements);
    for (const [field, removed] of this.#removed) this.#applyRemoved(statements, field, removed);
    for (const [field, added] of this.#added) if (added.size > 0) this.#applyAdded(copies, field, added);
    return copies;
  }

  /**
   * An edited time is an instant. The other times of a source with local clock times lose their offset, which means
   * the same.
   */
  #withLocalTimes(record: AnyRecord): AnyRecord {
    if (record.clock === 'instant') return record;
    if (!timeFields.some((field) => this.#set.has(field) || this.#added.has(field.replace('+', ''))))
      return record;
    const strip = (value: unknown): unknown => {
      if (typeof value === 'string') return value.length > 16 ? value.replace(offsetPattern, '') : value;
      if (!Array.isArray(value)) return value;
      return value.map((entry: Members) => ({
        ...entry,
        ...(entry.set_start_at == null ? {} : { set_start_at: strip(entry.set_start_at) }),
        ...(entry.set_end_at == null ? {} : { set_end_at: strip(entry.set_end_at) }),
      }));
    };
    const statement = { ...record.statement };
    const members: Members = statement;
    for (const field of timeFields) if (field in members) members[field] = strip(members[field]);
    return { ...record, clock: 'instant', statement };
  }

  /** The names that sources state stay aliases, unless an editor took them away or set all aliases. */
  #applyNames(statements: Members[]): void {
    if (!('aliases' in editableFieldsOf(this.#kind))) return;
    const names = statements.map(({ name }) => name ?? '');
    const own =
      this.#valueOf('name') ??
      names.find((name) => !this.#removedTexts.has(name) && !this.removes('aliases', name)) ??
      names.find((name) => !this.#removedTexts.has(name)) ??
      names[0] ??
      '';
    for (const statement of statements) {
      const name = statement.name ?? '';
      const isGone = this.#set.has('aliases') || this.#isRemovedAlias(name, own);
      if (name === own || !(isGone || this.#set.has('name'))) continue;
      statement.name = own;
      if (!isGone) statement.aliases = [...(statement.aliases ?? []), name];
    }
    const isKept = (alias: string) => !this.#isRemovedAlias(alias, own);
    if (this.#removed.has('aliases'))
      for (const one of statements) if (one.aliases) one.aliases = one.aliases.filter(isKept);
  }

  /** The venue of an event or edition lies in the city that an editor set. */
  #applyPlace(statements: Members[]): void {
    if (this.#kind !== 'event' && this.#kind !== 'edition') return;
    if (!this.#set.has('city') && !this.#set.has('country')) return;
    for (const statement of statements) {
      const { venue } = statement;
      if (venue == null) continue;
      statement.venue = {
        name: venue.name,
        city: this.#valueOf('city') ?? venue.city ?? statement.city,
        country: this.#valueOf('country') ?? venue.country ?? statement.country,
      };
    }
  }

  #applyRemoved(statements: Members[], field: string, removedKeys: ReadonlySet<string>): void {
    const definition = editableFieldsOf(this.#kind)[field] as EditableField;
    // Acts, artists and genres are compared after they are resolved (`removes`), aliases with the names above.
    if (definition.type === 'ids') {
      for (const one of statements)
        one.external_ids = Object.fromEntries(
          Object.entries(one.external_ids ?? {}).filter(([service]) => !removedKeys.has(service)),
        );
    } else if (definition.type === 'links' || definition.type === 'tickets') {
      for (const one of statements)
        if (Array.isArray(one[field]))
          one[field] = one[field].filter((entry) => !removedKeys.has(entryKey(definition, entry)));
    }
  }

  #applyAdded(
    records: readonly AnyRecord[],
    field: string,
    addedEntries: ReadonlyMap<string, unknown>,
  ): void {
    const statements: Members[] = records.map(({ statement }) => statement);
    const first = statements[0] as Members;
    if (editableFieldsOf(this.#kind)[field]?.type === 'ids') {
      const ids = Object.fromEntries([...addedEntries.values()] as [string, string][]);
      first.external_ids = { ...first.external_ids, ...ids };
      return;
    }
    const isOwned = ownedLists.has(field) || (this.#kind === 'episode' && field === 'artists');
    const stated = statements.filter((one) => one[field] !== undefined);
    if (stated.length === 0) {
      // They are added to the genres that the line-up gives (`event-genres.ts`).
      if (this.#kind === 'event' && field === 'genres') return;
      // Without a line-up, the acts are read from description and title.
      const isLineup = this.#kind === 'event' && field === 'lineup';
      const derived = isLineup ? deriveLineup(records as SourceRecord<'event'>[]) : null;
      first[field] = withEntries(derived?.entries, addedEntries);
    } else if (isOwned) for (const one of stated) one[field] = withEntries(one[field], addedEntries);
    else first[field] = withEntries(first[field], addedEntries);
  }
}

/** The entries of a list that an editor took away, as they are stored. */
export const removedTexts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

/** Artists that an editor chose by their record are named by its id, above every source's own ids. */
const withChosenKeys = (value: unknown): unknown => (Array.isArray(value) ? value.map(withChosenKey) : value);

function withChosenKey(entry: unknown): unknown {
  if (typeof entry !== 'object' || entry === null) return entry;
  const { record, ...members } = entry as Entry;
  return typeof record === 'string' ? { ...members, external_id: chosenKey(record) } : entry;
}

const withEntries = (list: unknown, addedEntries: ReadonlyMap<string, unknown>): unknown[] => [
  ...((list as unknown[] | null | undefined) ?? []),
  ...addedEntries.values(),
];
