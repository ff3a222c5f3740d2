/** Words for a time within a free text. */
import { calendarNames, feasts, plainPhrases } from './calendar-words.ts';

/** A text, and the words for a time that were in it, as `readWindow` takes them. */
export type Timed = { time: string | null; rest: string };

/** The words of one phrase, with spaces, hyphens and apostrophes as people write them. */
const loose = (phrase: string): string =>
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
const oneOf = (phrases: readonly string[]): string =>
  [...phrases]
    .sort((a, b) => b.length - a.length || (a < b ? -1 : 1))
    .map(loose)
    .join('|');

const within = (alternatives: readonly string[]): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives.join('|')})(?![\\p{L}\\p{N}])`, 'iu');

type Patterns = { surely: RegExp; perhaps: RegExp };
let patterns: Patterns | null = null;

/** What is looked for; made when it is first wanted. */
function patternsOf(): Patterns {
  if (patterns) return patterns;
  const long = (names: ReadonlyMap<string, number>) => [...names.keys()].filter((name) => name.length > 3);
  const { months, weekdays } = calendarNames();
  const [month, weekday] = [`(?:${oneOf([...long(months), 'may'])})`, `(?:${oneOf(long(weekdays))})`];
  const feast = `(?:${oneOf([...feasts.keys()])})`;
  const date = `(?:\\d{1,2}(?:st|nd|rd|th)?\\s+(?:of\\s+)?${month}|${month}\\s+\\d{1,2}(?:st|nd|rd|th)?)(?:,?\\s+\\d{4})?(?!\\d)`;
  const year = '20\\d{2}';
  const night = '(?:\\s+night)?';
  // Months, weekdays and feasts stand in names too ("Long Friday"): they mean a time where a word or a year says so.
  const surely = within([
    `(${oneOf(plainPhrases)}|\\d{4}-\\d{2}(?:-\\d{2})?|${date}|${month}\\s+(?:(?:of|de|del)\\s+)?${year}|(?:the\\s+)?next\\s+\\d{1,3}\\s+(?:day|night|week|month)s?|(?:next|last)\\s+(?:${weekday}|${month}))`,
    `(?:in|im|en|em|a)\\s+(${month}(?:\\s+(?:(?:of|de|del)\\s+)?${year})?|${year})`,
    `(?:on|this|am|le|ce|el|este|il|op)\\s+(${weekday})${night}`,
    `(?:on|for|at|over|around|this|an|zu)\\s+(${feast}(?:\\s+${year})?)`,
  ]);
  const perhaps = within([`((?:${weekday}|${feast}|${month})(?:\\s+${year})?)${night}`, `(${year})`]);
  patterns = { surely, perhaps };
  return patterns;
}

function split(text: string, worded: RegExp): Timed {
  const found = worded.exec(text.replace(/\s+/gu, ' '));
  if (found === null) return { time: null, rest: text };
  const { index, input } = found;
  const rest = `${input.slice(0, index)} ${input.slice(index + found[0].length)}`;
  return { time: found.slice(1).find((part) => part !== undefined) ?? null, rest: rest.trim() };
}

/** The words that surely are for a time, and the text without them. */
export const splitTime = (text: string): Timed => split(text, patternsOf().surely);

/** The same for words that names of events have too. */
export const splitLikelyTime = (text: string): Timed => split(text, patternsOf().perhaps);
