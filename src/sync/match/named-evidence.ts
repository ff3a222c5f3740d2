/** What speaks for and against two artists, labels or festivals being one, besides what they are called. */

import { once } from '../../remembered.ts';
import { compareIds } from './ids.ts';
import { pageKey } from './links.ts';
import { type ArtistFacts, type Judgement, type Reason, ruled } from './listing.ts';
import { alikeTexts, wordsOf } from './words.ts';

/** Ids decide alone: those of services, and two ids at one source. */
export function decideByIds(a: ArtistFacts, b: ArtistFacts): Judgement | null {
  const ids = compareIds(a, b);
  if (ids)
    return ruled('external id', ids.weight > 0 ? 'same' : 'different', ids.weight > 0 ? 0.99 : 0.02, [ids]);
  const own = a.source != null && a.source === b.source && a.externalId != null && b.externalId != null;
  if (!own || a.externalId === b.externalId) return null;
  const reason = { evidence: 'source', weight: -6, text: `two ids at ${a.source}` };
  return ruled('two ids at one source', 'different', 0.02, [reason]);
}

/** @param differing what two countries weigh */
export function compareCountries(a: ArtistFacts, b: ArtistFacts, differing: number): Reason[] {
  if (!a.country || !b.country) return [];
  const same = a.country.toUpperCase() === b.country.toUpperCase();
  const text = same ? `both of ${a.country}` : `${a.country} and ${b.country}`;
  return [{ evidence: 'country', weight: same ? 1.5 : differing, text }];
}

/** Who the artists are: what both are called in life, or what one tells of the other. */
export function comparePeople(a: ArtistFacts, b: ArtistFacts): Reason[] {
  if (!a.realName || !b.realName) return isTold(a, b) || isTold(b, a) ? [told] : [];
  const [one, two] = [wordsOf(a.realName), wordsOf(b.realName)];
  if (isOneName(one, two)) return [{ evidence: 'real name', weight: 3, text: 'one real name' }];
  const shares = one.some((word) => two.includes(word));
  return [{ evidence: 'real name', weight: shares ? 0 : -2, text: 'different real names' }];
}

/** "Oliver Jones", "Jones, Oliver Dene": all words of the shorter stand in the longer. */
function isOneName(a: readonly string[], b: readonly string[]): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (short.length >= 2 && short.every((word) => long.includes(word))) return true;
  return alikeTexts(a.toSorted().join(' '), b.toSorted().join(' '));
}

const told: Reason = { evidence: 'real name', weight: 3, text: 'one tells the real name of the other' };

/** "Berlin producer René Pawlowitz": the biography of one has the real name of the other. */
function isTold({ realName }: ArtistFacts, facts: ArtistFacts): boolean {
  if (!realName || !facts.biography) return false;
  const name = wordsOf(realName);
  return name.length >= 2 && name.join('').length >= 8 && name.every((word) => wordsTold(facts).has(word));
}

/** The words in which something is told of; each object is read once. */
const wordsTold = once(
  ({ biography }: ArtistFacts): ReadonlySet<string> => new Set(wordsOf((biography ?? '').slice(0, 2_000))),
);

/** The pages of something that are more than a site's first one; each object is read once. */
const pagesIn = once(
  ({ links }: ArtistFacts): ReadonlySet<string> =>
    new Set(
      (links ?? []).map(({ url }) => pageKey(url)).filter((key) => key?.includes('/') === true),
    ) as ReadonlySet<string>,
);

/** A page that both link to. */
export function comparePages(a: ArtistFacts, b: ArtistFacts): Reason[] {
  const [pages, others] = [pagesIn(a), pagesIn(b)];
  if (pages.size === 0 || others.size === 0) return [];
  const shared = [...others].find((key) => pages.has(key));
  return shared ? [{ evidence: 'link', weight: 4, text: `both link to ${shared}` }] : [];
}

/** Kinds of music that each is said to make; the names of most say more or less the same. */
export function compareGenres(a: ArtistFacts, b: ArtistFacts): Reason[] {
  const [genres, others] = [genreWords(a), genreWords(b)];
  if (genres.length === 0 || others.length === 0)
    return tellsOf(a, others) || tellsOf(b, genres)
      ? [{ evidence: 'genre', weight: 0.6, text: 'one tells of the music that the other makes' }]
      : [];
  const shared = others.some((genre) => genres.includes(genre));
  return [
    {
      evidence: 'genre',
      weight: shared ? 0.6 : -0.4,
      text: shared ? 'a genre in common' : 'no genre in common',
    },
  ];
}

/** "Trance (Main Floor)", "Drum & Bass": the words that kinds of music have in common with few others. */
const genreWords = once(({ genres }: ArtistFacts): readonly string[] => [
  ...new Set(
    (genres ?? []).flatMap((genre) =>
      wordsOf(genre).filter((word) => word.length >= 4 && !anyMusic.test(word)),
    ),
  ),
]);
const anyMusic = /^(?:music|electronic|electronica|dance|main|floor|other|driving|peak|time)$/;

/** "Rock supergroup": what one tells of itself has the other's kind of music. */
const tellsOf = (facts: ArtistFacts, genres: readonly string[]): boolean =>
  genres.length > 0 && genres.some((genre) => firstWordsTold(facts).has(genre));
const firstWordsTold = once(
  ({ biography }: ArtistFacts): ReadonlySet<string> => new Set(wordsOf((biography ?? '').slice(0, 500))),
);
