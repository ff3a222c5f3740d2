/** Reads the part of an occasion that a title sells: a day, a stage, a pre-party, a ticket for several days. */
import { memoize } from '../../memoize.ts';
import { normalizeText } from '../../text/normalize.ts';
import { months, tokenize, weekdays } from '../../text/tokens.ts';
import {
  abbreviations,
  addOnKinds,
  addOnMarkPattern,
  addOnPattern,
  afterPartyPattern,
  ageLimits,
  anniversaryPattern,
  beforeAfterWords,
  bracketedPartPattern,
  bracketedShowPattern,
  bundlePattern,
  closingPattern,
  datedWeekdayPattern,
  dayNumberPattern,
  earlyShowPattern,
  editionNumberPattern,
  holidays,
  lateShowPattern,
  leadSeparator,
  multiDayWordPattern,
  multiShowPattern,
  numberWords,
  openingPattern,
  passDaysPattern,
  passPattern,
  prePartyPattern,
  requirementPattern,
  segmentSeparator,
  singleDayPattern,
  tributePattern,
  weekendPattern,
} from './title-patterns.ts';

export type TitleStructure = {
  words: readonly string[];
  /** The words before the first separator of the title: "Swiftogeddon - The Taylor Swift Club Night". */
  lead: readonly string[];
  /** The words between separators. */
  segments: readonly (readonly string[])[];
  /** The part of an occasion; two parts that contradict each other are two events. */
  parts: TitleAttributes;
};

export type TitleAttributes = {
  /** 'early' or 'late' of two shows a day. */
  earlyOrLate: 'early' | 'late' | null;
  /** It takes place before or after the event itself. */
  beforeOrAfter: 'after' | 'before' | null;
  /** It contains "after hours": a part of a night, or the name of a series. */
  isAfterHours: boolean;
  /** Opening or closing of a season or festival. */
  openingOrClosing: 'opening' | 'closing' | null;
  /** The number of a day or night. */
  day: number | null;
  /** The number of an edition, volume, part. */
  number: number | null;
  /** "(1/2)": which of how many. */
  partOf: { number: number; of: number } | null;
  /** "10 Years": the anniversary. */
  anniversaryYears: number | null;
  /** The event that it takes place before or after: "Reworks" of "Reworks pre-party w/ Jane Doe". */
  occasion: readonly string[];
  /** A ticket for more than one day. */
  isMultiDayPass: boolean;
  /** A ticket for one day of several. */
  isSingleDay: boolean;
  /** The event with an extra: "Early Entry Package". */
  isBundle: boolean;
  /** The number of days of the ticket; null where the title has none. */
  passDays: number | null;
  /** It names a weekend, and none of its days. */
  isWeekend: boolean;
  /** It lasts several days. */
  isMultiDay: boolean;
  /** Parking, camping, a coach: the kind of an add-on that is no event. An "add-on" without a kind may be an event. */
  addOnKind: string | null;
  isAddOn: boolean;
  /** A tribute: others play the music of an act. */
  isTribute: boolean;
  /** One of several stages or floors. */
  stage: string | null;
  weekdays: ReadonlySet<number>;
};

/** The words of a title, each holiday by one name. */
function titleTokens(name: string): readonly string[] {
  const words = tokenize(name).join(' ');
  const undatedWords = words.replace(datedWeekdayPattern, '').replace(/\s+/g, ' ').trim();
  const normalized = [[anniversaryPattern, '$1$2 years'] as const, ...abbreviations, ...holidays].reduce(
    (text, [pattern, holiday]) => text.replace(pattern, holiday),
    undatedWords === '' ? words : undatedWords,
  );
  return normalized === '' ? [] : normalized.split(' ');
}

/** The length of a listing: 'perhaps' is a long night, or a weekend if its title says so. */
export type EventLength = 'night' | 'perhaps' | 'days';

/** Maximum number of parsed titles in memory: each listing of one show, and each run of a source, names it again. */
const maxParsedTitles = 2_000;

/**
 * Parses a title. Equal titles of one venue share the result, which must not be changed.
 * @param length the time between start and end of the listing
 * @param venueName the venue: "Budweiser Stage" and "Corner Hotel" name neither a stage nor a hotel room
 */
export const readTitleStructure = (
  name: string,
  venueName: string | null = null,
  length: EventLength = 'night',
): TitleStructure => parsedTitle({ name, venueName, length });

type ListedTitle = { name: string; venueName: string | null; length: EventLength };
const parsedTitle = memoize(
  maxParsedTitles,
  parseTitle,
  ({ name, venueName, length }: ListedTitle) => `${length}\0${venueName ?? ''}\0${name}`,
);

function parseTitle({ name, venueName, length }: ListedTitle): TitleStructure {
  const text = normalizeText(name).toLowerCase();
  const words = titleTokens(name);
  const venueWords = venueName === null ? '' : tokenize(venueName).join(' ');
  const folded = ` ${words.join(' ')} `
    .replace(venueWords === '' ? ' ' : ` ${venueWords} `, ' ')
    .trim()
    .replace(requirementPattern, '');
  const stage = /\b(\w+) (?:stage|floor|tent|buhne)\b/.exec(folded);
  const numbered = dayNumberPattern.exec(folded);
  const piece = bracketedPartPattern.exec(text);
  const show = bracketedShowPattern.exec(text)?.[1];
  const years = Number(/\b(\d{1,3}) years\b/.exec(folded)?.[1]);
  const pieces = segmentsOf(name);
  const isWeekend = weekendPattern.test(folded);
  const isPass =
    passPattern.test(folded) ||
    multiShowPattern.test(folded) ||
    (/\bpass(?:es)?\b/.test(folded) && multiDayWordPattern.test(folded));
  return {
    words,
    lead: leadTokens(name),
    segments: pieces,
    parts: {
      earlyOrLate:
        show === '1st' || show === 'early' || earlyShowPattern.test(folded)
          ? 'early'
          : show === '2nd' || show === 'late' || lateShowPattern.test(folded)
            ? 'late'
            : null,
      partOf: piece && { number: Number(piece[1]), of: Number(piece[2]) },
      anniversaryYears: years > 0 && !ageLimits.has(years) ? years : null,
      isAfterHours: /\bafter ?hours?\b/.test(folded),
      beforeOrAfter: afterPartyPattern.test(folded)
        ? 'after'
        : prePartyPattern.test(folded)
          ? 'before'
          : null,
      openingOrClosing: openingPattern.test(folded)
        ? 'opening'
        : closingPattern.test(folded)
          ? 'closing'
          : null,
      day: numbered ? numberOf(numbered[1] ?? numbered[2]) : null,
      number: numberOf(editionNumberPattern.exec(text)?.[1]),
      occasion: occasionIn(pieces),
      isMultiDayPass: isPass,
      isSingleDay: !isPass && singleDayPattern.test(folded) && !isWeekend,
      isBundle: bundlePattern.test(folded),
      passDays: numberOf(passDaysPattern.exec(folded)?.[1]),
      isWeekend: isWeekend && numbered === null,
      isMultiDay: length === 'days' || (length === 'perhaps' && (isPass || isWeekend)),
      addOnKind: addOnKindIn(folded),
      isAddOn: addOnMarkPattern.test(folded),
      isTribute: tributePattern.test(folded),
      stage: stage ? (stage[1] as string) : null,
      weekdays: new Set(
        words
          .map((word) => (word.length > 3 ? weekdays.get(word) : undefined))
          .filter((one) => one !== undefined),
      ),
    },
  };
}

/** The event that a pre-party or after-party belongs to, where one segment of the title names both. */
function occasionIn(pieces: readonly (readonly string[])[]): readonly string[] {
  const segment = pieces.find(
    (words) => afterPartyPattern.test(words.join(' ')) || prePartyPattern.test(words.join(' ')),
  );
  return (segment ?? []).filter(
    (word) => !beforeAfterWords.test(word) && word.length > 2 && !/^\d+$/.test(word),
  );
}

function addOnKindIn(folded: string): string | null {
  const addOn = addOnPattern.exec(folded)?.[0] ?? null;
  return addOnKinds.find(([pattern]) => addOn !== null && pattern.test(addOn))?.[1] ?? addOn;
}

/** The words of the first part of a title, dates aside ("Sat 05.12: Nadir - live"); none where it has but one. */
function leadTokens(name: string): readonly string[] {
  const parts = name.split(leadSeparator).map(titleTokens);
  const first = parts.findIndex((words) => !words.every(isDated));
  return first < 0 || first === parts.length - 1 ? [] : (parts[first] ?? []);
}
const isDated = (word: string): boolean => weekdays.has(word) || months.has(word) || /^\d+$/.test(word);

/** The segments of a title; none where it has no separator. */
function segmentsOf(name: string): readonly (readonly string[])[] {
  const pieces = normalizeText(name).split(segmentSeparator);
  return pieces.length < 2 ? [] : pieces.map(titleTokens).filter(({ length }) => length > 0);
}
const numberOf = (text: string | undefined): number | null =>
  text === undefined ? null : (numberWords[text] ?? (/^\d+$/.test(text) ? Number(text) : null));
