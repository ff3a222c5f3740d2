/**
 * The levels of every comparison and what they weigh, one table per kind of record. A code is the comparison, a dot and
 * the level; a weight is a log-odds. To add a level: an entry here, and its sentence in explain.ts.
 */

/** Starts, from the clearest agreement to the clearest contradiction: `isAtLeast` compares places in this order. */
const startWeights = {
  'start.within-5-minutes': 1.6,
  'start.within-30-minutes': 1.3,
  'start.within-1-hour': 0.9,
  'start.same-date': 0.9,
  'start.country-zone-5-minutes': 0.8,
  'start.date-and-clock': 0.7,
  'start.country-zone-1-hour': 0.6,
  'start.after-midnight': 0.5,
  'start.written-as-utc': 0.5,
  'start.early-clock-on-date': 0.2,
  'start.zone-unknown': -0.3,
  'start.within-2-hours': -0.6,
  'start.midnight': -0.6,
  'start.next-date-zone-unknown': -0.8,
  'start.half-a-day': -1,
  'start.day-before': -1,
  'start.night-into-date': -1.5,
  'start.within-3-hours': -2.2,
  'start.any-zone-3-hours': -2.2,
  'start.within-5-hours': -3.6,
  'start.any-zone-5-hours': -4,
  'start.within-12-hours': -5,
  'start.next-date': -5,
  'start.next-date-and-clock': -5,
  'start.over-12-hours': -9,
  'start.other-date': -9,
};

/** Titles, in the same order. */
const titleWeights = {
  'title.same': 2.8,
  'title.holds-3-words': 2.8,
  'title.same-segments': 2.8,
  'title.same-core': 2.6,
  'title.holds-2-words-in-order': 2.6,
  'title.same-word': 2.4,
  'title.holds-2-words': 2.2,
  'title.same-segment': 2.2,
  'title.shared-segments': 2.2,
  'title.same-core-word': 2.2,
  'title.is-lead': 2.2,
  'title.most-of-3-words': 2.2,
  'title.same-holiday': 2,
  'title.several-names': 2,
  'title.same-general': 2,
  'title.same-core-and-acts': 1.8,
  'title.contains-lead': 1.8,
  'title.series-night': 1.8,
  'title.same-lead': 1.8,
  'title.holds-1-word-in-order': 1.4 + 0.4,
  'title.most-of-2-words': 0.6 + 0.55 * 2,
  'title.initials': 1.6,
  'title.shared-segment': 1.5,
  'title.general-words': 1.5,
  'title.general-lead': 1.5,
  'title.holds-1-word': 1.4,
  'title.same-short-segment': 1.4,
  'title.act-name': 0.8,
  'title.act-name-only': 0.3,
  'title.shared-promoter': 0.2,
  'title.shared-word': 0.2,
  'title.unlike-with-shared-acts': -0.2,
  'title.unlike': -1.1,
};

/** Places of two listings, in the same order: venues if both name one, otherwise cities and countries. */
const placeWeights = {
  'venue.same': 2,
  'venue.stage': 2,
  'venue.likely-same': 1.6,
  'venue.moved': 1.2,
  'city.same': 1,
  'venue.in-title': 0.8,
  'venue.same-edition': 0.6,
  'venue.possibly-same': 0.5,
  'place.unknown': 0,
  'venue.extra-words': -0.5,
  'venue.other-script': -0.8,
  'city.possible-translation': -1.5,
  'city.possible-district': -1.5,
  'venue.different': -3,
  'venue.unlike': -4,
  'venue.generic-name': -4.5,
  'venue.same-name-far': -4.5,
  'venue.far': -6.5,
  'city.both-unknown': -6.5,
  'city.different': -6.5,
  'venue.other-country': -7,
  'country.different': -7,
};

/** Places that the line-up or the title raises to at least this weight: what agrees in spite of the names. */
export const raisedPlaceWeights = {
  'raised.unknown-city-and-title': 1.4,
  'raised.word-and-title': 1.4,
  'raised.two-unknown-cities': 1.4,
  'raised.possibly-same': 1.4,
  'raised.word-city-and-title': 0.6,
  'raised.near': 0.6,
  'raised.general-words': 0.6,
  'raised.word-date-and-acts': 0.4,
  'raised.word-start-and-title': 0,
  'raised.start-title-and-line-up': -0.4,
  'raised.start-and-acts': -0.4,
  'raised.word-clock-and-more': -0.4,
  'raised.midnight-and-3-acts': -0.4,
  'raised.other-city-start-and-acts': -0.4,
  'raised.word-and-start': -0.6,
  'raised.date-and-line-up': -0.8,
  'raised.other-city-date-and-line-up': -0.8,
  'raised.far-start-and-acts': -1.2,
  'raised.start-and-title': -1.2,
  'raised.word-and-clock': -1.4,
  'raised.clock-and-acts': -1.4,
  'raised.other-city-and-acts': -1.8,
  'raised.start': -1.9,
};

/**
 * Acts that two line-ups share: the part of the shorter one (both the same; most, half or few of it), and their number
 * (4: four and more). Supports: neither knows whom the other lists first.
 */
const sharedActsWeights = {
  'line-up.same-1': 2.6,
  'line-up.same-2': 3.6 + 0.4,
  'line-up.same-3': 4.4 + 0.4,
  'line-up.same-4': 5 + 0.4,
  'line-up.most-1': 2.6,
  'line-up.most-2': 3.6,
  'line-up.most-3': 4.4,
  'line-up.most-4': 5,
  'line-up.half-1': 1.5,
  'line-up.half-2': 2.8,
  'line-up.half-3': 3.8,
  'line-up.half-4': 4.4,
  'line-up.few-1': 0.2,
  'line-up.few-2': 1.2,
  'line-up.few-3': 2,
  'line-up.few-4': 2.6,
  'line-up.half-supports-1': 1.5 - 1.8,
  'line-up.half-supports-2': 2.8 - 1.8,
  'line-up.half-supports-3': 3.8 - 1.8,
  'line-up.half-supports-4': 4.4 - 1.8,
  'line-up.few-supports-1': 0.2 - 1.8,
  'line-up.few-supports-2': 1.2 - 1.8,
  'line-up.few-supports-3': 2 - 1.8,
  'line-up.few-supports-4': 2.6 - 1.8,
};

/** What two titles say of the parts of an occasion. */
export const attributeWeights = {
  'title.both-before-or-after': 1.2,
  'title.before-or-after': -5,
  'title.before-or-after-unknown': -0.6,
  'title.before-or-after-at-once': -0.3,
  'title.both-add-on': 1.5,
  'title.add-on-kind': -5,
  'title.add-on': -5,
  'title.tribute': -4.6,
  'title.day-of-several': -5,
  'title.pass-and-days': 1,
  'title.pass-and-day': -5,
  'title.both-passes': 1,
  'title.pass-lengths': -5,
  'title.single-day': -2.2,
  'title.bundle': -1.2,
  'title.early-and-late': -6,
  'title.early-or-late': -0.6,
  'title.opening-and-closing': -6,
  'title.opening-or-closing': -0.6,
  'title.both-opening': 1.4,
  'title.both-closing': 1.4,
  'title.day-numbers': -6,
  'title.day-number': -0.7,
  'title.part-numbers': -6,
  'title.anniversary': 1,
  'title.edition-numbers': -5,
  'title.stages': -3,
  'title.stage': -3.2,
  'title.stage-of-same': -1,
  'title.weekdays': -4,
};

export const eventWeights = {
  ...startWeights,
  ...titleWeights,
  ...placeWeights,
  ...attributeWeights,
  ...sharedActsWeights,
  'line-up.title-names-1': 2.5,
  'line-up.title-names-2': 3.5,
  'line-up.title-names-3': 4.3,
  'line-up.title-last-name': 1.2,
  'line-up.half-names': 1.2,
  'line-up.disjoint-1': -2.8,
  'line-up.disjoint-2': -3.4,
  'line-up.disjoint-3': -4,
  'source.listed-twice': 2,
  'source.two-ids': -6,
  'festival.same': 0.4,
  'festival.different': -1,
  'festival.other-edition': -4,
  'length.night-and-days': -3,
  'price.same': 0.4,
  'price.far-apart': -0.4,
  'genre.shared': 0.2,
  'link.shared': 4,
  'link.shared-busy': 0.3,
  'link.shared-general': 0.3,
  'link.two-pages': -1.2,
};

/** Ids decide alone, whatever the kind; so does a name that is known alone. */
export const idWeights = { 'external id.same': 9, 'external id.different': -9 };
export const nameOnlyWeights = {
  'name.mention': 3,
  'name.mention-affix': 3,
  'name.long-different': -6,
};

/** Coordinates with few decimals stand for a town: a distance between them counts for less. */
const imprecisionFactor = 0.4;

export const venueWeights = {
  'record.same': 9,
  'name.same-rare': 4.6,
  'name.same': 4,
  'name.same-core-rare': 4,
  'name.same-core': 3.4,
  'name.other-script': 3,
  'name.mixed-script': 3,
  'name.slip': 2.6,
  'name.nested': 2.6,
  'name.room': 2.4,
  'name.shared-part': 2.2,
  'name.two-rooms': 1.6,
  'name.initials': 1.4,
  'name.extra-words-of-several': 0.8,
  'name.most-words': 0.8,
  'name.extra-words': -0.4,
  'name.unreadable': -1,
  'name.few-words': -2.5,
  'name.different': -3.5,
  'name.numbers': -4,
  'name.no-place': -9,
  'country.different': -6,
  'city.same': 1.2,
  'city.by-address': 1.2,
  'city.possible-translation': -1.5,
  'city.possible-district': -2.2,
  'city.both-unknown': -4.4,
  'city.different': -4.5,
  'distance.within-80-m': 2,
  'distance.within-250-m': 1,
  'distance.within-700-m': -0.2,
  'distance.within-2-km': -1.5,
  'distance.within-30-km': -4,
  'distance.over-30-km': -6,
  'distance.imprecise-within-80-m': 2 * imprecisionFactor,
  'distance.imprecise-within-250-m': 1 * imprecisionFactor,
  'distance.imprecise-within-700-m': -0.2 * imprecisionFactor,
  'distance.imprecise-within-2-km': -1.5 * imprecisionFactor,
  'distance.imprecise-within-30-km': -4 * imprecisionFactor,
  'address.same': 2.4,
  'address.postal-code': 0.8,
  'address.same-street': 0.6,
  'address.other-street-near': -0.6,
  'address.other-street': -1.8,
  'address.other-number': -1.8,
  'website.same': 1.8,
  'source.two-ids': -4,
};

/** What weighs the same of artists, labels and festivals. */
export const commonWeights = {
  'country.same': 1.5,
  'link.shared': 4,
  'genre.mentioned': 0.6,
  'genre.shared': 0.6,
  'genre.different': -0.4,
  'source.two-ids': -6,
  'name.removed-artist': -6,
};

export const artistWeights = {
  ...commonWeights,
  'name.same': 3,
  'name.same-short': 1.6,
  'name.written-otherwise': 2.8,
  'name.written-otherwise-short': 1.4,
  'name.other-order': 2.8,
  'name.affix': 2.8,
  'name.alias-spelling': 2.6,
  'name.alias-part': 2.4,
  'name.other-script': 2.2,
  'name.alias-part-short': 1.6,
  'name.affix-short': 1.6,
  'name.letter-of-long': 1.2,
  'name.letter': -1.5,
  'name.common-alias': -4,
  'name.different': -6,
  'aside.mentioned': 1.5,
  'aside.same': 1,
  'aside.one': -0.6,
  'aside.different': -2,
  'country.different-rare-name': -1.2,
  'country.different': -3,
  'real name.same': 3,
  'real name.mentioned': 3,
  'real name.shared-word': 0,
  'real name.different': -2,
};

export const labelWeights = {
  ...commonWeights,
  'name.same': 3,
  'name.same-short': 1.6,
  'name.written-otherwise': 2.8,
  'name.written-otherwise-short': 1.4,
  'name.label-suffix': 2.5,
  'name.alias': 2.4,
  'name.label-suffix-short': 1.6,
  'name.different': -6,
  'country.different': -2.4,
  'founded.same': 1.5,
  'founded.near': 0,
  'founded.different': -1.5,
  'parent.same': 1.5,
  'parent.different': -1.5,
  'website.same': 1.8,
};

export const festivalWeights = {
  ...commonWeights,
  'name.same': 3,
  'name.festival-words': 2.8,
  'name.other-script': 2.4,
  'name.letter': 2,
  'name.alias': 2,
  'name.extra-words': -4,
  'name.offshoot': -4.5,
  'name.different': -6,
  'country.different': -5,
  'city.same': 1.5,
  'city.different-in-country': -1.5,
  'city.different': -2.5,
  'website.longer-name': 4,
  'website.same': 3,
  'website.other-name': 1,
};

/** The levels of all comparisons; venues of one name weigh like the level that holds without their cities. */
export type EvidenceCode =
  | 'venue.possible-district'
  | keyof typeof eventWeights
  | keyof typeof idWeights
  | keyof typeof nameOnlyWeights
  | keyof typeof venueWeights
  | keyof typeof artistWeights
  | keyof typeof labelWeights
  | keyof typeof festivalWeights;
type ComparisonOf<Code> = Code extends `${infer Comparison}.${string}` ? Comparison : never;
/** What is compared: "start", "name". */
export type Comparison = ComparisonOf<EvidenceCode>;

export type TitleCode = keyof typeof titleWeights;
export type PlaceCode = keyof typeof placeWeights;
type RankedCode = keyof typeof startWeights | TitleCode | PlaceCode;
export const rankedCodes = [startWeights, titleWeights, placeWeights].map(Object.keys) as RankedCode[][];
const ranks = new Map<Level, number>(rankedCodes.flat().map((code, rank) => [code, rank]));

/** Whether a start, a title or a place is at a level, or at one before it in its table; null is at none. */
export function isAtLeast<Ranked extends RankedCode>(
  evidence: { code: Level } | null,
  level: Ranked,
): boolean {
  return evidence !== null && (ranks.get(evidence.code) as number) <= (ranks.get(level) as number);
}

/** What evidence weighs: the level of its code, or the one that it is raised to. */
export type Level = EvidenceCode | keyof typeof raisedPlaceWeights;
