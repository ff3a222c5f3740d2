/** The texts of the console's review in German; the pattern is `console-review-en.ts`. */

import { formatsOf } from './formats.ts';
import type { Messages } from './pattern.ts';

const { counted, number } = formatsOf({ language: 'de', dates: 'de-DE', keepsCommas: true });

/** What a record has, by the names of its counts. */
const countNames: Record<string, [one: string, other: string]> = {
  events: ['Event', 'Events'],
  editions: ['Festivalausgabe', 'Festivalausgaben'],
  artists: ['Act', 'Acts'],
};

export const consoleReview: Messages['consoleReview'] = {
  title: 'Prüfung',
  kinds: 'Arten',
  tab: (name, count) => `${name} (${number(count)})`,
  all: 'Alle',
  tabs: { event: 'Events', artist: 'Acts', venue: 'Orte', festival: 'Festivals', label: 'Labels' },
  toDecide: (count) => `${number(count)} zu entscheiden`,
  questions: {
    event: 'Ist das dasselbe Event?',
    artist: 'Ist das derselbe Act?',
    venue: 'Ist das derselbe Ort?',
    festival: 'Ist das dasselbe Festival?',
    label: 'Ist das dasselbe Label?',
  },
  allDecided: (count) =>
    `Alle Paare sind entschieden: jetzt ${counted(count, 'Entscheidung', 'Entscheidungen')}.`,
  none: 'Kein Paar wartet auf die Prüfung.',
  later: 'Neue Paare erscheinen hier nach Importen.',
  refused: 'Das Paar wurde nicht entschieden:',
  verdicts: {
    same: 'Gleich',
    different: 'Verschieden',
    later: 'Später',
    undo: 'Zurücknehmen',
  },
  done: {
    same: 'Vereint.',
    different: 'Bleiben getrennt. Spätere Importe vereinen die beiden nicht.',
    later: 'Zurückgestellt, bis eine Quelle einen der beiden ändert.',
    undone: 'Zurückgenommen. Das Paar ist wieder offen.',
  },
  evidence: 'Belege',
  evidenceText:
    'Ein positives Gewicht spricht für einen Eintrag, ein negatives für zwei. „Später“ stellt das Paar zurück, bis eine Quelle einen der Einträge ändert.',
  caption: 'Beide Einträge. Werte, die sich unterscheiden, sind markiert.',
  field: 'Feld',
  first: 'A, der ältere Eintrag',
  second: 'B',
  publicPage: 'Öffentliche Seite',
  differs: 'unterscheidet sich',
  rows: {
    name: 'Name',
    starts: 'Beginn',
    ends: 'Ende',
    status: 'Stand',
    venue: 'Ort',
    city: 'Stadt',
    country: 'Land',
    lineup: 'Line-up',
    genres: 'Genres',
    aliases: 'Auch bekannt als',
    links: 'Links',
    ids: 'Kennungen anderswo',
    has: 'Hat',
    sources: 'Quellen',
  },
  more: (count) => `und ${number(count)} weitere`,
  unlisted: 'nicht mehr geführt',
  moment: (date, time) => `${date}, ${time}`,
  count: (what, count) => counted(count, ...(countNames[what] ?? ([what, what] as [string, string]))),
  forecast: 'Gleich: {stays} bleibt, und {merged} führt dorthin. Der Name ist {name}.',
  forecastFrom: 'Gleich: {stays} bleibt, und {merged} führt dorthin. Der Name ist {name}, aus {source}.',
  conflicts: (what) => `Sie unterscheiden sich (${what}): nur vereinen, wenn eine der Quellen sich irrt.`,
  and: ' und ',
  conflict: { date: 'Datum', venue: 'Ort', city: 'Stadt', country: 'Land' },
};
