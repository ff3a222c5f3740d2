/** Words for a time within a free text. */
import { calendarNames, holidays, trailingWords, unambiguousPhrases } from './date-phrases.ts';

/** Words for a time, as `parseWindow` takes them. */
export type TimeExpression = {
  from: string | null;
  to: string | null;
  /** Whether the window goes on from `from`: "after", "since". Otherwise `from` alone is the whole window. */
  isOpen: boolean;
  /** Whether `wordEnd` is the first day that is too late: "before". */
  isBefore: boolean;
  /** Whether they say the night of a day: "Friday night". */
  isNight: boolean;
};
/** A text, and the words for a time that were in it. */
export type TimeSplit = { times: TimeExpression | null; rest: string; text: string };

/** The words of one phrase, with spaces, hyphens and apostrophes as people write them. */
const loosePattern = (phrase: string): string =>
  phrase
    .replace(/\b(year|valentine|patrick|king)s\b/g, "$1['’]?s")
    .replace('aujourdhui', "aujourd['’]?hui")
    .replaceAll('week end', 'week[ -]?end')
    .replaceAll(' ', '\\s+')
    .replace(/a/g, '[aáàâãä]')
    .replace(/o/g, '[oóòôõö]')
    .replace(/u/g, '[uúùûü]')
    .replace(/e/g, '[eéèê]')
    .replace(/i/g, '[ií]')
    .replace(/n/g, '[nñ]');
/** One of these, the longest first. */
const alternation = (phrases: readonly string[]): string =>
  [...phrases]
    .sort((a, b) => b.length - a.length || (a < b ? -1 : 1))
    .map(loosePattern)
    .join('|');

const within = (alternatives: readonly string[]): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives.join('|')})(?![\\p{L}\\p{N}])`, 'iu');

type TimePattern = {
  worded: RegExp;
  read: (groups: readonly (string | undefined)[]) => Partial<TimeExpression>;
};
type TimePatterns = { surely: TimePattern[]; perhaps: TimePattern[]; feast: TimePattern[] };
let patterns: TimePatterns | null = null;

const rangeStartWords = 'between|from|zwischen|vom|von|entre|du|de|del|dal|dalla|tra|fra|das|van|tussen';
const rangeJoinWords =
  'and|to|until|till|til|through|thru|or|und|bis|oder|y|hasta|al|a|et|au|ou|e|ao|o|en|tot|[-–—]';
const untilWords =
  "until|till|til|by|through|up to|no later than|bis(?: zum)?|jusqu['’]?(?:a|à|au)|hasta(?: el)?|fino (?:a|al)|até|ate|tot";
const beforeWords = 'before|vor|avant|antes (?:de|del|do|da)|prima (?:di|del)|voor';
const afterWords =
  'after|since|from|starting|ab|nach|seit|apres|après|desde|despues de|después de|dopo|dal|a partir de|vanaf|na';

/** What is looked for; made when it is first wanted. */
function patternsOf(): TimePatterns {
  if (patterns) return patterns;
  const long = (names: ReadonlyMap<string, number>) => [...names.keys()].filter((name) => name.length > 3);
  const { months, weekdays } = calendarNames();
  const [month, weekday] = [
    `(?:${alternation([...long(months), 'may'])})`,
    `(?:${alternation(long(weekdays))})`,
  ];
  // Short months stand beside a number only; short weekdays where nothing but a day can be meant.
  const anyMonth = `(?:${alternation([...months.keys()])})`;
  const short = '(?:mon|tue|tues|wed|weds|thu|thur|thurs|fri|sat|sun)';
  const feast = `(?:${alternation([...holidays.keys()])})`;
  const the = '(?:(?:the|dem|den|der|el|le|il|o)\\s+)?';
  const number = '\\d{1,2}(?:st|nd|rd|th|er|[.ºª])?';
  const date = `(?:${the}${number}\\s+(?:of\\s+|de\\s+)?${anyMonth}|${anyMonth}\\s+(?:the\\s+)?${number})(?:,?\\s+\\d{4})?(?!\\d)`;
  const year = '20\\d{2}';
  const night = `(?:\\s+(?:${trailingWords}))?`;
  const plain = `(?:${alternation(unambiguousPhrases)}|\\d{4}-\\d{2}(?:-\\d{2})?|${date}|${month}\\s+(?:(?:of|de|del)\\s+)?${year}|(?:the\\s+)?next\\s+\\d{1,3}\\s+(?:day|night|week|month)s?|(?:next|last)\\s+(?:${weekday}|${month}))`;
  const any = `(?:${plain}|${weekday}${night}|${short}|${feast}(?:\\s+${year})?|${month}|${year})`;
  const one =
    (read: (text: string) => Partial<TimeExpression>) => (groups: readonly (string | undefined)[]) =>
      read(groups.find((part) => part !== undefined) ?? '');
  const only = one((from) => ({ from }));
  const surely: TimePattern[] = [
    {
      worded: within([
        `(?:(?:${rangeStartWords})\\s+)?(${any})\\s*(?:${rangeJoinWords})\\s*(?:on\\s+)?${the}(${any})`,
      ]),
      read: ([from = null, to = null]) => ({ from, to }),
    },
    {
      worded: within([
        `(?:${rangeStartWords})\\s+${the}(${number})\\s*(?:${rangeJoinWords})\\s*(${date})`,
        `(${number})\\s*(?:[-–—]|to|until|till|bis)\\s*(${date})`,
      ]),
      read: ([first, late, other, late2]) => {
        const [from = '', to = ''] = [first ?? other, late ?? late2];
        return { from: to.replace(/\d{1,2}(?!\d)/, from.replace(/\D+$/, '')), to };
      },
    },
    {
      worded: within([
        `(${date})\\s*(?:[-–—]|to|until|till|and|through)\\s*(\\d{1,2})(?:st|nd|rd|th)?(?!\\d)`,
      ]),
      read: ([from = '', to = '']) => ({ from, to: from.replace(/\d{1,2}(?!\d)/, to) }),
    },
    { worded: within([`(?:${beforeWords})\\s+${the}(${any})`]), read: one((to) => ({ to, isBefore: true })) },
    { worded: within([`(?:${untilWords})\\s+${the}(${any})`]), read: one((to) => ({ to })) },
    {
      worded: within([`(?:${afterWords})\\s+${the}(${any})(?:\\s+(?:on|onwards?))?`]),
      read: one((from) => ({ from, isOpen: true })),
    },
    // Months, weekdays and feasts stand in names too ("Long Friday"): they mean a time where a word or a year says so.
    {
      worded: within([
        `(?:(?:${weekday}|${short}),?\\s+${the})?(${plain})`,
        `(?:in|im|en|em|a)\\s+(${month}(?:\\s+(?:(?:of|de|del)\\s+)?${year})?|${year})`,
        `(?:on|this|am|le|ce|el|este|il|op)\\s+(${weekday}|${short})${night}`,
        `(?:on|for|at|over|around|this|an|zu)\\s+(${feast}(?:\\s+${year})?)`,
      ]),
      read: only,
    },
  ];
  const perhaps = [
    {
      worded: within([`((?:${weekday}|${month})(?:\\s+${year})?)${night}`, `(?<![./-])(${year})`]),
      read: only,
    },
    // "Now" stands in names as well: a time where it ends the question, or a place follows.
    { worded: within([`(now)(?=\\s+(?:in|at|near)\\s|[\\s?.!]*$)`]), read: only },
    // "Sun" and "sat" are words: a day where they stand last.
    { worded: within([`(${short})${night}[\\s?.!]*$`]), read: only },
  ];
  const feastly = [{ worded: within([`(${feast}(?:\\s+${year})?)${night}`]), read: only }];
  patterns = { surely, perhaps, feast: feastly };
  return patterns;
}

const nightSuffix = new RegExp(`\\s(?:${trailingWords})[\\s?.!]*$`, 'iu');

function split(text: string, all: readonly TimePattern[]): TimeSplit {
  const spaced = text.replace(/\s+/gu, ' ');
  for (const { worded, read } of all) {
    const found = worded.exec(spaced);
    if (found === null) continue;
    const { index, input } = found;
    const rest = `${input.slice(0, index)} ${input.slice(index + found[0].length)}`;
    const times = {
      from: null,
      to: null,
      isOpen: false,
      isBefore: false,
      isNight: nightSuffix.test(found[0]),
      ...read(found.slice(1)),
    };
    return { times, rest: rest.trim(), text: found[0].trim() };
  }
  return { times: null, rest: text, text: '' };
}

/** The words that surely are for a time, and the text without them. */
export const splitTime = (text: string): TimeSplit => split(text, patternsOf().surely);

/** The same for weekdays, months and years alone, which names of events have too. */
export const splitLikelyTime = (text: string): TimeSplit => split(text, patternsOf().perhaps);

/** The same for feasts, which events are called after as often as not. */
export const splitHoliday = (text: string): TimeSplit => split(text, patternsOf().feast);

/**
 * Has the expressions compiled, one a step: some take tens of milliseconds, which the first text would have to wait for
 * otherwise. An expression is compiled when it first runs, and once more when it runs again.
 */
export function* compileTimePatterns(): Generator<void> {
  for (const { worded } of Object.values(patternsOf()).flat()) {
    for (const text of ['on no day', 'at no time']) {
      worded.exec(text);
      yield;
    }
  }
}
