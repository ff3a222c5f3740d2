/**
 * Parses periods of several words in six languages: "next summer", "in two weeks", "first weekend of December", "Mitte
 * Dezember", "24.12.2026". `date-phrases.ts` has the fixed phrases, `period-words.ts` the words.
 */
import { Temporal } from 'temporal-polyfill';
import { normalizeForSearch } from '../../text/fold.ts';
import { calendarNames, compilePattern } from './date-phrases.ts';
import {
  agoAfter,
  agoBefore,
  aheadAfter,
  aheadWords,
  comingWords,
  counts,
  introductions,
  lastWords,
  nextWords,
  ofWords,
  ordinals,
  restWords,
  romanceNext,
  seasons,
  thirds,
  units,
  weekends,
  weekNumberWords,
  weekNumberWordsAfter,
} from './period-words.ts';

type Day = Temporal.PlainDate;
export type Period = { readonly first: Day; readonly last: Day };
type Rule = { pattern: RegExp; read: (groups: readonly (string | undefined)[], today: Day) => Period | null };

const maxWords = 8;
const maxTextLength = 100;

const any = (words: Iterable<string>): string =>
  `(${[...words].sort((a, b) => b.length - a.length || (a < b ? -1 : 1)).join('|')})`;
const whole = (parts: string): RegExp => new RegExp(`^${parts}$`, 'u');
const period = (first: Day, last: Day): Period => ({ first, last });
const monthOf = (day: Day): Period => period(day.with({ day: 1 }), day.with({ day: day.daysInMonth }));
const mondayOf = (day: Day): Day => day.subtract({ days: day.dayOfWeek - 1 });
const dayAt = (year: number, month: number, day = 1): Day => Temporal.PlainDate.from({ year, month, day });
const isBefore = (a: Day, b: Day): boolean => Temporal.PlainDate.compare(a, b) < 0;

type Turn = 'next' | 'last' | 'first';
const turnOf = (word: string | undefined): Turn => {
  if (word === undefined || comingWords.includes(word)) return 'first';
  return lastWords.includes(word) ? 'last' : 'next';
};

/** Returns the yearly period that a word such as "next" selects, seen from today. */
function turned(turn: Turn, today: Day, ofYear: (year: number) => Period): Period {
  const years = [today.year - 2, today.year - 1, today.year, today.year + 1, today.year + 2].map(ofYear);
  if (turn === 'last') return years.filter(({ last }) => isBefore(last, today)).at(-1) as Period;
  if (turn === 'next') return years.find(({ first }) => isBefore(today, first)) as Period;
  return years.find(({ last }) => !isBefore(last, today)) as Period;
}

/** Returns three months, numbered from spring (March). */
function seasonOf(season: number, year: number): Period {
  const first = dayAt(year, season * 3);
  return period(first, first.add({ months: 3 }).subtract({ days: 1 }));
}

function readSeason([before, name, after, year]: readonly (string | undefined)[], today: Day): Period | null {
  const season = seasons.get(name ?? '');
  if (season === undefined) return null;
  if (year !== undefined) return seasonOf(season, Number(year));
  const turns = [before, after].find((word) => word !== undefined && isTurn(word));
  return turned(turnOf(turns), today, (at) => seasonOf(season, at));
}
const isTurn = (word: string): boolean =>
  nextWords.includes(word) || lastWords.includes(word) || comingWords.includes(word);

/** Returns the weekday or weekend with a number in a month; number 5 is the last one. */
function nthOfMonth(nth: number, weekday: number, month: Day): Day {
  const first = month.with({ day: 1 });
  const one = first.add({ days: (weekday - first.dayOfWeek + 7) % 7 });
  if (nth < 5) return one.add({ weeks: nth - 1 });
  const late = one.add({ weeks: 4 });
  return late.month === month.month ? late : one.add({ weeks: 3 });
}

/** Returns the first day of a named month that is not over, or of the month in a year. */
function monthNamed(name: string | undefined, year: string | undefined, today: Day): Day | null {
  const month = calendarNames().months.get(name ?? '');
  if (month === undefined) return null;
  if (year !== undefined) return dayAt(Number(year), month);
  return dayAt(today.year + (month < today.month ? 1 : 0), month);
}

function readNthWeekend([nth, name, year]: readonly (string | undefined)[], today: Day): Period | null {
  const month = monthNamed(name, year, today);
  const number = ordinals.get(nth ?? '');
  if (month === null || number === undefined) return null;
  const saturday = nthOfMonth(number, 6, month);
  return period(saturday.subtract({ days: 1 }), saturday.add({ days: 1 }));
}

function readNthWeekday(
  [nth, weekday, name, year]: readonly (string | undefined)[],
  today: Day,
): Period | null {
  const month = monthNamed(name, year, today);
  const [number, day] = [ordinals.get(nth ?? ''), calendarNames().weekdays.get(weekday ?? '')];
  if (month === null || number === undefined || day === undefined) return null;
  const date = nthOfMonth(number, day, month);
  return period(date, date);
}

function readThird([part, name, year]: readonly (string | undefined)[], today: Day): Period | null {
  const third = thirds.get(part ?? '');
  const month = units.has(name ?? '') ? today.with({ day: 1 }) : monthNamed(name, year, today);
  if (third === undefined || month === null) return null;
  const last = third === 3 ? month.daysInMonth : third * 10;
  return period(month.with({ day: third * 10 - 9 }), month.with({ day: last }));
}

const countOf = (text: string | undefined): number => Number(text) || (counts.get(text ?? '') ?? 0);
const unitNames = ['days', 'weeks', 'months', 'years'] as const;

/** Returns the day, week, month or year that is so many away. */
function atDistance(count: number, unit: string | undefined, today: Day): Period | null {
  const name = unitNames[(units.get(unit ?? '') ?? 0) - 1];
  if (name === undefined || count === 0 || Math.abs(count) > 400) return null;
  const day = today.add({ [name]: count });
  if (name === 'days') return period(day, day);
  if (name === 'weeks') return period(mondayOf(day), mondayOf(day).add({ days: 6 }));
  return name === 'months' ? monthOf(day) : period(dayAt(day.year, 1), dayAt(day.year, 12, 31));
}

/** Returns the days from today on, or up to today. */
function lasting(count: number, unit: string | undefined, today: Day): Period | null {
  const name = unitNames[(units.get(unit ?? '') ?? 0) - 1];
  if (name === undefined || count === 0 || Math.abs(count) > 400) return null;
  const end = today.add({ [name]: count });
  return count > 0 ? period(today, end.subtract({ days: 1 })) : period(end.add({ days: 1 }), today);
}

function readWeekday([before, name, after]: readonly (string | undefined)[], today: Day): Period | null {
  const weekday = calendarNames().weekdays.get(name ?? '');
  const word = before ?? after;
  if (weekday === undefined || word === undefined) return null;
  const ahead = (weekday - today.dayOfWeek + 7) % 7;
  const turn = turnOf(word);
  const days = {
    first: ahead,
    last: -(((today.dayOfWeek - weekday + 6) % 7) + 1),
    next: romanceNext.has(word) ? ahead || 7 : 7 - today.dayOfWeek + weekday,
  }[turn];
  const day = today.add({ days });
  return period(day, day);
}

function readMonth([before, name, after]: readonly (string | undefined)[], today: Day): Period | null {
  const month = calendarNames().months.get(name ?? '');
  const word = before ?? after;
  if (month === undefined || word === undefined) return null;
  return turned(turnOf(word), today, (year) => monthOf(dayAt(year, month)));
}

function readRest([unit]: readonly (string | undefined)[], today: Day): Period | null {
  const last = {
    2: mondayOf(today).add({ days: 6 }),
    3: today.with({ day: today.daysInMonth }),
    4: dayAt(today.year, 12, 31),
  }[units.get(unit ?? '') ?? 0];
  return last === undefined ? null : period(today, last);
}

/** Returns the first day of a week of ISO 8601; null if the year does not have that week. */
export function isoWeek(year: number, week: number): Day | null {
  const first = mondayOf(dayAt(year, 1, 4)).add({ weeks: week - 1 });
  return week >= 1 && first.add({ days: 3 }).year === year ? first : null;
}

/** Reads a numbered week: that of the year, or the next one that is not over. Week 53 comes every five or six years. */
function readNumberedWeek(number: string | undefined, year: string | undefined, today: Day): Period | null {
  const years =
    year === undefined ? Array.from({ length: 9 }, (_, at) => today.year - 1 + at) : [Number(year)];
  for (const at of years) {
    const first = isoWeek(at, Number(number));
    const last = first?.add({ days: 6 });
    if (first && last && (year !== undefined || !isBefore(last, today))) return period(first, last);
  }
  return null;
}

let cachedRules: readonly Rule[] | null = null;

/** Returns the rules; they are built on first use, because they need the names of months and weekdays. */
function rulesOf(): readonly Rule[] {
  if (cachedRules) return cachedRules;
  const { months, weekdays } = calendarNames();
  const [month, weekday] = [any(months.keys()), any([...weekdays.keys()].filter((name) => name.length > 3))];
  const turn = any([...nextWords, ...comingWords, ...lastWords]);
  const number = `(\\d{1,3}|${any(counts.keys()).slice(1, -1)})`;
  const unit = any(units.keys());
  const year = '(?: (?:of |de |del )?(20\\d\\d))?';
  const of = `(?:${any(ofWords).slice(1, -1)})`;
  const weekend = `(?:${weekends.join('|')})`;
  const article = '(?:l|d|quest|nell|dell|cet )?';
  const intro = any([...introductions, ...nextWords, ...comingWords, ...lastWords]);
  const aheadTurn = any(
    nextWords.concat([
      'prochains',
      'prochaines',
      'proximos',
      'proximas',
      'prossimi',
      'prossime',
      'komende',
      'kommenden',
      'coming',
      'within',
    ]),
  );
  const backTurn = any(
    lastWords.concat(['past', 'derniers', 'dernieres', 'ultimos', 'ultimas', 'ultimi', 'ultime', 'laatste']),
  );
  cachedRules = [
    {
      pattern: whole(`(?:${intro} )?${article}${any(seasons.keys())}(?: ${turn})?${year}`),
      read: readSeason,
    },
    { pattern: whole(`${any(ordinals.keys())} ${weekend} ${of} ${month}${year}`), read: readNthWeekend },
    { pattern: whole(`${any(ordinals.keys())} ${month}(?:wochenende|weekend)${year}`), read: readNthWeekend },
    { pattern: whole(`${any(ordinals.keys())} ${weekday} ${of} ${month}${year}`), read: readNthWeekday },
    { pattern: whole(`${any(thirds.keys())} (?:${of} )?${month}${year}`), read: readThird },
    {
      pattern: whole(
        `${any(thirds.keys())} (?:(?:the|des|du|de|del|van de|di|le|this) )*(month|monats|mois|mes|mese|maand)`,
      ),
      read: readMonthThird,
    },
    {
      pattern: whole(`${any(aheadWords)} ${number} ${unit}(?: time)?`),
      read: ([, count, name], today) => atDistance(countOf(count), name, today),
    },
    {
      pattern: whole(`${any(agoBefore)} ${number} ${unit}`),
      read: ([, count, name], today) => atDistance(-countOf(count), name, today),
    },
    {
      pattern: whole(`${number} ${unit} ${any(agoAfter)}`),
      read: ([count, name], today) => atDistance(-countOf(count), name, today),
    },
    {
      pattern: whole(`${number} ${unit} ${any(aheadAfter)}`),
      read: ([count, name], today) => atDistance(countOf(count), name, today),
    },
    {
      pattern: whole(`(?:${any(weekNumberWords).slice(1, -1)}) ?(\\d{1,2})${year}`),
      read: ([week, ofYear], today) => readNumberedWeek(week, ofYear, today),
    },
    {
      pattern: whole(`(\\d{1,2}) (?:${weekNumberWordsAfter.join('|')})${year}`),
      read: ([week, ofYear], today) => readNumberedWeek(week, ofYear, today),
    },
    {
      pattern: whole(`${aheadTurn} ${number} ${unit}`),
      read: ([, count, name], today) => lasting(countOf(count), name, today),
    },
    {
      pattern: whole(`${number} ${aheadTurn} ${unit}`),
      read: ([count, , name], today) => lasting(countOf(count), name, today),
    },
    {
      pattern: whole(`${backTurn} ${number} ${unit}`),
      read: ([, count, name], today) => lasting(-countOf(count), name, today),
    },
    {
      pattern: whole(`${number} ${backTurn} ${unit}`),
      read: ([count, , name], today) => lasting(-countOf(count), name, today),
    },
    { pattern: whole(`(?:${turn} )?${weekday}(?: ${turn})?`), read: readWeekday },
    { pattern: whole(`(?:${turn} )?${month}(?: ${turn})?`), read: readMonth },
    {
      pattern: whole(
        `(?:${restWords.join('|')}) ?(?:l)?${any([...units.keys(), 'jahres', 'monats', 'lannee'])}`,
      ),
      read: ([name], today) =>
        readRest([{ jahres: 'jahr', monats: 'monat', lannee: 'annee' }[name ?? ''] ?? name], today),
    },
  ];
  return cachedRules;
}

/** Compiles the rules, one per step: a rule takes milliseconds on its first two runs. */
export function* compilePeriodRules(): Generator<void> {
  for (const { pattern } of rulesOf()) yield* compilePattern(pattern);
}

const readMonthThird: Rule['read'] = ([part], today) => readThird([part, 'month'], today);

const leadingIntro = new RegExp(`^(?:${any(introductions).slice(1, -1)}) `, 'u');

/** Parses a period from words as `normalizeForSearch` returns them; null if they are none. */
export function parsePeriod(words: string, today: Day): Period | null {
  if (words.length > maxTextLength) return null;
  for (const text of [words, words.replace(leadingIntro, '')]) {
    for (const { pattern, read } of rulesOf()) {
      const match = pattern.exec(text);
      const span = match === null ? null : read(match.slice(1), today);
      if (span !== null) return span;
    }
  }
  return null;
}

/** Words of which at least one is in every period that free texts may have. */
const triggers = new Set(
  [
    ...seasons.keys(),
    ...units.keys(),
    ...thirds.keys(),
    ...weekends,
    ...ordinals.keys(),
    ...nextWords,
    ...comingWords,
    ...lastWords,
    ...weekNumberWords,
  ]
    .flatMap((text) => text.split(' '))
    .filter((word) => word.length > 2),
);
const hasTrigger = (words: readonly string[]): boolean =>
  words.some(
    (word) =>
      triggers.has(word) || isWeekNumber(word) || /^kw$|(?:wochenende|weekend|estate|ete)$/u.test(word),
  );
/** "KW51", in one word. */
const isWeekNumber = (word: string): boolean => /^kw\d{1,2}$/u.test(word);

/**
 * Splits the longest period off a free text. One word alone is none, except with an
 * article ("quest'estate"): "Summer" and "Spring" are also parts of names.
 * @returns null if there is none
 */
export function splitPeriod(text: string): { from: string; rest: string } | null {
  const words = text.split(/\s+/u).filter(Boolean).slice(0, 40);
  const normalized = words.map(normalizeForSearch);
  if (!hasTrigger(normalized.flatMap((word) => word.split(' ')))) return null;
  const today = dayAt(2026, 1);
  for (let count = Math.min(maxWords, words.length); count > 0; count--) {
    for (let at = 0; at + count <= words.length; at++) {
      const span = normalized
        .slice(at, at + count)
        .filter(Boolean)
        .join(' ');
      const isOneWord =
        !span.includes(' ') && !isWeekNumber(span) && !/\p{L}['’]\p{L}/u.test(words[at] as string);
      if (isOneWord || parsePeriod(span, today) === null || isBare(span)) continue;
      return { from: span, rest: [...words.slice(0, at), ...words.slice(at + count)].join(' ') };
    }
  }
  return null;
}

/** Whether a text is an article and a season or month, which may be a part of a name: "The Fall", "la primavera". */
const isBare = (span: string): boolean => /^(?:the|le|la|il|el|lo|a|der|das|de|het|i) \S+$/u.test(span);

const dotted = /^(\d{1,2})\.\s?(\d{1,2})\.(?:\s?(\d{4}|\d{2}))?$/;
const separated = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})$/;

/**
 * Parses a date in figures, day first: "24.12.2026", "24.12.", "24/12/2026". Of the two figures, one above 12 is the day.
 * A date without a year is the next one.
 */
export function parseFigures(text: string, today: Day): Day | null {
  const [, dotDay, dotMonth, dotYear] = dotted.exec(text) ?? [];
  const [, firstFigure, , secondFigure, fullYear] = separated.exec(text) ?? [];
  const [a, b] = [Number(dotDay ?? firstFigure), Number(dotMonth ?? secondFigure)];
  if (!a || !b) return null;
  const [day, month] = b > 12 && a <= 12 && dotDay === undefined ? [b, a] : [a, b];
  const year = dotYear ?? fullYear;
  if (year !== undefined) return validDay(year.length === 2 ? 2000 + Number(year) : Number(year), month, day);
  for (let at = today.year; at <= today.year + 8; at++) {
    const date = validDay(at, month, day);
    if (date !== null && !isBefore(date, today)) return date;
  }
  return null;
}

function validDay(year: number, month: number, day: number): Day | null {
  try {
    return Temporal.PlainDate.from({ year, month, day }, { overflow: 'reject' });
  } catch {
    return null;
  }
}
