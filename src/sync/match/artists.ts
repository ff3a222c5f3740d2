/** Whether two statements speak of one artist, label or festival. */
import { actKey } from './acts.ts';
import { compareCities } from './cities.ts';
import { pageKey } from './links.ts';
import {
  type ArtistFacts,
  type FestivalFacts,
  type Judgement,
  type LabelFacts,
  type Reason,
  ruled,
  weigh,
} from './listing.ts';
import { isSpelling, isVariant } from './name-variants.ts';
import { compareIds, compareSites } from './venues.ts';
import { alikeTexts, wordsOf } from './words.ts';

/** Two of one name are one unless something speaks against it; the name must be nearly the same for anything else to count. */
const prior = -1;

/** Whether two artists are one. Pure and symmetric. */
export function judgeArtists(a: ArtistFacts, b: ArtistFacts): Judgement {
  const decided = decideByIds(a, b);
  if (decided) return decided;
  // An alias that a source lists by itself is a record of its own (feed.md, promise 3), unless it only spells the name.
  const name = compareNames(
    a,
    b,
    actKey,
    isSpelling(a.name, b.name) ? 2.6 : isVariant(a.name, b.name) ? 1.6 : -6,
  );
  const reasons = [
    name,
    ...compareCountries(a, b, -3),
    ...comparePeople(a, b),
    ...comparePages(a, b),
    ...compareGenres(a, b),
  ];
  return weigh(reasons, prior);
}

const labelEnds =
  /(?:records|recordings|recording|record|music|label|musik|disques|discos|tontraeger|rec|recs|ltd|limited|inc|digital)$/;
/** A label's name without what labels are called: "Ostgut Ton", "Ostgut Ton Records". */
export const labelKey = (name: string): string => {
  const key = actKey(name);
  const short = key.replace(labelEnds, '');
  return short.length >= 3 ? short : key;
};

/** Whether two labels are one. Pure and symmetric. */
export function judgeLabels(a: LabelFacts, b: LabelFacts): Judgement {
  const decided = decideByIds(a, b);
  if (decided) return decided;
  const reasons = [compareNames(a, b, labelKey), ...compareCountries(a, b, -3), ...comparePages(a, b)];
  if (actKey(a.name) !== actKey(b.name) && labelKey(a.name) === labelKey(b.name))
    reasons.push({ evidence: 'name', weight: -0.8, text: 'the names differ in what labels are called' });
  if (a.foundedYear && b.foundedYear) {
    const apart = Math.abs(a.foundedYear - b.foundedYear);
    reasons.push({
      evidence: 'founded',
      weight: apart <= 1 ? 1.5 : apart <= 3 ? 0 : -1.5,
      text: `founded ${apart} years apart`,
    });
  }
  const site = compareSites(a.website, b.website);
  if (site) reasons.push(site);
  return weigh(reasons, prior);
}

const festivalWords =
  /^(?:festival|fest|festivals|open|air|openair|the|official|music|musikfestival|20\d\d|19\d\d)$/;
/** A festival's name without year and what festivals are called. */
export const festivalKey = (name: string): string => {
  const words = wordsOf(name);
  const distinct = words.filter((word) => !festivalWords.test(word));
  return (distinct.length > 0 ? distinct : words).join('');
};

/** Whether two festivals are one. Pure and symmetric. */
export function judgeFestivals(a: FestivalFacts, b: FestivalFacts): Judgement {
  const decided = decideByIds(a, b);
  if (decided) return decided;
  const reasons = [
    compareNames(a, b, festivalKey),
    ...compareCountries(a, b, -5),
    ...comparePages(a, b),
    ...compareGenres(a, b),
  ];
  const cities = compareCities(a, b);
  if (cities) reasons.push({ ...cities, weight: cities.weight > 0 ? 1.5 : -2.5 });
  const site = compareSites(a.website, b.website);
  if (site) reasons.push({ ...site, weight: 3 });
  return weigh(reasons, prior);
}

/** Ids decide alone: those of services, and two ids at one source. */
function decideByIds(a: ArtistFacts, b: ArtistFacts): Judgement | null {
  const ids = compareIds(a.externalIds, b.externalIds);
  if (ids)
    return ruled('external id', ids.weight > 0 ? 'same' : 'different', ids.weight > 0 ? 0.99 : 0.02, [ids]);
  const own = a.source != null && a.source === b.source && a.externalId != null && b.externalId != null;
  if (!own || a.externalId === b.externalId) return null;
  const reason = { evidence: 'source', weight: -6, text: `two ids at ${a.source}` };
  return ruled('two ids at one source', 'different', 0.02, [reason]);
}

function compareNames(a: ArtistFacts, b: ArtistFacts, key: (name: string) => string, alias = 2): Reason {
  const reason = (weight: number, text: string): Reason => ({ evidence: 'name', weight, text });
  const [one, two] = [key(a.name), key(b.name)];
  if (one === two) {
    // One or two letters are a name that many may have thought of.
    const short = one.length <= 2 ? 1.4 : 0;
    const whole = wordsOf(a.name).join(' ') === wordsOf(b.name).join(' ');
    return reason(
      (whole ? 3 : 2.8) - short,
      whole ? 'the same name' : 'the same name but for how it is written',
    );
  }
  const [others, otherOnes] = [(a.aliases ?? []).map(key), (b.aliases ?? []).map(key)];
  if (others.includes(two) || otherOnes.includes(one))
    return reason(alias, 'one name is an alias of the other');
  if (others.some((name) => otherOnes.includes(name))) return reason(-4, 'an alias in common');
  return alikeTexts(one, two) ? reason(-1.5, 'names that differ by a letter') : reason(-6, 'different names');
}

function compareCountries(a: ArtistFacts, b: ArtistFacts, differing: number): Reason[] {
  if (!a.country || !b.country) return [];
  const same = a.country.toUpperCase() === b.country.toUpperCase();
  const text = same ? `both of ${a.country}` : `${a.country} and ${b.country}`;
  return [{ evidence: 'country', weight: same ? 1.5 : differing, text }];
}

function comparePeople(a: ArtistFacts, b: ArtistFacts): Reason[] {
  if (!a.realName || !b.realName) return [];
  const [one, two] = [a.realName, b.realName].map((name) => wordsOf(name).toSorted().join(' '));
  if (one === two || alikeTexts(one as string, two as string))
    return [{ evidence: 'real name', weight: 3, text: 'one real name' }];
  const shares = wordsOf(a.realName).some((word) => wordsOf(b.realName as string).includes(word));
  return [{ evidence: 'real name', weight: shares ? 0 : -2, text: 'different real names' }];
}

function comparePages(a: ArtistFacts, b: ArtistFacts): Reason[] {
  const pages = new Set((a.links ?? []).map(({ url }) => pageKey(url)));
  const shared = (b.links ?? [])
    .map(({ url }) => pageKey(url))
    .find((key) => key?.includes('/') && pages.has(key));
  return shared ? [{ evidence: 'link', weight: 4, text: `both link to ${shared}` }] : [];
}

function compareGenres(a: ArtistFacts, b: ArtistFacts): Reason[] {
  const genres = new Set((a.genres ?? []).map((genre) => wordsOf(genre).join(' ')));
  const others = (b.genres ?? []).map((genre) => wordsOf(genre).join(' '));
  if (genres.size === 0 || others.length === 0) return [];
  const shared = others.some((genre) => genres.has(genre));
  return [
    {
      evidence: 'genre',
      weight: shared ? 0.6 : -0.4,
      text: shared ? 'a genre in common' : 'no genre in common',
    },
  ];
}
