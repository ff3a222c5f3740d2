/** Artists and labels, worked out from what is said of them. */
import { fold } from '../../store/fold.ts';
import { externalIdsOf, ownerOf, type Said, stated } from '../merge.ts';
import { isNobody } from '../reading/entry.ts';
import { slugOf } from '../slug.ts';
import {
  aliasesOf,
  type Context,
  linksOf,
  namedRow,
  saveNamed,
  speakerOf,
  staleDependents,
} from './context.ts';
import { readInstead } from './lineup-said.ts';
import { genresWithAncestors, RejectedStatement } from './places.ts';

/** Slugs for a name that others have too: with the country, where that is known. */
const slugs = (name: string, kind: string, country: string | null) => () => {
  const stem = slugOf(name, kind);
  return country === null ? [stem] : [stem, `${stem}-${country.toLowerCase()}`];
};

export function rebuildArtist(context: Context, id: number, said: Said<'artist'>[]): void {
  const named = namedRow(said);
  if (context.writer.row('artist', id) === undefined && isNobody(named.name))
    throw new RejectedStatement(`name ${JSON.stringify(named.name)} is nobody's in particular: no artist`);
  const country = stated(said, 'country');
  const row = {
    ...named,
    country,
    image_url: stated(said, 'image_url'),
    real_name: stated(said, 'real_name'),
    biography: stated(said, 'biography'),
    links: linksOf(said),
    external_ids: externalIdsOf(said),
  };
  const differing = saveNamed(
    context,
    'artist',
    id,
    row,
    aliasesOf(said, named.name),
    slugs(named.name, 'artist', country),
  );
  staleDependents(context, 'artist', id, differing, ['name']);
  if (differing.has('name')) staleReadings(context, named.name);
  if (differing.has('name') || differing.has('aliases')) {
    const names = [named.name, ...aliasesOf(said, named.name).slice(0, mostAliases)];
    for (const [at, name] of names.entries()) {
      context.resolver.wholes?.partKnown(name);
      context.resolver.wholes?.nameKnown(id, name, at > 0);
    }
  }
  const owner = ownerOf(said, 'genres');
  const genres = owner
    ? genresWithAncestors(context, owner.statement.genres ?? [], speakerOf(context, owner))
    : [];
  if (context.writer.saveChildren('artist_genres', id, genres))
    context.writer.touch('artist', id, context.now);
}

/** So many aliases may be parts of what line-ups name. */
const mostAliases = 50;

/** Line-ups in which this name was taken for several acts, or another one, are read again. */
function staleReadings({ lookup, resolver }: Context, name: string): void {
  resolver.wholes?.wholeKnown(name);
  for (const part of readInstead(name)) {
    for (const { id } of lookup.byName('artist', fold(part))) lookup.markDependents('artist', id);
  }
}

export function rebuildLabel(context: Context, id: number, said: Said<'label'>[]): void {
  const named = namedRow(said);
  const country = stated(said, 'country');
  const owner = ownerOf(said, 'parent');
  const parent = owner?.statement.parent ?? null;
  if (parent && parent.external_id == null && fold(parent.name) === named.folded) {
    throw new RejectedStatement(`parent "${parent.name}" is this label itself: a tree has no circles`);
  }
  const parentId = parent && owner ? context.resolver.label(parent, speakerOf(context, owner)) : null;
  for (
    let above = parentId;
    above !== null;
    above = (context.writer.row('label', above)?.parent_id as number | null) ?? null
  ) {
    if (above === id)
      throw new RejectedStatement(
        `parent "${parent?.name}" belongs to this label itself: a tree has no circles`,
      );
  }
  const row = {
    ...named,
    parent_id: parentId,
    country,
    founded_year: stated(said, 'founded_year'),
    description: stated(said, 'description'),
    website: stated(said, 'website'),
    image_url: stated(said, 'image_url'),
    links: linksOf(said),
    external_ids: externalIdsOf(said),
  };
  saveNamed(context, 'label', id, row, aliasesOf(said, named.name), slugs(named.name, 'label', country));
  const roster = new Set<number>();
  for (const one of said) {
    for (const artist of one.statement.artists ?? [])
      if (!isNobody(artist.name)) roster.add(context.resolver.artist(artist, speakerOf(context, one)));
  }
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
