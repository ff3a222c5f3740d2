/** Describes the fields of a record: what it shows, what its sources say, and what an editor changed. */

import { formatUtc } from '../../clock.ts';
import { editableFieldsOf, isListField } from '../../contract/editable-fields.ts';
import type { FeedKind } from '../../contract/feed.ts';
import type { FieldEdit, FieldOwner, FieldState } from '../../contract/record-details.ts';
import type { StoredEdit } from '../../store/edits.ts';
import { readDerivedGenres, readFeedMembers } from '../../store/export/one-record.ts';
import type { ContentMembers } from '../../store/resolution/record-content.ts';
import { fold } from '../../text/fold.ts';
import { titleOwner } from '../records/event-titles.ts';
import { startOwner, venueOwner } from '../records/field-owners.ts';
import { deriveLineup } from '../records/lineup-entries.ts';
import { mergeAliases, mergeLinks } from '../records/rebuild-helpers.ts';
import { mergeExternalIds, type SourceRecord, sortByTrust, toSourceRecord } from '../records/survivorship.ts';
import type { WriteSession } from '../write-session.ts';

type AnyRecord = SourceRecord<FeedKind>;
type SourceValue = { value: unknown; owner: FieldOwner | null };

/** The editable fields of a record, in the order of a form. */
export function describeFields(session: WriteSession, kind: FeedKind, id: number): FieldState[] {
  const members = readFeedMembers(session.writer.sqlite, kind, id) ?? {};
  const records = statedRecords(session, id);
  const edits = session.sources.edits.of(id);
  const derivedGenres = kind === 'event' ? readDerivedGenres(session.writer.sqlite, id) : [];
  const derivedLineup = kind === 'event' ? describeDerivedLineup(session, id) : null;
  const derivedFrom = (field: string): FieldState['derived_from'] =>
    field === 'genres' && derivedGenres.length > 0
      ? 'lineup'
      : field === 'lineup'
        ? (derivedLineup?.from ?? null)
        : null;
  return Object.entries(editableFieldsOf(kind)).map(([name, definition]) => {
    const value = members[name] ?? null;
    const edit = describeEdit(name, edits);
    const isUnchanged = edit === null && records.length === 0;
    const { value: sourceValue, owner } = isUnchanged
      ? { value, owner: null }
      : sourceValueOf(session, kind, id, name, records);
    return {
      name,
      type: definition.type,
      is_list: isListField(definition),
      is_required: definition.isRequired,
      choices: definition.choices,
      value,
      source_value: sourceValue,
      owner,
      is_derived: derivedFrom(name) !== null,
      derived_from: derivedFrom(name),
      edit,
    };
  });
}

/**
 * Whether a start has a clock time that pages and the API do not show, because neither the record nor its place has a
 * time zone.
 */
export function lacksTimezone(session: WriteSession, kind: FeedKind, id: number): boolean {
  if (kind !== 'event' && kind !== 'edition') return false;
  const { start_at, timezone } = readFeedMembers(session.writer.sqlite, kind, id) ?? {};
  return timezone == null && typeof start_at === 'string' && isClockTime(start_at);
}

/** Whether a time of the feed format is a clock time without an offset: "2026-12-31T23:00:00". */
const isClockTime = (time: string): boolean => /T[\d:]+$/.test(time);

/**
 * The line-up that was read from a description or a title, without acts that the event no longer has; null if a source
 * or an editor states it.
 */
export function describeDerivedLineup(
  session: WriteSession,
  id: number,
): { value: string[]; from: 'description' | 'title' } | null {
  const records = statedRecords(session, id) as SourceRecord<'event'>[];
  if (records.some(({ statement }) => statement.lineup !== undefined)) return null;
  if (session.sources.edits.of(id).some(({ field }) => field === 'lineup')) return null;
  const derived = deriveLineup(records);
  if (derived === null) return null;
  const lineup = (readFeedMembers(session.writer.sqlite, 'event', id)?.lineup ?? []) as { name: string }[];
  const addedNames = session.sources.edits
    .of(id)
    .flatMap(({ field, value }) => (field === 'lineup+' ? (value as { name: string }[]) : []))
    .map(({ name }) => fold(name));
  const value = lineup.map(({ name }) => name).filter((name) => !addedNames.includes(fold(name)));
  return value.length === 0 ? null : { value: [...new Set(value)], from: derived.from };
}

/** What editors changed in one field; null for nothing. */
function describeEdit(name: string, edits: readonly StoredEdit[]): FieldEdit | null {
  const own = edits.filter(({ field }) => field.replace(/[+-]$/, '') === name);
  const last = own.at(-1);
  if (last === undefined) return null;
  const entries = (sign: string) =>
    own.filter(({ field }) => field === name + sign).flatMap(({ value }) => entriesOf(value));
  return {
    by: last.editedBy,
    at: formatUtc(last.editedTs),
    is_set: own.some(({ field }) => field === name),
    added: entries('+'),
    removed: entries('-').map(String),
  };
}

const entriesOf = (value: unknown): unknown[] =>
  Array.isArray(value)
    ? value
    : Object.entries(value as Record<string, unknown>).map(([service, id]) => `${service}:${String(id)}`);

/** The source records that the record is computed from, without edits, in order of trust. */
export function statedRecords(session: WriteSession, id: number): AnyRecord[] {
  const rows = session.sources.parsedStatementsOf(id);
  const current = rows.filter((row) => row.withdrawn_ts === null);
  return sortByTrust((current.length > 0 ? current : rows).map(toSourceRecord));
}

const ownerOf = (record: AnyRecord | undefined): FieldOwner | null =>
  record === undefined ? null : { source: record.sourceName, external_id: record.externalId };

/** What the sources say about a field. */
function sourceValueOf(
  session: WriteSession,
  kind: FeedKind,
  id: number,
  field: string,
  records: readonly AnyRecord[],
): SourceValue {
  const list = listOf(session, kind, id, field, records);
  if (list !== undefined) {
    const isEmpty = list === null || (typeof list === 'object' && Object.keys(list).length === 0);
    return { value: isEmpty ? null : list, owner: ownerOf(onlyOwner(records, field)) };
  }
  const owner = singleOwner(kind, field, [...records]);
  return {
    value: (owner?.statement as Record<string, unknown> | undefined)?.[field] ?? null,
    owner: ownerOf(owner),
  };
}

/** The source record that alone states a list; undefined if several do. */
function onlyOwner(records: readonly AnyRecord[], field: string): AnyRecord | undefined {
  const owners = records.filter(({ statement }) => (statement as Record<string, unknown>)[field] != null);
  return owners.length === 1 ? owners[0] : undefined;
}

function singleOwner(kind: FeedKind, field: string, records: AnyRecord[]): AnyRecord | undefined {
  const isOccurrence = kind === 'event' || kind === 'edition';
  if (kind === 'event' && field === 'name' && records.length > 0)
    return titleOwner(records as SourceRecord<'event'>[]);
  if (isOccurrence && field === 'start_at') return startOwner(records as SourceRecord<'event'>[], null);
  if (isOccurrence && field === 'venue') return venueOwner(records as SourceRecord<'event'>[]);
  return records.find(({ statement }) => (statement as Record<string, unknown>)[field] !== undefined);
}

/** The union of a list over all sources; undefined for fields that have one owner. */
function listOf(
  session: WriteSession,
  kind: FeedKind,
  id: number,
  field: string,
  records: readonly AnyRecord[],
): unknown {
  const all: readonly { statement: ContentMembers }[] = records;
  if (field === 'aliases') return aliasesOf(session, id, all);
  if (field === 'links') return mergeLinks(all);
  if (field === 'external_ids') return mergeExternalIds(all);
  const entriesIn = <E>(list: (statement: ContentMembers) => readonly E[] | null | undefined): E[] =>
    all.flatMap(({ statement }) => list(statement) ?? []);
  if (field === 'tickets')
    return uniqueBy(
      entriesIn(({ tickets }) => tickets),
      ({ seller, url }) => `${seller}\0${url}`,
    );
  const names = ({ name }: { name: string }) => name;
  if (field === 'lineup')
    return uniqueBy(
      entriesIn(({ lineup }) => lineup),
      names,
    );
  const isRoster = field === 'artists' && kind === 'label';
  return isRoster
    ? uniqueBy(
        entriesIn(({ artists }) => artists),
        names,
      )
    : undefined;
}

/** The entries of lists, each once by `identity`: the first one. */
function uniqueBy<E>(entries: readonly E[], identity: (entry: E) => string): E[] {
  const unique = new Map<string, E>();
  for (const entry of entries) {
    const key = identity(entry);
    if (!unique.has(key)) unique.set(key, entry);
  }
  return [...unique.values()];
}

function aliasesOf(
  session: WriteSession,
  id: number,
  records: readonly { statement: ContentMembers }[],
): string[] {
  const name = records[0]?.statement.name ?? '';
  const inherited = session.lookup.inheritedNames(id).filter((one) => one !== name);
  return [...new Set([...mergeAliases(records, name), ...inherited])];
}
