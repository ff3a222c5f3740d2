/** Evidence that artists, labels and festivals have in common, besides names. */

import { memoizeByObject } from '../../memoize.ts';
import { areSimilarTexts, tokenize } from '../../text/tokens.ts';
import { compareExternalIds } from '../external-ids.ts';
import { type ArtistFacts, decideByRule, type Evidence, evidenceOf, type MatchResult } from '../model.ts';
import { pageKey } from '../page-links.ts';
import { artistWeights, commonWeights } from '../weights.ts';
import { decideRemovedNames } from './removed-names.ts';

const commonEvidence = evidenceOf(commonWeights);
const artistEvidence = evidenceOf(artistWeights);

/** Two records are one, or two, by their ids at a service. */
export const decideByExternalId = (ids: NonNullable<ReturnType<typeof compareExternalIds>>): MatchResult =>
  ids.code === 'external id.same'
    ? decideByRule('external-id', 'same', 0.99, [ids])
    : decideByRule('external-id', 'different', 0.02, [ids]);

/** Ids decide alone: those of services, and two ids at one source. */
export function decideByIds(a: ArtistFacts, b: ArtistFacts): MatchResult | null {
  const ids = compareExternalIds(a, b);
  if (ids) return decideByExternalId(ids);
  const own = a.source != null && a.source === b.source && a.externalId != null && b.externalId != null;
  if (!own || a.externalId === b.externalId) return decideRemovedNames(a, b);
  return decideByRule('two-ids', 'different', 0.02, [commonEvidence('source.two-ids', a.source)]);
}

/** @param evidenceOfDifferent makes the evidence of two different countries */
export function compareCountries(
  a: ArtistFacts,
  b: ArtistFacts,
  evidenceOfDifferent: (a: string, b: string) => Evidence,
): Evidence[] {
  if (!a.country || !b.country) return [];
  return a.country.toUpperCase() === b.country.toUpperCase()
    ? [commonEvidence('country.same', a.country)]
    : [evidenceOfDifferent(a.country, b.country)];
}

/** Compares real names, or finds the real name of one in the biography of the other. */
export function compareRealNames(a: ArtistFacts, b: ArtistFacts): Evidence[] {
  if (!a.realName || !b.realName)
    return mentionsRealName(a, b) || mentionsRealName(b, a) ? [artistEvidence('real name.mentioned')] : [];
  const [one, two] = [tokenize(a.realName), tokenize(b.realName)];
  if (isSameRealName(one, two)) return [artistEvidence('real name.same')];
  const shares = one.some((word) => two.includes(word));
  return [artistEvidence(shares ? 'real name.shared-word' : 'real name.different')];
}

/** "Oliver Jones", "Jones, Oliver Dene": all words of the shorter stand in the longer. */
function isSameRealName(a: readonly string[], b: readonly string[]): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (short.length >= 2 && short.every((word) => long.includes(word))) return true;
  return areSimilarTexts(a.toSorted().join(' '), b.toSorted().join(' '));
}

/** "Berlin producer René Pawlowitz": the biography of one has the real name of the other. */
function mentionsRealName({ realName }: ArtistFacts, facts: ArtistFacts): boolean {
  if (!realName || !facts.biography) return false;
  const name = tokenize(realName);
  return (
    name.length >= 2 && name.join('').length >= 8 && name.every((word) => biographyTokens(facts).has(word))
  );
}

/** The words of a biography; memoized. */
const biographyTokens = memoizeByObject(
  ({ biography }: ArtistFacts): ReadonlySet<string> => new Set(tokenize((biography ?? '').slice(0, 2_000))),
);

/** The linked pages, front pages of sites left out; memoized. */
const linkedPages = memoizeByObject(
  ({ links }: ArtistFacts): ReadonlySet<string> =>
    new Set(
      (links ?? []).map(({ url }) => pageKey(url)).filter((key) => key?.includes('/') === true),
    ) as ReadonlySet<string>,
);

/** A page that both link to. */
export function comparePages(a: ArtistFacts, b: ArtistFacts): Evidence[] {
  const [pages, others] = [linkedPages(a), linkedPages(b)];
  if (pages.size === 0 || others.size === 0) return [];
  const shared = [...others].find((key) => pages.has(key));
  return shared ? [commonEvidence('link.shared', shared)] : [];
}

/** Compares genres, by the words of their names. */
export function compareGenres(a: ArtistFacts, b: ArtistFacts): Evidence[] {
  const [genres, others] = [genreTokens(a), genreTokens(b)];
  if (genres.length === 0 || others.length === 0)
    return mentionsGenre(a, others) || mentionsGenre(b, genres) ? [commonEvidence('genre.mentioned')] : [];
  const shared = others.some((genre) => genres.includes(genre));
  return [commonEvidence(shared ? 'genre.shared' : 'genre.different')];
}

/** The distinctive words of genres: "Trance (Main Floor)", "Drum & Bass". */
const genreTokens = memoizeByObject(({ genres }: ArtistFacts): readonly string[] => [
  ...new Set(
    (genres ?? []).flatMap((genre) =>
      tokenize(genre).filter((word) => word.length >= 4 && !genericGenreWords.test(word)),
    ),
  ),
]);
const genericGenreWords = /^(?:music|electronic|electronica|dance|main|floor|other|driving|peak|time)$/;

/** "Rock supergroup": whether a biography names a genre of the other. */
const mentionsGenre = (facts: ArtistFacts, genres: readonly string[]): boolean =>
  genres.length > 0 && genres.some((genre) => biographyStartTokens(facts).has(genre));
const biographyStartTokens = memoizeByObject(
  ({ biography }: ArtistFacts): ReadonlySet<string> => new Set(tokenize((biography ?? '').slice(0, 500))),
);
