/** Finds time expressions within a free text. */
import {
  calendarNames,
  compilePattern,
  holidays,
  likelyNow,
  likelyTomorrow,
  likelyWeekend,
  loadCalendarNames,
  separateNights,
  trailingWords,
  unambiguousPhrases,
} from './date-phrases.ts';
import { compilePeriodRules, splitPeriod } from './periods.ts';

/** A time expression, as `parseWindow` accepts it. */
export type TimeExpression = {
  from: string | null;
  to: string | null;
  /** Whether the window is open-ended: "after", "since". Otherwise `from` alone is the whole window. */
  isOpen: boolean;
  /** Whether `to` is exclusive: "before". */
  isBefore: boolean;
  /** Whether the words mean the night of a day: "Friday night". */
  isNight: boolean;
};
export type TimeSplit = { times: TimeExpression | null; rest: string; text: string };

/**
 * Characters of plain texts that belong to words. `ø` stands for every letter and digit without a plain form; the
 * ordinal signs are letters of Unicode.
 */
const wordCharacters = 'a-z0-9øªº';
const otherCharacter = '\u00b7';

const toPlainCharacter = (character: string): string => {
  if (character === 'ª' || character === 'º') return character;
  if (character === '’') return "'";
  if (character === '–' || character === '—') return '-';
  const [base = ''] = character.normalize('NFD');
  if (/^[a-z]$/i.test(base)) return base.toLowerCase();
  return (/[\p{L}\p{N}]/u.test(character) ? 'ø' : otherCharacter).repeat(character.length);
};

/**
 * Returns the text in lower case and without accents, in Latin-1, with each character at the index it had. Patterns for
 * such texts need neither classes of letters nor two forms of machine code: that takes less than a tenth of the memory.
 */
const toPlainText = (text: string): string =>
  text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()).replace(/[^\0-\x7f]/gu, toPlainCharacter);

/** Returns a pattern for a phrase in plain texts that accepts variants of spaces, hyphens and apostrophes. */
const loosePattern = (phrase: string): string =>
  phrase
    .replace(/\b(year|valentine|patrick|king)s\b/g, "$1'?s")
    .replace('aujourdhui', "aujourd'?hui")
    .replaceAll('week end', 'week[ -]?end')
    .replaceAll('apres demain', 'apres[ -]demain')
    .replaceAll(' ', '\\s+');
/** Returns a pattern for any of the phrases, longest first. */
const alternation = (phrases: readonly string[]): string =>
  [...phrases]
    .sort((a, b) => b.length - a.length || (a < b ? -1 : 1))
    .map(loosePattern)
    .join('|');

const within = (alternatives: readonly string[]): RegExp =>
  new RegExp(`(?<![${wordCharacters}])(?:${alternatives.join('|')})(?![${wordCharacters}])`, 'd');

type TimePattern = {
  /** For plain texts. */
  worded: RegExp;
  read: (groups: readonly (string | undefined)[]) => Partial<TimeExpression>;
};
type TimePatterns = { surely: TimePattern[]; perhaps: TimePattern[]; holiday: TimePattern[] };
let patterns: TimePatterns | null = null;

const rangeStartWords = 'between|from|zwischen|vom|von|entre|du|de|del|dal|dalla|tra|fra|das|van|tussen';
const rangeJoinWords =
  'and|to|until|till|til|through|thru|or|und|bis zum|bis|oder|y|hasta|al|a|et|au|ou|e|ao|o|en|tot';
const dayJoinWords = 'to|until|till|bis zum|bis|tot|and|und|et|y|e|en';
/** Words between the ends of a range stand apart: the "y" of "January 2027" joins nothing. */
const joinedBy = (words: string): string => `(?:\\s*-\\s*|\\s+(?:${words})\\s+)`;
const ofYear = '(?:of|de|del|di|van)';
const placeWords = 'in|at|near|im|bei|en|au|em|no|na|a|al';
const untilWords =
  "until|till|til|by|through|up to|no later than|bis(?: zum)?|jusqu'?(?:a|au)|hasta(?: el)?|fino (?:a|al)|ate|tot";
const beforeWords = 'before|vor|avant|antes (?:de|del|do|da)|prima (?:di|del)|voor';
const afterWords =
  'after|since|from|starting|ab|nach|seit|apres|desde|despues de|dopo|dal|a partir de|vanaf|na';

/** Returns the patterns; they are built on first use. */
function patternsOf(): TimePatterns {
  if (patterns) return patterns;
  const long = (names: ReadonlyMap<string, number>) => [...names.keys()].filter((name) => name.length > 3);
  const { months, weekdays } = calendarNames();
  const [month, weekday] = [
    `(?:${alternation([...long(months), 'may'])})`,
    `(?:${alternation(long(weekdays))})`,
  ];
  // Short month names need a number next to them; short weekdays need a context that only fits a day.
  const anyMonth = `(?:${alternation([...months.keys()])})`;
  const short = '(?:mon|tue|tues|wed|weds|thu|thur|thurs|fri|sat|sun)';
  const holiday = `(?:${alternation([...holidays.keys()])})`;
  const the = '(?:(?:the|dem|den|der|el|le|il|o)\\s+)?';
  const number = '\\d{1,2}(?:st|nd|rd|th|er|[.ºª])?';
  const date = `(?:${the}${number}\\s+(?:of\\s+|de\\s+)?${anyMonth}|${anyMonth}\\s+(?:the\\s+)?${number})(?:,?\\s+(?:${ofYear}\\s+)?\\d{4})?(?!\\d)`;
  const year = '20\\d{2}';
  const figures = `\\d{1,2}\\.\\s?\\d{1,2}\\.(?:\\s?${year})?`;
  const night = `(?:\\s+(?:${trailingWords}))?`;
  const plain = `(?:${alternation(unambiguousPhrases)}|\\d{4}-\\d{2}(?:-\\d{2})?|${figures}|\\d{1,2}/\\d{1,2}/20\\d{2}|${date}|${anyMonth}\\s+(?:${ofYear}\\s+)?${year}|(?:the\\s+)?next\\s+\\d{1,3}\\s+(?:day|night|week|month)s?|(?:next|last)\\s+(?:${weekday}|${month}))`;
  const anyTime = `(?:${plain}|${weekday}${night}|${short}|${holiday}(?:\\s+${year})?|${month}|${year})`;
  const one =
    (read: (text: string) => Partial<TimeExpression>) => (groups: readonly (string | undefined)[]) =>
      read(groups.find((part) => part !== undefined) ?? '');
  const only = one((from) => ({ from }));
  const surely: TimePattern[] = [
    {
      worded: within([
        `(?:(?:${rangeStartWords})\\s+)?(${anyTime})${joinedBy(rangeJoinWords)}(?:on\\s+)?${the}(${anyTime})`,
      ]),
      read: ([from = null, to = null]) => ({ from, to }),
    },
    {
      worded: within([
        `(?:${rangeStartWords})\\s+${the}(${number})${joinedBy(rangeJoinWords)}(${date})`,
        `(${number})${joinedBy(dayJoinWords)}(${date})`,
        `(?:(?:${rangeStartWords})\\s+)?(\\d{1,2}\\.?)(?:\\s*/\\s*|${joinedBy(dayJoinWords)})(${figures})`,
      ]),
      read: (groups) => {
        const [from = '', to = ''] = groups.filter((part) => part !== undefined);
        return { from: to.replace(/\d{1,2}(?!\d)/, from.replace(/\D+$/, '')), to };
      },
    },
    {
      worded: within([
        `(${date})\\s*(?:-|to|until|till|and|through)\\s*(\\d{1,2})(?:st|nd|rd|th)?(?!\\d)(?:,?\\s+(${year}))?`,
      ]),
      read: ([from = '', to = '', ofYear]) => ({
        from,
        to: `${from.replace(/\d{1,2}(?!\d)/, to)}${ofYear === undefined ? '' : ` ${ofYear}`}`,
      }),
    },
    {
      worded: within([`(?:${beforeWords})\\s+${the}(${anyTime})`]),
      read: one((to) => ({ to, isBefore: true })),
    },
    { worded: within([`(?:${untilWords})\\s+${the}(${anyTime})`]), read: one((to) => ({ to })) },
    {
      // "The day after tomorrow" is a day.
      worded: within([`(?<!day\\s)(?:${afterWords})\\s+${the}(${anyTime})(?:\\s+(?:on|onwards?))?`]),
      read: one((from) => ({ from, isOpen: true })),
    },
    // Months, weekdays and holidays are also parts of names ("Long Friday"). They are times only with a preposition or a
    // year.
    {
      worded: within([
        `(?:(?:${weekday}|${short}),?\\s+${the})?(${plain})`,
        `(?:in|im|en|em|a)\\s+(${month}(?:\\s+(?:${ofYear}\\s+)?${year})?|${year})`,
        `(?:on|this|am|le|ce|el|este|il|op)\\s+(${weekday}|${short})${night}`,
        `(?:on|for|at|over|around|this|an|zu)\\s+(${holiday}(?:\\s+${year})?)`,
      ]),
      read: only,
    },
  ];
  const perhaps = [
    {
      worded: within([`((?:${weekday}|${month})(?:\\s+${year})?)${night}`, `(?<![./-])(${year})`]),
      read: only,
    },
    { worded: within([`(${alternation(likelyWeekend)})`]), read: only },
    // "Now" is also part of names. It is a time at the end of the query, or before a place.
    {
      worded: within([`(${alternation(likelyNow)})(?=\\s+(?:${placeWords})\\s|[\\s?.!]*$)`]),
      read: only,
    },
    // "Am Morgen" and "por la mañana" mean the morning.
    {
      worded: within([`(?<!(?:am|guten|la)\\s)(${alternation(likelyTomorrow)})${night}`]),
      read: only,
    },
    // "Sun" and "sat" are also words. They are days at the end of the query.
    { worded: within([`(${short})${night}[\\s?.!]*$`]), read: only },
  ];
  const holidayPatterns = [{ worded: within([`(${holiday}(?:\\s+${year})?)${night}`]), read: only }];
  patterns = { surely, perhaps, holiday: holidayPatterns };
  return patterns;
}

const nightSuffix = new RegExp(`\\s(?:${trailingWords})[\\s?.!]*$`);

function split(text: string, all: readonly TimePattern[]): TimeSplit {
  const spaced = separateNights(text.replace(/\s+/gu, ' '));
  const plain = toPlainText(spaced);
  for (const { worded, read } of all) {
    const match = worded.exec(plain);
    if (match === null) continue;
    const [[start, end], ...groups] = match.indices as [
      [number, number],
      ...([number, number] | undefined)[],
    ];
    const rest = `${spaced.slice(0, start)} ${spaced.slice(end)}`;
    const times = {
      from: null,
      to: null,
      isOpen: false,
      isBefore: false,
      isNight: nightSuffix.test(match[0]),
      ...read(groups.map((place) => place && spaced.slice(...place))),
    };
    return { times, rest: rest.trim(), text: spaced.slice(start, end).trim() };
  }
  return { times: null, rest: text, text: '' };
}

/** Splits off unambiguous time words. */
export function splitTime(text: string): TimeSplit {
  const timed = split(text, patternsOf().surely);
  const period = splitPeriod(text);
  if (period === null || (timed.times !== null && timed.text.length >= period.from.length)) return timed;
  const times = { from: period.from, to: null, isOpen: false, isBefore: false, isNight: false };
  return { times, rest: period.rest, text: period.from };
}

/** Splits off weekdays, months and years, which also occur in event names. */
export const splitLikelyTime = (text: string): TimeSplit => split(text, patternsOf().perhaps);

/** Splits off holidays, which are often part of event names. */
export const splitHoliday = (text: string): TimeSplit => split(text, patternsOf().holiday);

/**
 * Compiles the patterns, one per step. Some take tens of milliseconds, which the first query would otherwise wait
 * for.
 */
export function* compileTimePatterns(): Generator<void> {
  yield* loadCalendarNames();
  const worded = Object.values(patternsOf()).flatMap((several) => several.map((one) => one.worded));
  yield;
  for (const pattern of worded) yield* compilePattern(pattern);
  yield* compilePeriodRules();
}
