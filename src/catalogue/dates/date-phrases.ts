/**
 * Time words in several languages: data for `time-window.ts`. Texts are written as `normalizeForSearch` returns them:
 * lower case, without accents and apostrophes.
 */
import { memoize } from '../../memoize.ts';
import { normalizeForSearch } from '../../text/fold.ts';

/** Phrases of all languages by English phrase. */
const phrasesByMeaning: Record<string, string> = {
  today:
    'this afternoon|later today|heute nachmittag|cet apres midi|esta tarde|questo pomeriggio|vanmiddag|heute|aujourdhui|hoy|oggi|hoje|vandaag|dzis|dnes',
  tonight:
    'this evening|heute abend|heute nacht|ce soir|cette nuit|esta noche|stasera|questa sera|stanotte|hoje a noite|esta noite|vanavond|vannacht',
  tomorrow:
    'tomorrow night|tomorrow evening|morgen|morgen abend|demain|demain soir|manana|domani|domani sera|amanha',
  'day after tomorrow': 'the day after tomorrow|ubermorgen|apres demain|pasado manana|dopodomani|overmorgen',
  yesterday: 'last night|gestern|hier|ayer|ieri|ontem|gisteren',
  now: 'right now|jetzt|gerade jetzt|jetzt gerade|gerade|maintenant|en ce moment|ahora|ahora mismo|adesso|in questo momento|agora|nu|op dit moment',
  'this weekend':
    'weekend|the weekend|this week end|this coming weekend|wochenende|dieses wochenende|am wochenende|ce week end|ce weekend|le week end|week end|este fin de semana|este finde|el fin de semana|fin de semana|questo weekend|questo fine settimana|este fim de semana|fim de semana|dit weekend|komend weekend|aankomend weekend',
  'next weekend':
    'next week end|nachstes wochenende|nachsten wochenende|kommendes wochenende|le week end prochain|le weekend prochain|el proximo fin de semana|proximo fin de semana|il prossimo weekend|prossimo weekend|prossimo fine settimana|il weekend prossimo|weekend prossimo|il fine settimana prossimo|fine settimana prossimo|el fin de semana que viene|fin de semana que viene|proximo fim de semana|volgend weekend',
  'weekend after next':
    'the weekend after next|ubernachstes wochenende|ubernachsten wochenende|le week end dapres|het weekend daarna',
  'last weekend': 'letztes wochenende|le week end dernier|el fin de semana pasado|lo scorso weekend',
  'this week': 'diese woche|cette semaine|esta semana|questa settimana|deze week',
  'next week':
    'nachste woche|kommende woche|la semaine prochaine|semaine prochaine|la proxima semana|proxima semana|la semana que viene|semana que viene|la prossima settimana|prossima settimana|la settimana prossima|settimana prossima|volgende week|komende week',
  'week after next': 'the week after next|ubernachste woche|ubernachsten woche',
  'last week': 'letzte woche|la semaine derniere|la semana pasada|la settimana scorsa|vorige week',
  'this month': 'diesen monat|ce mois|ce mois ci|este mes|questo mese|deze maand',
  'next month':
    'nachsten monat|nachster monat|kommenden monat|le mois prochain|mois prochain|el proximo mes|proximo mes|el mes que viene|mes que viene|il prossimo mese|il mese prossimo|volgende maand',
  'last month': 'letzten monat|le mois dernier|el mes pasado|il mese scorso|vorige maand',
  'this year': 'dieses jahr|cette annee|este ano|questanno|dit jaar',
  'next year': 'nachstes jahr|lannee prochaine|el proximo ano|proximo ano|lanno prossimo|volgend jaar',
};

/** English phrase by phrase of any language. */
export const phraseMeanings: ReadonlyMap<string, string> = new Map(
  Object.entries(phrasesByMeaning).flatMap(([english, others]) =>
    [english, ...others.split('|')].map((text): [string, string] => [text, english]),
  ),
);

/** Words for the present moment, which are also parts of names. */
export const likelyNow: readonly string[] = [
  'now',
  'jetzt',
  'gerade',
  'gerade jetzt',
  'jetzt gerade',
  'maintenant',
  'en ce moment',
  'ahora',
  'ahora mismo',
  'adesso',
  'in questo momento',
  'agora',
  'nu',
  'op dit moment',
];

/** Words for the weekend, which are also parts of names. */
export const likelyWeekend: readonly string[] = ['weekend', 'week end'];

/** Phrases that are rarely names, so they are recognised in free text too. */
export const unambiguousPhrases: readonly string[] = [...phraseMeanings.keys()].filter(
  (text) =>
    !likelyNow.includes(text) &&
    ![
      ...likelyWeekend,
      'morgen',
      'hoy',
      'hier',
      'manana',
      'domani',
      'demain',
      'amanha',
      'dnes',
      'dzis',
      'ieri',
    ].includes(text),
);

/** Words for tomorrow that are also names or mean "morning". */
export const likelyTomorrow: readonly string[] = ['morgen', 'demain', 'manana', 'domani', 'amanha'];

const joinedNight =
  /(?<![\p{L}\p{N}])(mon|diens|donners|frei|sams|sonn|maan|dins|woens|donder|vrij|zater|zon)(tag|dag)s?(nacht|abend|avond)(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])(mittwoch)(nacht|abend)(?![\p{L}\p{N}])/giu;
/** Writes "Samstagnacht" as "Samstag nacht". */
export const separateNights = (text: string): string => text.replace(joinedNight, '$1$2$4 $3$5');

/** Holidays: a month and day, or an offset in days from Easter Sunday. */
export type Holiday = { month: number; day: number; days?: number } | { fromEaster: number; days: number };

const holidayNames: [names: string, holiday: Holiday][] = [
  [
    'new years eve|new year eve|nye|silvester|sylvester|silvesterabend|reveillon|le reveillon|saint sylvestre|st sylvestre|nochevieja|noche vieja|fin de ano|san silvestro|oudejaarsavond|oudejaarsnacht|oudjaar',
    { month: 12, day: 31 },
  ],
  [
    'new years day|neujahr|neujahrstag|nouvel an|jour de lan|ano nuevo|nieuwjaar|nieuwjaarsdag',
    { month: 1, day: 1 },
  ],
  ['new years|new year|capodanno|oud en nieuw|jahreswechsel', { month: 12, day: 31, days: 2 }],
  [
    'valentines day|valentines|valentinstag|saint valentin|san valentin|san valentino|valentijnsdag',
    { month: 2, day: 14 },
  ],
  ['st patricks day|saint patricks day', { month: 3, day: 17 }],
  ['kings day|koningsdag', { month: 4, day: 27 }],
  ['may day', { month: 5, day: 1 }],
  ['halloween', { month: 10, day: 31 }],
  [
    'christmas eve|xmas eve|heiligabend|reveillon de noel|nochebuena|vigilia di natale|kerstavond',
    { month: 12, day: 24 },
  ],
  [
    'christmas|christmas day|xmas|weihnachten|weihnachtstag|noel|navidad|natale|kerst|kerstmis',
    { month: 12, day: 25 },
  ],
  ['zwischen den jahren|entre les fetes', { month: 12, day: 25, days: 8 }],
  ['boxing day|st stephens day|santo stefano|tweede kerstdag', { month: 12, day: 26 }],
  ['easter|easter weekend|ostern|paques|pascua|pasqua|pascoa|pasen', { fromEaster: -2, days: 4 }],
  ['good friday|karfreitag', { fromEaster: -2, days: 1 }],
  ['easter sunday|ostersonntag', { fromEaster: 0, days: 1 }],
  ['easter monday|ostermontag', { fromEaster: 1, days: 1 }],
  ['whitsun|pentecost|pfingsten|pentecote|pentecostes|pentecoste|pinksteren', { fromEaster: 48, days: 3 }],
  ['ascension day|himmelfahrt|christi himmelfahrt|hemelvaart|hemelvaartsdag', { fromEaster: 39, days: 1 }],
  ['ferragosto', { month: 8, day: 15 }],
  ['all saints day|allerheiligen|toussaint|ognissanti', { month: 11, day: 1 }],
];
export const holidays: ReadonlyMap<string, Holiday> = new Map(
  holidayNames.flatMap(([names, holiday]) =>
    names.split('|').map((name): [string, Holiday] => [name, holiday]),
  ),
);

/** Words before a time that do not change its meaning. */
export const leadingWords =
  'on|in|at|the|for|during|over|around|by|until|till|from|since|am|im|an|zu|ab|bis|den|en|el|le|les|au|a|al|para|il|nel|in|na|no|em|op|this|this coming|coming|dieser|diesen|ce|este|questo|dit|deze';
/** Words after a day that do not change its meaning. */
export const trailingWords = 'night|nights|evening|nacht|abend|soir|noche|sera|notte|avond';

const english = {
  months: 'january february march april may june july august september october november december',
  weekdays: 'monday tuesday wednesday thursday friday saturday sunday',
};
const shortMonths = 'jan feb mar apr may jun jul aug sep oct nov dec';
const shortWeekdays = 'mon tue wed thu fri sat sun';
const languages = ['de', 'fr', 'es', 'it', 'pt', 'nl'];

type CalendarNames = { months: ReadonlyMap<string, number>; weekdays: ReadonlyMap<string, number> };
let cachedNames: CalendarNames | null = null;

/** Returns months and weekdays by name (numbered from 1, Monday first). The names are collected on first use. */
export function calendarNames(): CalendarNames {
  if (cachedNames) return cachedNames;
  const numbered = (text: string): [string, number][] => text.split(' ').map((name, at) => [name, at + 1]);
  // English names come first and are not overwritten by other languages.
  const months = new Map([
    ['sept', 9],
    ...localizedNames('month'),
    ...numbered(shortMonths),
    ...numbered(english.months),
  ]);
  const weekdays = new Map([
    ...([
      ['tues', 2],
      ['thurs', 4],
      ['thur', 4],
      ['weds', 3],
    ] as [string, number][]),
    ...localizedNames('weekday'),
    ...numbered(shortWeekdays),
    ...numbered(english.weekdays),
  ]);
  cachedNames = { months, weekdays };
  return cachedNames;
}

type NameKind = 'month' | 'weekday';

/** Returns the names of months or weekdays in other languages. */
const localizedNames = (kind: NameKind): [string, number][] =>
  languages.flatMap((language) => namesIn(`${language} ${kind}`));

const namesIn = memoize(100, (key: string): [string, number][] => {
  const [language, kind] = key.split(' ') as [string, NameKind];
  const format = new Intl.DateTimeFormat(language, { [kind]: 'long', timeZone: 'UTC' });
  return Array.from({ length: kind === 'month' ? 12 : 7 }, (_, at): [string, number] => {
    // 1 January 2024 was a Monday.
    const date = kind === 'month' ? Date.UTC(2024, at, 1) : Date.UTC(2024, 0, at + 1);
    return [normalizeForSearch(format.format(date)), at + 1];
  });
});

/** Loads the names of months and weekdays, those of one language per step. */
export function* loadCalendarNames(): Generator<void> {
  for (const language of languages) {
    for (const kind of ['month', 'weekday']) namesIn(`${language} ${kind}`);
    yield;
  }
}

/**
 * Compiles a pattern, a part per step: V8 makes byte code on its first run and machine code on its second, and both once
 * more for texts with characters beyond Latin-1.
 */
export function* compilePattern(pattern: RegExp): Generator<void> {
  for (const text of ['on no day', 'at no time', 'в никакой день', 'ни в какое время']) {
    pattern.exec(text);
    yield;
  }
}
