/** Rebuilds artists and labels from their source records. */
import type { FeedKind } from '../../contract/feed.ts';
import { fold } from '../../text/fold.ts';
import { isPlaceholderArtist } from '../../text/lineup/entry.ts';
import type { NamedReference, SourceRun } from '../resolution/references.ts';
import type { WriteContext } from '../write-context.ts';
import { misreadNames } from './lineup-entries.ts';
import { RejectedRecord, statedGenres } from './places.ts';
import {
  linkColumns,
  markDependentsStale,
  mergeAliases,
  nameColumns,
  saveNamedRecord,
  sourceRunOf,
  withoutRemoved,
} from './rebuild-helpers.ts';
import { fieldOwner, fieldValues, type SourceRecord } from './survivorship.ts';

/**
 * Computes an artist and saves it with its genres. Marks the records that show it if its name changed.
 * @throws RejectedRecord for a new artist with the name of a placeholder, such as "TBA"
 */
export function rebuildArtist(
  context: WriteContext,
  id: number,
  sourceRecords: SourceRecord<'artist'>[],
): void {
  const names = nameColumns(sourceRecords);
  if (context.writer.row('artist', id) === undefined && isPlaceholderArtist(names.name))
    throw new RejectedRecord(
      `name ${JSON.stringify(names.name)} is a placeholder, not the name of an artist`,
    );
  const row = {
    ...fieldValues(sourceRecords, ['country', 'image_url', 'real_name', 'biography', 'ended_at']),
    ...linkColumns(sourceRecords),
  };
  const changedColumns = saveNamedRecord(context, 'artist', id, sourceRecords, row, () => countrySuffix(row));
  markDependentsStale(context, 'artist', id, changedColumns, ['name']);
  if (changedColumns.has('name')) markMisreadLineupsStale(context, names.name);
  if (changedColumns.has('name') || changedColumns.has('aliases')) {
    const aliases = mergeAliases(sourceRecords, names.name).slice(0, maxAliases);
    context.resolver.indexes.jointArtistIndex.onArtistsAdded([names.name, ...aliases]);
    context.resolver.indexes.jointArtistIndex.onNamesAdded(id, names.name, aliases);
  }
  if (saveArtistGenres(context, id, statedGenres(context, sourceRecords) ?? []))
    context.writer.touch('artist', id, context.now);
}

/** Child tables of records besides `artist_genres`. */
const ownChildTables: Partial<Record<FeedKind, 'label_artists' | 'festival_genres'>> = {
  label: 'label_artists',
  festival: 'festival_genres',
};

/** Clears the genres or artists of a record that is known by name only from now on. */
export function clearOwnChildren(context: WriteContext, kind: FeedKind, id: number): void {
  const table = ownChildTables[kind];
  if (kind === 'artist') saveArtistGenres(context, id, []);
  else if (table !== undefined) context.writer.saveChildren(table, id, []);
}

/** Saves the genres of an artist, [genre, direct]. Events whose genres are derived from it are marked for rebuilding. */
export function saveArtistGenres(
  { writer, lookup }: WriteContext,
  id: number,
  genres: [number, 0 | 1][],
): boolean {
  if (!writer.saveChildren('artist_genres', id, genres)) return false;
  if (!writer.isNewInSavepoint(id)) lookup.artistGenres.markEvents(id);
  return true;
}

const countrySuffix = ({ country }: { country: string | null }): string | null =>
  country?.toLowerCase() ?? null;

/** The artists that a source names, created if needed, without placeholders and removed ones. */
export const resolveArtists = (
  { resolver }: WriteContext,
  artists: readonly NamedReference[] | null | undefined,
  sourceRun: SourceRun,
): number[] =>
  (artists ?? [])
    .filter(({ name }) => !isPlaceholderArtist(name))
    .map((artist) => resolver.artist(artist, sourceRun))
    .filter((id) => id !== null);

/** Maximum number of aliases for which line-ups are checked. */
const maxAliases = 50;

/** Marks line-ups for rebuilding that contain this name as one of several artists, or as part of another name. */
function markMisreadLineupsStale({ lookup, resolver }: WriteContext, name: string): void {
  resolver.indexes.jointArtistIndex.onJointArtistAdded(name);
  for (const part of misreadNames(name)) {
    for (const { id } of lookup.byName('artist', fold(part))) lookup.markDependents('artist', id);
  }
}

/**
 * Computes a label and saves it with its artists, which are created if needed.
 * @throws RejectedRecord if its parent is the label itself or below it
 */
export function rebuildLabel(
  context: WriteContext,
  id: number,
  sourceRecords: SourceRecord<'label'>[],
): void {
  const names = nameColumns(sourceRecords);
  const owner = fieldOwner(sourceRecords, 'parent');
  const parent = owner?.statement.parent ?? null;
  if (parent && parent.external_id == null && fold(parent.name) === names.folded) {
    throw new RejectedRecord(
      `parent "${parent.name}" is this label itself: a label cannot be its own parent`,
    );
  }
  const parentId = parent && owner ? context.resolver.label(parent, sourceRunOf(context, owner)) : null;
  for (let above = parentId; above !== null; above = context.writer.row('label', above)?.parent_id ?? null) {
    if (above === id)
      throw new RejectedRecord(
        `parent "${parent?.name}" belongs to this label: a label cannot be its own ancestor`,
      );
  }
  const row = {
    parent_id: parentId,
    ...fieldValues(sourceRecords, ['country', 'founded_year', 'description', 'website', 'image_url']),
    ...fieldValues(sourceRecords, ['closed_at']),
    ...linkColumns(sourceRecords),
  };
  saveNamedRecord(context, 'label', id, sourceRecords, row, () => countrySuffix(row));
  const stated = sourceRecords.flatMap((one) =>
    resolveArtists(context, one.statement.artists, sourceRunOf(context, one)),
  );
  const roster = withoutRemoved(context, 'artist', stated, sourceRecords[0]?.edits);
  if (
    context.writer.saveChildren(
      'label_artists',
      id,
      [...roster].map((artist): [number] => [artist]),
    )
  ) {
    context.writer.touch('label', id, context.now);
    for (const artist of roster) context.names.markStale(artist);
    context.names.markStale(id);
  }
}
