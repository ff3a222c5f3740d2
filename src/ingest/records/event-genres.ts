/**
 * Computes the genres of an event: those that a source or an editor states, otherwise those that its line-up has in
 * common (docs/decisions/21-derived-genres.md).
 */
import { getOrCreate } from '../../memoize.ts';
import { type ArtistGenre, type GenreLinkType, genreLink } from '../../store/resolution/artist-genres.ts';
import type { WriteContext } from '../write-context.ts';
import { genresWithAncestors, statedGenres } from './places.ts';
import { sourceRunOf, withoutRemoved } from './rebuild-helpers.ts';
import type { SourceRecord } from './survivorship.ts';

/** A genre of an event, and why it has the genre. */
export type EventGenre = [genre: number, link: GenreLinkType];

/** The share of the artists with genres that must have a genre: two of five. */
const minShare = 0.4;
/** Genres derived for one event. */
const maxDerived = 3;

/** The genres of an event with all their ancestors. `artists` is its line-up. */
export function eventGenres(
  context: WriteContext,
  sourceRecords: SourceRecord<'event'>[],
  artists: readonly number[],
): EventGenre[] {
  const stated = statedGenres(context, sourceRecords);
  if (stated !== null) return stated;
  const links = new Map<number, GenreLinkType>();
  const { lookup } = context;
  const first = sourceRecords[0] as SourceRecord<'event'>;
  const { edits } = first;
  for (const genre of withoutRemoved(context, 'genre', deriveGenres(context, artists), edits))
    links.set(genre, genreLink.derived);
  const addedNames = edits?.added('genres').map(String) ?? [];
  if (addedNames.length > 0)
    for (const [genre, link] of genresWithAncestors(context, addedNames, sourceRunOf(context, first), edits))
      if (link === genreLink.stated || !links.has(genre)) links.set(genre, link);
  for (const genre of [...links.keys()])
    for (const ancestor of lookup.withAncestors(genre))
      if (!links.has(ancestor)) links.set(ancestor, genreLink.ancestor);
  return [...links];
}

/** The artists that have a genre. */
type Carriers = { all: Set<number>; direct: Set<number>; weight: number };

/**
 * The genres that a clear share of the artists with genres have. Genres below others come first: an artist counts for
 * a genre that it states, and for one above its own unless the one below was taken.
 */
function deriveGenres({ lookup, writer }: WriteContext, artists: readonly number[]): number[] {
  const carriers = new Map<number, Carriers>();
  let count = 0;
  for (const artist of new Set(artists)) {
    const genres = lookup.artistGenres.of(artist);
    if (genres.length === 0) continue;
    count++;
    addCarrier(carriers, artist, genres);
  }
  if (count === 0) return [];
  const chainOf = (genre: number) => lookup.withAncestors(genre);
  const deepestFirst = [...carriers.keys()].sort((a, b) => chainOf(b).length - chainOf(a).length);
  const derivedGenres: { genre: number; share: number; weight: number; folded: string }[] = [];
  for (const genre of deepestFirst) {
    const { all, direct, weight } = carriers.get(genre) as Carriers;
    if (all.size / count < minShare) continue;
    // "Electronic" says nothing beside "Techno".
    if (chainOf(genre).length === 1 && derivedGenres.length > 0 && direct.size / count < minShare) continue;
    const below = derivedGenres.filter((other) => chainOf(other.genre).includes(genre));
    const covered = (artist: number) =>
      !direct.has(artist) && below.some((other) => carriers.get(other.genre)?.all.has(artist));
    const share = [...all].filter((artist) => !covered(artist)).length / count;
    if (share < minShare) continue;
    derivedGenres.push({ genre, share, weight, folded: writer.displayNameOf('genre', genre).folded });
  }
  return derivedGenres
    .sort((a, b) => b.share - a.share || b.weight - a.weight || (a.folded < b.folded ? -1 : 1))
    .slice(0, maxDerived)
    .map(({ genre }) => genre);
}

/** Counts an artist for its genres. An artist with one genre weighs more for it than an artist with five. */
function addCarrier(carriers: Map<number, Carriers>, artist: number, genres: readonly ArtistGenre[]): void {
  const directCount = genres.filter(({ isDirect }) => isDirect).length;
  for (const { genre, isDirect } of genres) {
    const entry = getOrCreate(carriers, genre, () => ({ all: new Set(), direct: new Set(), weight: 0 }));
    entry.all.add(artist);
    if (!isDirect) continue;
    entry.direct.add(artist);
    entry.weight += 1 / directCount;
  }
}
