/**
 * Names in which "removed artist" stands for the name of a forgotten person: the words say nothing, since they may have been
 * two people's names.
 */
import { memoizeByObject } from '../../memoize.ts';
import { namesRemovedArtist, removedArtistText, withoutRemovedArtist } from '../../text/removed-artist.ts';
import { tokenize, venueStopWords } from '../../text/tokens.ts';
import { decideByRule, evidenceOf, type MatchResult, type NameAndAliases } from '../model.ts';
import { commonWeights } from '../weights.ts';

const commonEvidence = evidenceOf(commonWeights);

const different = (): MatchResult =>
  decideByRule('removed-name', 'different', 0.02, [commonEvidence('name.removed-artist', removedArtistText)]);

const hasRemovedName = memoizeByObject(
  ({ name, aliases }: NameAndAliases): boolean =>
    namesRemovedArtist(name) || (aliases?.some(namesRemovedArtist) ?? false),
);

/** Records of which one has such a name are different, unless ids decided before. Null if neither has one. */
export const decideRemovedNames = (a: NameAndAliases, b: NameAndAliases): MatchResult | null =>
  namesRemovedArtist(a.name) || namesRemovedArtist(b.name) ? different() : null;

/**
 * Compares venues by the other words of their names: "removed artist Schwarzgarten" is a garden of that name. Without a
 * telling word they are different. Null if neither has such a name.
 */
export function compareRemovedVenues<T extends NameAndAliases>(
  a: T,
  b: T,
  compare: (a: T, b: T) => MatchResult,
): MatchResult | null {
  if (!hasRemovedName(a) && !hasRemovedName(b)) return null;
  const [one, two] = [withOtherWords(a), withOtherWords(b)];
  return one === null || two === null ? different() : compare(one, two);
}

/** The facts with the other words of the names; null if none of them tells a venue. */
function withOtherWords<T extends NameAndAliases>(facts: T): T | null {
  const name = withoutRemovedArtist(facts.name);
  if (namesRemovedArtist(facts.name) && !isTelling(name)) return null;
  const aliases = facts.aliases?.filter((alias) => !namesRemovedArtist(alias));
  return { ...facts, name, ...(aliases === undefined ? {} : { aliases }) };
}

const isTelling = (name: string): boolean => tokenize(name).some((word) => !venueStopWords.has(word));
