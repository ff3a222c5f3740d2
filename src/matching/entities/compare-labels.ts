/** Compares two source records of labels. */
import { memoizeByObject } from '../../memoize.ts';
import { compactKey, parseArtistName } from '../../text/artist-name.ts';
import { findNationality } from '../../text/nationalities.ts';
import { tokenize } from '../../text/tokens.ts';
import { type Evidence, evidenceOf, type LabelFacts, type MatchResult, scoreEvidence } from '../model.ts';
import { labelWeights } from '../weights.ts';
import { sharedWebsite } from './compare-venues.ts';
import { compareCountries, comparePages, decideByIds } from './shared-evidence.ts';

/** As with artists. */
const prior = -1;
const labelEvidence = evidenceOf(labelWeights);

/** Behind most names of labels. "Ltd", "Digital", "Black" are none of these: they name imprints of their own. */
const labelSuffixes =
  /(?:records|recordings|recording|record|music|label|musik|disques|discos|tontraeger|tontrager|recs|rec)$/;

/** A label's name as it is compared: "R & S Records" is "R&S Records", "Drumcode Limited" is "Drumcode Ltd." */
const labelKey = (name: string): string =>
  compactKey(parseArtistName(name).names[0] as string).replace(/(?<=..)limited$/, 'ltd');

/** The same without what labels are called: "Ostgut Ton", "Ostgut Ton Records". */
export const labelStem = (name: string): string => {
  const key = labelKey(name);
  const stem = key.replace(labelSuffixes, '');
  return stem.length >= 2 ? stem : key;
};

/** Compares two labels. Pure and symmetric. */
export function compareLabels(a: LabelFacts, b: LabelFacts): MatchResult {
  const decided = decideByIds(a, b);
  if (decided) return decided;
  const reasons = [
    compareNames(a, b),
    ...compareCountries(withCountry(a), withCountry(b), (x, y) => labelEvidence('country.different', x, y)),
    ...comparePages(a, b),
    ...compareYears(a, b),
    ...compareParents(a, b),
  ];
  const site = sharedWebsite(a.website, b.website);
  if (site !== null) reasons.push(labelEvidence('website.same', site));
  return scoreEvidence(reasons, prior);
}

/** A label that says of what country it is: "UK drum & bass label". */
const withCountry = memoizeByObject(
  (facts: LabelFacts): LabelFacts => ({
    ...facts,
    country: facts.country ?? findNationality(facts.biography),
  }),
);

const aliasKeys = memoizeByObject(
  ({ aliases }: LabelFacts): ReadonlySet<string> => new Set((aliases ?? []).map(labelKey)),
);

function compareNames(a: LabelFacts, b: LabelFacts): Evidence {
  const [one, two] = [labelKey(a.name), labelKey(b.name)];
  // Several labels may have the same name of one or two letters.
  const isShort = Math.min(one.length, two.length) <= 2;
  if (one === two)
    return tokenize(a.name).join(' ') === tokenize(b.name).join(' ')
      ? labelEvidence(isShort ? 'name.same-short' : 'name.same')
      : labelEvidence(isShort ? 'name.written-otherwise-short' : 'name.written-otherwise');
  const [stem, other] = [labelStem(a.name), labelStem(b.name)];
  if (stem === other)
    return labelEvidence(stem.length <= 2 ? 'name.label-suffix-short' : 'name.label-suffix');
  const isAlias = (from: LabelFacts, key: string) => aliasKeys(from).has(key);
  if (isAlias(a, two) || isAlias(b, one)) return labelEvidence('name.alias');
  return labelEvidence('name.different');
}

function compareYears(a: LabelFacts, b: LabelFacts): Evidence[] {
  if (!a.foundedYear || !b.foundedYear) return [];
  const apart = Math.abs(a.foundedYear - b.foundedYear);
  const code = apart <= 1 ? 'founded.same' : apart <= 3 ? 'founded.near' : 'founded.different';
  return [labelEvidence(code, apart)];
}

function compareParents(a: LabelFacts, b: LabelFacts): Evidence[] {
  if (!a.parent || !b.parent) return [];
  const isOne = labelStem(a.parent) === labelStem(b.parent);
  return [
    isOne ? labelEvidence('parent.same', a.parent) : labelEvidence('parent.different', a.parent, b.parent),
  ];
}
