/** Helpers shared by the functions that rebuild records. */
import type { FeedKind } from '../../contract/feed.ts';
import type { ApiRecord } from '../../contract/records.ts';
import type { EmbeddedKind } from '../../store/resolution/record-lookup.ts';
import { fold } from '../../text/fold.ts';
import { slugOf } from '../../text/slug.ts';
import type { SourceRun } from '../resolution/reference-resolver.ts';
import type { WriteContext } from '../write-context.ts';
import type { NameOnlyKind } from './placeholder-records.ts';
import { type AppliedEdits, mergeExternalIds } from './survivorship.ts';

/** Where a source lists a record, and how the source is credited. */
export type SourceLink = ApiRecord<'Event'>['sources'][number];

/** The source of a source record, whose ids its references use, and the current run. */
export const sourceRunOf = (context: WriteContext, sourceRecord: { sourceId: number }): SourceRun => ({
  sourceId: sourceRecord.sourceId,
  run: context.run,
});

type Link = { type: string; url: string };
type NamedContent = { name: string; aliases?: string[] | null | undefined };

/** The name columns, from the source record with the highest precedence. */
export function nameColumns([first]: readonly { statement: NamedContent }[]): {
  name: string;
  folded: string;
} {
  const { name } = (first as { statement: NamedContent }).statement;
  return { name, folded: fold(name) };
}

/** All aliases other than the name, each once, in order of trust. Names from less trusted sources become aliases. */
export function mergeAliases(
  sourceRecords: readonly {
    statement: { name?: string | null | undefined; aliases?: readonly string[] | null | undefined };
  }[],
  name: string,
): string[] {
  const names = new Set<string>();
  for (const { statement } of sourceRecords) if (statement.name != null) names.add(statement.name);
  const lists = new Set(sourceRecords.map(({ statement }) => statement.aliases));
  for (const list of lists) for (const alias of list ?? []) names.add(alias);
  names.delete(name);
  return [...names];
}

/** The links of all source records, each once. */
export function mergeLinks(
  sourceRecords: readonly { statement: { links?: Link[] | null | undefined } }[],
): Link[] {
  const links = new Map<string, Link>();
  for (const { statement } of sourceRecords)
    for (const link of statement.links ?? []) links.set(`${link.type}\0${link.url}`, link);
  return [...links.values()];
}

/** The columns of links and external ids, merged from all source records. */
export const linkColumns = (
  sourceRecords: Parameters<typeof mergeLinks>[0] & Parameters<typeof mergeExternalIds>[0],
) => ({
  links: JSON.stringify(mergeLinks(sourceRecords)),
  external_ids: JSON.stringify(mergeExternalIds(sourceRecords)),
});

/** The artists or genres of a list without those that an editor took away. */
export function withoutRemoved(
  { writer }: WriteContext,
  kind: 'artist' | 'genre',
  ids: Iterable<number>,
  edits: AppliedEdits | undefined,
): Set<number> {
  if (edits === undefined) return new Set(ids);
  return new Set([...ids].filter((id) => !edits.removes(`${kind}s`, writer.displayNameOf(kind, id).name)));
}

/** Marks all records for rebuilding that display a changed column of this record. */
export function markDependentsStale(
  context: WriteContext,
  kind: EmbeddedKind,
  id: number,
  changedColumns: Set<string>,
  shownColumns: readonly string[],
): void {
  if (changedColumns.has('slug') || !shownColumns.some((column) => changedColumns.has(column))) return;
  context.lookup.markDependents(kind, id);
}

/** The names inherited from merged records, without those that an editor took away. */
function keptInheritedNames(context: WriteContext, kind: FeedKind, id: number, name: string): string[] {
  const names = context.lookup.inheritedNames(id);
  return names.length === 0 ? names : (context.editsOf(kind, id)?.keptAliases(names, name) ?? names);
}

/**
 * Saves the row and the search names of a record.
 * @param columns the columns besides the names
 * @param qualifier what is added to a slug that another record has, such as a country; null if nothing is known
 * @returns the changed columns
 */
export function saveNamedRecord(
  context: WriteContext,
  kind: NameOnlyKind,
  id: number,
  sourceRecords: readonly { statement: NamedContent }[],
  columns: Record<string, string | number | null>,
  qualifier: () => string | null = () => null,
): Set<string> {
  const names = nameColumns(sourceRecords);
  const { name } = names;
  const ownAliases = mergeAliases(sourceRecords, name);
  const before = context.writer.row(kind, id);
  const inheritedNames = before === undefined ? [] : keptInheritedNames(context, kind, id, name);
  const aliases =
    inheritedNames.length === 0
      ? ownAliases
      : [...new Set([...ownAliases, ...inheritedNames])].filter((one) => one !== name);
  const row = { ...names, ...columns, aliases: JSON.stringify(aliases) };
  const slugs = () => {
    const [stem, suffix] = [slugOf(name, kind), qualifier()];
    return suffix === null ? [stem] : [stem, `${stem}-${suffix}`];
  };
  const changedColumns = context.writer.save(kind, id, row, slugs, context.now);
  if (changedColumns.has('name') || changedColumns.has('aliases')) {
    const isNew = before === undefined;
    const rank = { prominence: isNew ? 0 : context.names.prominence(kind, id) };
    context.names.write(kind, id, name, aliases, rank, '', isNew);
    // Cached references may resolve differently under the new names.
    if (before !== undefined) context.resolver.clearCache();
  }
  return changedColumns;
}
