/** Rebuilds artists and labels from their source records. */
import { fold } from '../../text/fold.ts';
import { isPlaceholderArtist } from '../../text/lineup/entry.ts';
import { slugOf } from '../../text/slug.ts';
import type { WriteContext } from '../write-context.ts';
import { misreadNames } from './lineup-entries.ts';
import { genresWithAncestors, RejectedRecord } from './places.ts';
import {
  markDependentsStale,
  mergeAliases,
  mergeLinks,
  nameColumns,
  saveNamedRecord,
  sourceRunOf,
} from './rebuild-helpers.ts';
import { fieldOwner, fieldValue, mergeExternalIds, type SourceRecord } from './survivorship.ts';

/** Slug candidates for a name that may be taken: the second one adds the country if it is known. */
const slugCandidates = (name: string, kind: string, country: string | null) => () => {
  const stem = slugOf(name, kind);
  return country === null ? [stem] : [stem, `${stem}-${country.toLowerCase()}`];
};

export function rebuildArtist(
  context: WriteContext,
  id: number,
  sourceRecords: SourceRecord<'artist'>[],
): void {
  const named = nameColumns(sourceRecords);
  if (context.writer.row('artist', id) === undefined && isPlaceholderArtist(named.name))
    throw new RejectedRecord(
      `name ${JSON.stringify(named.name)} is a placeholder, not the name of an artist`,
    );
  const country = fieldValue(sourceRecords, 'country');
  const row = {
    ...named,
    country,
    image_url: fieldValue(sourceRecords, 'image_url'),
    real_name: fieldValue(sourceRecords, 'real_name'),
    biography: fieldValue(sourceRecords, 'biography'),
    ended_at: fieldValue(sourceRecords, 'ended_at'),
    links: JSON.stringify(mergeLinks(sourceRecords)),
    external_ids: JSON.stringify(mergeExternalIds(sourceRecords)),
  };
  const changedColumns = saveNamedRecord(
    context,
    'artist',
    id,
    row,
    mergeAliases(sourceRecords, named.name),
    slugCandidates(named.name, 'artist', country),
  );
  markDependentsStale(context, 'artist', id, changedColumns, ['name']);
  if (changedColumns.has('name')) markMisreadLineupsStale(context, named.name);
  if (changedColumns.has('name') || changedColumns.has('aliases')) {
    const aliases = mergeAliases(sourceRecords, named.name).slice(0, maxAliases);
    context.resolver.jointArtistIndex.onArtistsAdded([named.name, ...aliases]);
    context.resolver.jointArtistIndex.onNamesAdded(id, named.name, aliases);
  }
  const owner = fieldOwner(sourceRecords, 'genres');
  const genres = owner
    ? genresWithAncestors(context, owner.statement.genres ?? [], sourceRunOf(context, owner), owner.edits)
    : [];
  if (saveArtistGenres(context, id, genres)) context.writer.touch('artist', id, context.now);
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

/** Maximum number of aliases for which line-ups are checked. */
const maxAliases = 50;

/** Marks line-ups for rebuilding that contain this name as one of several artists, or as part of another name. */
function markMisreadLineupsStale({ lookup, resolver }: WriteContext, name: string): void {
  resolver.jointArtistIndex.onJointArtistAdded(name);
  for (const part of misreadNames(name)) {
    for (const { id } of lookup.byName('artist', fold(part))) lookup.markDependents('artist', id);
  }
}

export function rebuildLabel(
  context: WriteContext,
  id: number,
  sourceRecords: SourceRecord<'label'>[],
): void {
  const named = nameColumns(sourceRecords);
  const country = fieldValue(sourceRecords, 'country');
  const owner = fieldOwner(sourceRecords, 'parent');
  const parent = owner?.statement.parent ?? null;
  if (parent && parent.external_id == null && fold(parent.name) === named.folded) {
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
    ...named,
    parent_id: parentId,
    country,
    founded_year: fieldValue(sourceRecords, 'founded_year'),
    description: fieldValue(sourceRecords, 'description'),
    website: fieldValue(sourceRecords, 'website'),
    image_url: fieldValue(sourceRecords, 'image_url'),
    closed_at: fieldValue(sourceRecords, 'closed_at'),
    links: JSON.stringify(mergeLinks(sourceRecords)),
    external_ids: JSON.stringify(mergeExternalIds(sourceRecords)),
  };
  saveNamedRecord(
    context,
    'label',
    id,
    row,
    mergeAliases(sourceRecords, named.name),
    slugCandidates(named.name, 'label', country),
  );
  const roster = new Set<number>();
  for (const one of sourceRecords) {
    for (const artist of one.statement.artists ?? [])
      if (!isPlaceholderArtist(artist.name)) {
        const id = context.resolver.artist(artist, sourceRunOf(context, one));
        if (id !== null) roster.add(id);
      }
  }
  const edits = sourceRecords[0]?.edits;
  if (edits !== undefined)
    for (const artist of roster)
      if (edits.removes('artists', context.writer.displayNameOf('artist', artist).name))
        roster.delete(artist);
  if (
    context.writer.saveChildren(
      'label_artists',
      id,
      [...roster].map((artist) => [artist]),
    )
  ) {
    context.writer.touch('label', id, context.now);
    for (const artist of roster) context.names.markStale(artist);
    context.names.markStale(id);
  }
}
