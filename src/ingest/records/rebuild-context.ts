/** What working out a record needs: where to read, where to write, who is meant. */
import type { FeedKind, FeedRecordContent } from '../../contract/feed.ts';
import type { Kind } from '../../contract/fields.ts';
import type { EmbeddedKind, RecordLookup } from '../../store/resolution/record-lookup.ts';
import type { NameIndexWriter } from '../../store/search/name-index.ts';
import type { CatalogueWriter } from '../../store/writer.ts';
import { fold } from '../../text/fold.ts';
import type { ReferenceResolver, SourceRun } from '../resolution/reference-resolver.ts';
import { fieldValue, type SourceRecord, unionOfLists } from './survivorship.ts';

export type RebuildContext = {
  writer: CatalogueWriter;
  names: NameIndexWriter;
  lookup: RecordLookup;
  resolver: ReferenceResolver;
  /** ms since 1970. */
  now: number;
  /** The run of the source that speaks; 0 outside of imports. */
  run: number;
};

/** Where a source lists a record. */
export type SourceLink = { name: string; external_id: string; url: string | null };

/** The one whose reference is followed: the source that made the statement. */
export const sourceRunOf = (context: RebuildContext, sourceRecord: { sourceId: number }): SourceRun => ({
  sourceId: sourceRecord.sourceId,
  run: context.run,
});

/** The name of a record as its owner gives it, ready for a row. */
export function nameColumns<K extends Exclude<FeedKind, 'edition'>>(
  sourceRecords: SourceRecord<K>[],
): { name: string; folded: string } {
  const name = fieldValue(sourceRecords as never[], 'name' as never) as unknown as string;
  return { name, folded: fold(name) };
}

/** All aliases that differ from the name, each once, in order of trust; names of lesser sources are aliases too. */
export function mergeAliases<
  K extends 'artist' | 'venue' | 'city' | 'genre' | 'label' | 'festival' | 'podcast',
>(sourceRecords: SourceRecord<K>[], name: string): string[] {
  const names = sourceRecords.map(({ statement }) => (statement as { name: string }).name);
  const aliases = unionOfLists(
    sourceRecords as never[],
    'aliases' as never,
    (alias: string) => alias,
  ) as string[];
  return [...new Set([...names, ...aliases])].filter((alias) => alias !== name);
}

/** Links of all statements, each once. */
export function mergeLinks(
  sourceRecords: { statement: { links?: { type: string; url: string }[] | null | undefined } }[],
): string {
  const links = new Map<string, { type: string; url: string }>();
  for (const { statement } of sourceRecords)
    for (const link of statement.links ?? []) links.set(`${link.type}\0${link.url}`, link);
  return JSON.stringify([...links.values()]);
}

/** Has everything that shows this record worked out again, when what it shows of it changed. */
export function markDependentsStale(
  context: RebuildContext,
  kind: EmbeddedKind,
  id: number,
  differing: Set<string>,
  shown: readonly string[],
): void {
  if (differing.has('slug') || !shown.some((column) => differing.has(column))) return;
  context.lookup.markDependents(kind, id);
}

/** Saves a record's row and names; says which columns differ. */
export function saveNamedRecord(
  context: RebuildContext,
  kind: Kind,
  id: number,
  row: Record<string, string | number | null>,
  listed: string[],
  slugs: () => string[],
): Set<string> {
  const before = context.writer.row(kind, id);
  const given = before === undefined ? [] : context.lookup.inheritedNames(id);
  const aliases =
    given.length === 0 ? listed : [...new Set([...listed, ...given])].filter((one) => one !== row.name);
  const differing = context.writer.save(
    kind,
    id,
    { ...row, aliases: JSON.stringify(aliases) },
    slugs,
    context.now,
  );
  if (differing.has('name') || differing.has('aliases')) {
    const isNew = before === undefined;
    const rank = { prominence: isNew ? 0 : context.names.prominence(kind, id) };
    context.names.write(kind, id, row.name as string, aliases, rank, '', isNew);
    // A name that was found, or not found, may now mean something else.
    if (before !== undefined) context.resolver.clearCache();
  }
  return differing;
}

export type { FeedKind, FeedRecordContent };
