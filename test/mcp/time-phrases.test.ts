/** Time phrases in six languages: each is read in a field, and inside a free text. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  splitHoliday,
  splitLikelyTime,
  splitTime,
  type TimeSplit,
} from '../../src/catalogue/dates/time-expressions.ts';
import { parseWindow } from '../../src/catalogue/dates/time-window.ts';

/** Noon UTC of a Friday. */
const now = Date.parse('2026-11-20T12:00:00Z');

const phrases: readonly [phrase: string, first: string, last: string][] = [
  // English
  ['this summer', '2027-06-01', '2027-08-31'],
  ['last summer', '2026-06-01', '2026-08-31'],
  ['this autumn', '2026-09-01', '2026-11-30'],
  ['in winter', '2026-12-01', '2027-02-28'],
  ['summer 2027', '2027-06-01', '2027-08-31'],
  ['the first weekend of December', '2026-12-04', '2026-12-06'],
  ['last weekend in January', '2027-01-29', '2027-01-31'],
  ['first Saturday of December', '2026-12-05', '2026-12-05'],
  ['24.12.2026', '2026-12-24', '2026-12-24'],
  ['24/12/2026', '2026-12-24', '2026-12-24'],
  ['in two weeks', '2026-11-30', '2026-12-06'],
  ['in 3 days', '2026-11-23', '2026-11-23'],
  ['2 weeks from now', '2026-11-30', '2026-12-06'],
  ['3 days from now', '2026-11-23', '2026-11-23'],
  ['a week from today', '2026-11-23', '2026-11-29'],
  ['week 51', '2026-12-14', '2026-12-20'],
  ['calendar week 3', '2027-01-18', '2027-01-24'],
  ['week 53 of 2026', '2026-12-28', '2027-01-03'],
  ['weekend', '2026-11-20', '2026-11-22'],
  ['two weeks ago', '2026-11-02', '2026-11-08'],
  ['between Christmas and New Year', '2026-12-25', '2027-01-01'],
  ['mid December', '2026-12-11', '2026-12-20'],
  ['end of January', '2027-01-21', '2027-01-31'],
  ['the weekend after next', '2026-12-04', '2026-12-06'],
  ['rest of the month', '2026-11-20', '2026-11-30'],
  ['last 30 days', '2026-10-22', '2026-11-20'],
  ['next December', '2026-12-01', '2026-12-31'],
  ['day after tomorrow', '2026-11-22', '2026-11-22'],
  // German
  ['im Sommer', '2027-06-01', '2027-08-31'],
  ['nächsten Sommer', '2027-06-01', '2027-08-31'],
  ['diesen Winter', '2026-12-01', '2027-02-28'],
  ['am ersten Dezemberwochenende', '2026-12-04', '2026-12-06'],
  ['erstes Wochenende im Dezember', '2026-12-04', '2026-12-06'],
  ['in zwei Wochen', '2026-11-30', '2026-12-06'],
  ['zwischen Weihnachten und Neujahr', '2026-12-25', '2027-01-01'],
  ['Mitte Dezember', '2026-12-11', '2026-12-20'],
  ['am kommenden Samstag', '2026-11-21', '2026-11-21'],
  ['24. Dezember', '2026-12-24', '2026-12-24'],
  ['übernächstes Wochenende', '2026-12-04', '2026-12-06'],
  ['vor zwei Wochen', '2026-11-02', '2026-11-08'],
  ['kommende Woche', '2026-11-23', '2026-11-29'],
  ['zwischen den Jahren', '2026-12-25', '2027-01-01'],
  ['KW 51', '2026-12-14', '2026-12-20'],
  ['KW51', '2026-12-14', '2026-12-20'],
  ['in der KW 47', '2026-11-16', '2026-11-22'],
  ['51. KW', '2026-12-14', '2026-12-20'],
  ['Kalenderwoche 2', '2027-01-11', '2027-01-17'],
  ['KW 2 2028', '2028-01-10', '2028-01-16'],
  ['in 2 Wochen', '2026-11-30', '2026-12-06'],
  // French
  ['le week-end prochain', '2026-11-27', '2026-11-29'],
  ['cet été', '2027-06-01', '2027-08-31'],
  ["l'été prochain", '2027-06-01', '2027-08-31'],
  ['dans deux semaines', '2026-11-30', '2026-12-06'],
  ['le premier week-end de décembre', '2026-12-04', '2026-12-06'],
  ['entre Noël et le nouvel an', '2026-12-25', '2027-01-01'],
  ['vendredi prochain', '2026-11-27', '2026-11-27'],
  ['samedi prochain', '2026-11-21', '2026-11-21'],
  ['fin décembre', '2026-12-21', '2026-12-31'],
  ['il y a deux semaines', '2026-11-02', '2026-11-08'],
  ['1er décembre', '2026-12-01', '2026-12-01'],
  ['après-demain', '2026-11-22', '2026-11-22'],
  ['semaine 51', '2026-12-14', '2026-12-20'],
  ['entre les fêtes', '2026-12-25', '2027-01-01'],
  // Spanish
  ['el próximo fin de semana', '2026-11-27', '2026-11-29'],
  ['este verano', '2027-06-01', '2027-08-31'],
  ['dentro de dos semanas', '2026-11-30', '2026-12-06'],
  ['el primer fin de semana de diciembre', '2026-12-04', '2026-12-06'],
  ['entre Navidad y Año Nuevo', '2026-12-25', '2027-01-01'],
  ['el próximo sábado', '2026-11-21', '2026-11-21'],
  ['a mediados de diciembre', '2026-12-11', '2026-12-20'],
  ['los próximos 7 días', '2026-11-20', '2026-11-26'],
  ['la semana que viene', '2026-11-23', '2026-11-29'],
  ['el mes que viene', '2026-12-01', '2026-12-31'],
  // Italian
  ["quest'estate", '2027-06-01', '2027-08-31'],
  ['la prossima estate', '2027-06-01', '2027-08-31'],
  ['tra due settimane', '2026-11-30', '2026-12-06'],
  ['il primo weekend di dicembre', '2026-12-04', '2026-12-06'],
  ['sabato prossimo', '2026-11-21', '2026-11-21'],
  ['fine dicembre', '2026-12-21', '2026-12-31'],
  ['Capodanno', '2026-12-31', '2027-01-01'],
  ['la settimana prossima', '2026-11-23', '2026-11-29'],
  ['il weekend prossimo', '2026-11-27', '2026-11-29'],
  // Dutch
  ['komende week', '2026-11-23', '2026-11-29'],
  ['deze zomer', '2027-06-01', '2027-08-31'],
  ['over twee weken', '2026-11-30', '2026-12-06'],
  ['het eerste weekend van december', '2026-12-04', '2026-12-06'],
  ['komende zaterdag', '2026-11-21', '2026-11-21'],
  ['oud en nieuw', '2026-12-31', '2027-01-01'],
  ['eind december', '2026-12-21', '2026-12-31'],
];

/** Returns the first and last day of a window; a date alone, as free texts write it, is one day. */
function days(from: string | undefined, to: string | undefined): (string | undefined)[] {
  const window = parseWindow(from, to, 'Europe/Berlin', now);
  if ('unreadable' in window) return [];
  const shown = (bound: typeof window.from) =>
    bound && 'date' in bound ? String(bound.date).replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3') : undefined;
  return [shown(window.from), shown(window.to ?? window.from)];
}

/** Splits the time as the free-text parser does: sure words, then likely ones, then holidays. */
function splitAny(text: string): TimeSplit {
  return [splitTime, splitLikelyTime, splitHoliday]
    .map((split) => split(text))
    .find(({ times }) => times !== null) as TimeSplit;
}

const languages = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl'];
/** "10 January 2027" and "January 2027" in seven languages, for all months, with the dates that they mean. */
const datedPhrases = languages.flatMap((language) =>
  Array.from({ length: 12 }, (_, at) => {
    const number = String(at + 1).padStart(2, '0');
    const format = (options: Intl.DateTimeFormatOptions) =>
      new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, { ...options, timeZone: 'UTC' }).format(
        Date.UTC(2027, at, 10),
      );
    return {
      day: format({ day: 'numeric', month: 'long', year: 'numeric' }),
      month: format({ month: 'long', year: 'numeric' }),
      date: `2027-${number}-10`,
      first: `2027-${number}-01`,
      last: `2027-${number}-${new Date(Date.UTC(2027, at + 1, 0)).getUTCDate()}`,
    };
  }),
);
const daysIn = (text: string): (string | undefined)[] => {
  const { times } = splitAny(`techno ${text} Berlin`);
  return days(times?.from ?? undefined, times?.to ?? undefined);
};

describe('a year after a month', () => {
  it('belongs to the month, in all languages', () => {
    for (const { day, month, date, first, last } of datedPhrases) {
      assert.deepEqual(daysIn(day), [date, date], day);
      assert.deepEqual(daysIn(month), [first, last], month);
    }
  });
  it('is an end after "until", and its eve after "before"', () => {
    for (const [text, to] of [
      ['until 20 January 2027', '20 January 2027'],
      ['until January 2027', 'January 2027'],
      ['before 10 July 2027', '10 July 2027'],
      ['bis 20. Januar 2027', '20. Januar 2027'],
      ['hasta el 20 de enero de 2027', '20 de enero de 2027'],
      ['fino al 20 aprile 2027', '20 aprile 2027'],
    ] as const) {
      const { times } = splitTime(`Berlin ${text}`);
      assert.deepEqual([times?.from, times?.to], [null, to], text);
    }
  });
  it('may follow a short name', () => {
    for (const [text, first, last] of [
      ['Jan 2027', '2027-01-01', '2027-01-31'],
      ['10 Feb 2027', '2027-02-10', '2027-02-10'],
      ['July 10th, 2027', '2027-07-10', '2027-07-10'],
    ] as const)
      assert.deepEqual(daysIn(text), [first, last], text);
  });
  it('leaves words between months the ends of a range', () => {
    for (const [text, first, last] of [
      ['January and February 2027', '2027-01-01', '2027-02-28'],
      ['between January and July', '2027-01-01', '2027-07-31'],
      ['January-February', '2027-01-01', '2027-02-28'],
      ['enero y febrero de 2027', '2027-01-01', '2027-02-28'],
      ['gennaio e aprile 2027', '2027-01-01', '2027-04-30'],
      ['10 January to 20 January 2027', '2027-01-10', '2027-01-20'],
      ['10 January to 5 February 2028', '2028-01-10', '2028-02-05'],
      ['20 December to 5 January 2028', '2027-12-20', '2028-01-05'],
      ['December to January 2027', '2026-12-01', '2027-01-31'],
      ['January 10-12, 2028', '2028-01-10', '2028-01-12'],
      ['11. bis zum 13. Dezember', '2026-12-11', '2026-12-13'],
      ['10 and 11 January', '2027-01-10', '2027-01-11'],
      ['Friday to 20 January 2027', '2026-11-20', '2027-01-20'],
    ] as const)
      assert.deepEqual(daysIn(text), [first, last], text);
  });
});

describe('days in figures', () => {
  it('are a range with the month at its end', () => {
    for (const [text, first, last] of [
      ['11.-13.12.', '2026-12-11', '2026-12-13'],
      ['11.–13.12.2026', '2026-12-11', '2026-12-13'],
      ['11. - 13. 12.', '2026-12-11', '2026-12-13'],
      ['11./12.12.', '2026-12-11', '2026-12-12'],
      ['vom 11. bis 13.12.', '2026-12-11', '2026-12-13'],
      ['11. und 12.12.', '2026-12-11', '2026-12-12'],
      ['30.12.-2.1.', '2026-12-30', '2027-01-02'],
      ['30.12.-2.1.2027', '2026-12-30', '2027-01-02'],
    ] as const)
      assert.deepEqual(daysIn(text), [first, last], text);
  });
});

describe('time phrases', () => {
  it('are at least 60', () => assert.ok(phrases.length >= 60));
  for (const [phrase, first, last] of phrases) {
    it(`${phrase}: a field`, () => assert.deepEqual(days(phrase, undefined), [first, last]));
    it(`${phrase}: a free text`, () => {
      const { times, rest } = splitAny(`techno ${phrase} Berlin`);
      assert.deepEqual(days(times?.from ?? undefined, times?.to ?? undefined), [first, last]);
      assert.match(rest, /^techno\b.*\bBerlin$/);
      assert.doesNotMatch(rest, /\d|\b(?:summer|weekend|week|due|deux|dos|zwei)\b/i);
    });
  }

  it('leaves names alone', () => {
    for (const name of [
      'Spring Awakening',
      'The Fall',
      'Summer',
      'La Primavera',
      'Winter Family',
      'Last Train',
    ])
      assert.equal(splitTime(name).times, null, name);
  });
  it('keeps the other text as it was written', () => {
    for (const [text, time, rest] of [
      ['😀 Ünïcødé 3 de março', '3 de março', '😀 Ünïcødé'],
      ['FIESTA ½ — SÁBADO 3 DE DÉCEMBRE', 'SÁBADO 3 DE DÉCEMBRE', 'FIESTA ½ —'],
      ['İstanbul before Friday', 'before Friday', 'İstanbul'],
      ['Ночь 24.12.2026 Москва', '24.12.2026', 'Ночь   Москва'],
      ['𝐅riday techno jusqu’au 5 mai 2027', 'jusqu’au 5 mai 2027', '𝐅riday techno'],
    ] as const) {
      const split = splitTime(text);
      assert.deepEqual([split.text, split.rest], [time, rest]);
    }
  });
  it('does not read what is no date', () => {
    for (const text of ['31.02.2026', '24.13.2026', '2.2', 'the fifth weekend of Nothing'])
      assert.deepEqual(days(text, undefined), [], text);
  });
});

it('a text of many small words is read as fast as others', () => {
  // Each pair of them could open and join a range: nested ranges would take seconds.
  for (const text of [`${'de '.repeat(12)}${'a '.repeat(24)}`, `${'van '.repeat(9)}${'tot '.repeat(14)}`]) {
    const before = process.cpuUsage();
    assert.deepEqual(parseWindow(text, undefined, 'Europe/Berlin', now), { unreadable: 'from' });
    const { user } = process.cpuUsage(before);
    assert.ok(user < 1_000_000, `${user} µs for ${text}`);
  }
});
