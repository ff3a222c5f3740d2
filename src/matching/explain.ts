/** Sentences for people, derived from the codes of evidence and rules. No decision depends on them. */
import type { ExplainedEvidence } from '../contract/review-items.ts';
import { plural } from '../plural.ts';
import type { Evidence, MatchResult, MatchRule } from './model.ts';
import type { EvidenceCode } from './weights.ts';

export type ExplainedMatch = Omit<MatchResult, 'rule' | 'reasons'> & {
  rule: string;
  reasons: ExplainedEvidence[];
};

/** The rules by the names under which they are stored (`match_doubts.rule`) and shown. */
export const ruleNames: Record<MatchRule, string> = {
  'another-date': 'another date',
  'another-place': 'another place',
  'before-or-after': 'before or after',
  clocks: 'the clocks need more evidence',
  contradicted: 'contradicted by another',
  'early-and-late': 'early and late',
  'external-id': 'external id',
  'hours-apart': 'hours apart',
  'listed-part': 'a part listed on its own',
  'listed-twice': 'one source, listed twice',
  'long-names': 'long names',
  'name-alone': 'known by name alone',
  'no-place': 'no place',
  'no-show': 'no show',
  'one-record': 'one record',
  'opening-and-closing': 'opening and closing',
  'place-and-date': 'nothing in common but place and date',
  'removed-name': 'a removed name',
  room: 'a room, and the venue',
  'same-source-and-date': 'one source, one date',
  'several-days': 'several days',
  'title-of-many-shows': 'a title of many shows, and no venue',
  'two-days': 'two days',
  'two-ids': 'two ids at one source',
  'two-listings': 'one source, two listings',
  'two-numbers': 'two numbers',
  weighed: 'weighed',
};

/** A sentence: {0}, {1} … are the values of the evidence. */
type Sentence = string | ((evidence: Evidence) => string);

const clockDifference = ({ values = [] }: Evidence): string =>
  Number(values[0]) < 5 ? 'same start' : `starts ${formatDuration(Number(values[0]))} apart`;
const inCountryZone = (evidence: Evidence): string => `${clockDifference(evidence)} in a zone of the country`;
const yearsBetween = ({ values = [] }: Evidence): string => {
  const years = Number(values[0]);
  return years === 0 ? 'founded in one year' : `founded ${plural(years, 'year')} apart`;
};
const inAnyZone = (evidence: Evidence): string => `${clockDifference(evidence)}, whatever the zone is`;
const formatDistance = ({ values = [] }: Evidence): string => {
  const meters = Number(values[0]);
  return meters < 1_000 ? `${meters} m apart` : `${Math.round(meters / 100) / 10} km apart`;
};
const because =
  (claim: string) =>
  ({ because: reasons = [] }: Evidence): string =>
    `${claim}: ${reasons.map((reason) => sentenceOf(reason)).join(', ')}`;
const twoVenues = because('two venues');
const twoIds = 'two ids at {0}';
const bothAre = '{0} and {1}';
const partyAndEvent = '{0}-party and the thing itself';
const heldWords = 'one title holds the words of the other, or words like them';
const bothName = 'both name {0}';
const bothNameSupports = 'both name {0}, each under another headliner';
const sameBesidesGeneral = 'the same title but for general words';
const majorityOfWords = 'titles with most words in common';
const extraWords = 'one name has words that the other lacks';
const writtenOtherwise = 'the same name but for how it is written';
const aliasPart = 'one name is an alias of the other, and a part of it';
const labelSuffix = 'the names differ in what labels are called';
const sameBesidesVenueWords = 'the same name but for words that many venues have';

/** Levels that differ in a number of acts have one sentence. */
type WithoutCount<Code> = Code extends `${infer Level}-${1 | 2 | 3 | 4}` ? Level : Code;
type SentenceCode = WithoutCount<EvidenceCode>;

const sentences: Record<SentenceCode, Sentence> = {
  'address.other-number': 'one street, different numbers',
  'address.other-street': 'different streets',
  'address.other-street-near': 'different streets',
  'address.postal-code': 'one postal code',
  'address.same': 'one address',
  'address.same-street': 'one street',
  'aside.different': '{0} and {1} in brackets',
  'aside.mentioned': 'one mentions {0}',
  'aside.one': 'one with {0} in brackets',
  'aside.same': 'both with {0} in brackets',
  'city.both-unknown': bothAre,
  'city.by-address': '{0} and {1}, by the address',
  'city.different': bothAre,
  'city.different-in-country': bothAre,
  'city.possible-district': bothAre,
  'city.possible-translation': bothAre,
  'city.same': 'one city',
  'country.different': bothAre,
  'country.different-rare-name': bothAre,
  'country.same': 'both of {0}',
  'distance.imprecise-within-2-km': formatDistance,
  'distance.imprecise-within-250-m': formatDistance,
  'distance.imprecise-within-30-km': formatDistance,
  'distance.imprecise-within-700-m': formatDistance,
  'distance.imprecise-within-80-m': formatDistance,
  'distance.over-30-km': formatDistance,
  'distance.within-2-km': formatDistance,
  'distance.within-250-m': formatDistance,
  'distance.within-30-km': formatDistance,
  'distance.within-700-m': formatDistance,
  'distance.within-80-m': formatDistance,
  'external id.different': twoIds,
  'external id.same': 'one id at {0}',
  'festival.different': 'different festivals',
  'festival.other-edition': 'different editions',
  'festival.same': 'one festival',
  'founded.different': yearsBetween,
  'founded.near': yearsBetween,
  'founded.same': yearsBetween,
  'genre.different': 'no genre in common',
  'genre.mentioned': 'one mentions a genre of the other',
  'genre.shared': 'a genre in common',
  'length.night-and-days': 'one goes on for days, the other for a night',
  'line-up.disjoint': 'no act plays at both',
  'line-up.half-names': 'one names half of {0}',
  'line-up.same': bothName,
  'line-up.most': bothName,
  'line-up.half': bothName,
  'line-up.few': bothName,
  'line-up.half-supports': bothNameSupports,
  'line-up.few-supports': bothNameSupports,
  'line-up.title-last-name': 'a title has the last name of {0}',
  'line-up.title-names': 'a title names {0}',
  'link.shared': 'both link to {0}',
  'link.shared-busy': 'both link to a page that serves several dates',
  'link.shared-general': 'both link to a page that may serve several shows',
  'link.two-pages': 'two different pages at {0}',
  'name.affix': 'the same name but for "The" or "DJ"',
  'name.affix-short': 'the same short name but for "The" or "DJ"',
  'name.alias': 'one name is an alias of the other',
  'name.alias-part': aliasPart,
  'name.alias-part-short': aliasPart,
  'name.alias-spelling': 'one name is an alias of the other, and a spelling of it',
  'name.common-alias': 'an alias in common',
  'name.different': 'different names',
  'name.extra-words': extraWords,
  'name.extra-words-of-several': extraWords,
  'name.festival-words': 'the same name but for words that many festivals have',
  'name.few-words': 'names with few words in common',
  'name.initials': 'one name has the initials of the other',
  'name.label-suffix': labelSuffix,
  'name.label-suffix-short': labelSuffix,
  'name.letter': 'names that differ by a letter',
  'name.letter-of-long': 'long names that differ by a letter',
  'name.long-different': 'different names, longer than names are',
  'name.mention': 'the same name, and nothing else is known of one',
  'name.mention-affix': 'the same name but for "The", "DJ" or "and"',
  'name.mixed-script': 'one name, with words in another script',
  'name.most-words': 'names with most words in common',
  'name.nested': 'one name stands within the other, as a venue and a room of it',
  'name.no-place': 'a name that is no place',
  'name.numbers': 'names with different numbers',
  'name.offshoot': 'one is called after the other, for an occasion of its own',
  'name.other-order': 'the same names in another order',
  'name.other-script': 'one name in two scripts',
  'name.removed-artist': 'a name in which "removed artist" stands for another',
  'name.room': 'the same name but for a room',
  'name.same': 'the same name',
  'name.same-core': sameBesidesVenueWords,
  'name.same-core-rare': sameBesidesVenueWords,
  'name.same-rare': 'the same name',
  'name.same-short': 'the same name',
  'name.shared-part': 'the names have a part in common',
  'name.slip': 'names that differ by a slip',
  'name.two-rooms': 'the same name with two names of rooms',
  'name.unreadable': 'names in two scripts',
  'name.written-otherwise': writtenOtherwise,
  'name.written-otherwise-short': writtenOtherwise,
  'parent.different': bothAre,
  'parent.same': 'both belong to {0}',
  'place.unknown': 'the place of one is not known',
  'price.far-apart': 'prices far apart',
  'price.same': 'the same prices',
  'real name.different': 'different real names',
  'real name.mentioned': 'one mentions the real name of the other',
  'real name.same': 'one real name',
  'real name.shared-word': 'different real names',
  'record.same': 'one venue of the catalogue',
  'source.listed-twice': twoIds,
  'source.two-ids': twoIds,
  'start.after-midnight': 'after midnight of the night of that date',
  'start.any-zone-3-hours': inAnyZone,
  'start.any-zone-5-hours': inAnyZone,
  'start.country-zone-1-hour': inCountryZone,
  'start.country-zone-5-minutes': inCountryZone,
  'start.date-and-clock': 'same date, one without a clock',
  'start.day-before': 'a start after midnight, listed under the day before',
  'start.early-clock-on-date': 'a clock after midnight on that date',
  'start.half-a-day': 'the same clock, morning and evening perhaps confused',
  'start.midnight': 'one at midnight of that date: no clock perhaps',
  'start.next-date': 'dates a day apart',
  'start.next-date-and-clock': 'dates a day apart',
  'start.next-date-zone-unknown': 'dates a day apart, the zone is not known',
  'start.night-into-date': 'the night that goes on into that date',
  'start.other-date': 'dates {0} days apart',
  'start.over-12-hours': clockDifference,
  'start.same-date': 'same date, no clock',
  'start.within-1-hour': clockDifference,
  'start.within-12-hours': clockDifference,
  'start.within-2-hours': clockDifference,
  'start.within-3-hours': clockDifference,
  'start.within-30-minutes': clockDifference,
  'start.within-5-hours': clockDifference,
  'start.within-5-minutes': clockDifference,
  'start.written-as-utc': 'the same clock, one written as if it were UTC',
  'start.zone-unknown': (evidence) => `${clockDifference(evidence)}, the zone is not known`,
  'title.act-name': 'both are called after {0}',
  'title.act-name-only': 'both are called after {0}',
  'title.add-on': 'one sells what goes with a show',
  'title.add-on-kind': 'no show, but what goes with one, and something else',
  'title.anniversary': '{0} years of the same, presumably',
  'title.before-or-after': partyAndEvent,
  'title.before-or-after-at-once': partyAndEvent,
  'title.before-or-after-unknown': partyAndEvent,
  'title.both-add-on': 'both sell {0}',
  'title.both-before-or-after': 'both are what comes {0}',
  'title.both-closing': 'both are a closing',
  'title.both-opening': 'both are an opening',
  'title.both-passes': 'both are tickets for several days',
  'title.bundle': 'one sells more than the show',
  'title.contains-lead': 'one title has what the other begins with',
  'title.day-number': 'one is a day of several',
  'title.day-numbers': 'day {0} and day {1}',
  'title.day-of-several': 'one goes on for days, the other is one of them',
  'title.early-and-late': 'early and late show',
  'title.early-or-late': 'one is said to be the early or late show of two',
  'title.edition-numbers': 'number {0} and number {1}',
  'title.general-lead': 'general words that the other begins with',
  'title.general-words': 'the same general words',
  'title.holds-1-word': heldWords,
  'title.holds-1-word-in-order': heldWords,
  'title.holds-2-words': heldWords,
  'title.holds-2-words-in-order': heldWords,
  'title.holds-3-words': heldWords,
  'title.initials': 'one title has the initials of the other',
  'title.is-lead': 'one title is what the other begins with',
  'title.most-of-2-words': majorityOfWords,
  'title.most-of-3-words': majorityOfWords,
  'title.opening-and-closing': 'opening and closing',
  'title.opening-or-closing': 'one is an opening or a closing',
  'title.part-numbers': '{0} and {1} of {2}',
  'title.pass-and-day': 'a ticket for several days and one for a day',
  'title.pass-and-days': 'a ticket for all days, and what goes on for days',
  'title.pass-lengths': 'tickets for {0} days and for {1}',
  'title.same': 'the same title',
  'title.same-core': sameBesidesGeneral,
  'title.same-core-and-acts': sameBesidesGeneral,
  'title.same-core-word': sameBesidesGeneral,
  'title.same-general': 'the same title, of general words',
  'title.same-holiday': 'the same holiday',
  'title.same-lead': 'both begin with {0}',
  'title.same-segment': bothName,
  'title.same-segments': bothName,
  'title.same-short-segment': bothName,
  'title.same-word': 'the same title',
  'title.series-night': 'a name of the one is what the other begins with',
  'title.several-names': 'one title has several of the names that stand in the other',
  'title.shared-promoter': bothName,
  'title.shared-segment': bothName,
  'title.shared-segments': bothName,
  'title.shared-word': 'titles with a word in common',
  'title.single-day': 'one is a day of several, the other says no day',
  'title.stage': 'one is a stage or floor of more',
  'title.stage-of-same': 'one is a stage or floor of more',
  'title.stages': 'stages {0} and {1}',
  'title.tribute': 'one is a tribute',
  'title.unlike': 'titles without a word in common',
  'title.unlike-with-shared-acts': 'titles without a word in common',
  'title.weekdays': 'different weekdays in the titles',
  'venue.different': twoVenues,
  'venue.extra-words': twoVenues,
  'venue.far': twoVenues,
  'venue.generic-name': twoVenues,
  'venue.in-title': twoVenues,
  'venue.likely-same': because('perhaps one venue'),
  'venue.moved': 'a show that was moved from one of the two venues to the other',
  'venue.other-country': twoVenues,
  'venue.other-script': twoVenues,
  'venue.possible-district': because('one name, perhaps in a district'),
  'venue.possibly-same': because('perhaps one venue'),
  'venue.same': because('one venue'),
  'venue.same-edition': twoVenues,
  'venue.same-name-far': twoVenues,
  'venue.stage': 'one venue is a stage of the other',
  'venue.unlike': twoVenues,
  'website.longer-name': 'one website, {0}',
  'website.other-name': 'one website, {0}',
  'website.same': 'one website, {0}',
};

/** The sentence of evidence in English. */
export function sentenceOf(evidence: Evidence): string {
  const sentence = sentences[evidence.code.replace(/-[1-4]$/, '') as SentenceCode];
  return typeof sentence === 'string'
    ? sentence.replace(/\{(\d)\}/g, (_, at) => String(evidence.values?.[Number(at)]))
    : sentence(evidence);
}

/** The sentences of the strongest evidence for a match. */
export const strongestReasons = ({ reasons }: ExplainedMatch, max: number): string[] =>
  reasons
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
    .slice(0, max)
    .map(({ text }) => text);

/** A match as it is stored, shown and sent. */
export const explainMatch = (result: MatchResult): ExplainedMatch => ({
  ...result,
  rule: ruleNames[result.rule],
  reasons: result.reasons.map((reason) => ({
    evidence: reason.evidence,
    weight: reason.weight,
    text: sentenceOf(reason),
  })),
});

const formatDuration = (minutes: number): string =>
  minutes < 90
    ? `${Math.round(minutes)} minutes`
    : minutes < 48 * 60
      ? `${Math.round(minutes / 6) / 10} hours`
      : `${Math.round(minutes / 1_440)} days`;
