/** The texts of the console's pages about sources in German; their style is that of `de.ts`. */

import { formatsOf } from './formats.ts';
import type { Messages } from './pattern.ts';

type Texts = Messages['consoleSources'];

const { counted, number } = formatsOf({ language: 'de', dates: 'de-DE', keepsCommas: true });
const entries = (count: number): string => counted(count, 'Eintrag', 'Einträge');

export const counts: Texts['counts'] = {
  sources: (count) => counted(count, 'Quelle', 'Quellen'),
  listed: (count) => `${entries(count)} in der Liste`,
  unlisted: (count) => `${entries(count)} nicht mehr in der Liste`,
  usual: (count) => `gewöhnlich ${number(count)} je Lesung`,
  only: (count) => `${number(count)} nur in dieser Liste`,
  shared: (count) => `${number(count)} auch in Listen anderer Quellen`,
  ofFirst: (count) => `(von den ersten ${number(count)})`,
  rejected: (count) => `${entries(count)} abgelehnt`,
  waiting: (count) => `${entries(count)} freizugeben`,
  records: entries,
  events: (count) => counted(count, 'Event', 'Events'),
  atClosedVenues: (count) => `${counted(count, 'Event', 'Events')} an geschlossenen Orten`,
  acts: (count) => counted(count, 'Act', 'Acts'),
  sets: (count) => counted(count, 'Set mit Uhrzeit', 'Sets mit Uhrzeit'),
  otherRecords: (count) => counted(count, 'anderer Eintrag', 'andere Einträge'),
  runs: (count) => counted(count, 'Lesung', 'Lesungen'),
  shown: (shown, all) => `${number(shown)} von ${number(all)} gezeigt`,
};

const kinds: Record<string, readonly [one: string, other: string]> = {
  event: ['Event', 'Events'],
  artist: ['Act', 'Acts'],
  venue: ['Ort', 'Orte'],
  festival: ['Festival', 'Festivals'],
  edition: ['Festivalausgabe', 'Festivalausgaben'],
  label: ['Label', 'Labels'],
  podcast: ['Podcast', 'Podcasts'],
  episode: ['Folge', 'Folgen'],
  release: ['Veröffentlichung', 'Veröffentlichungen'],
  track: ['Titel', 'Titel'],
  city: ['Stadt', 'Städte'],
  genre: ['Genre', 'Genres'],
};

export const list: Texts['list'] = {
  title: 'Quellen',
  add: 'Quelle hinzufügen',
  empty:
    'Es gibt noch keine Quellen. Die Adresse eines Kalenders, eines Feeds oder einer Seite mit Events genügt.',
  lastRead: 'zuletzt gelesen {date}',
  next: 'nächste Lesung {date}',
  done: {
    removed: 'Aus dem Zeitplan entfernt. Ihre Einträge bleiben.',
    withdrawn:
      'Entfernt. Ihre Einträge sind zurückgezogen: Künftige Events, die keine andere Quelle führt, sind nicht mehr im Katalog. Sie lassen sich zurückholen.',
    purging: 'Die Quelle wird mit ihren Einträgen entfernt.',
  },
};

export const states: Texts['states'] = {
  unscheduled: 'ohne Zeitplan',
  paused: 'angehalten',
  failed: (count) => (count === 1 ? 'fehlgeschlagen' : `${number(count)}-mal fehlgeschlagen`),
  fresh: 'noch nicht gelesen',
  ok: 'in Ordnung',
  reading: 'wird gelesen',
};

export const progress: Texts['progress'] = {
  waiting: 'Die Quelle wird gelesen, sobald andere Arbeit beendet ist.',
  reading: 'Die Quelle wird gerade gelesen.',
  read: 'Die Quelle wurde gelesen. Die Seite zeigt das Ergebnis.',
  idle: 'Die Quelle wird gerade nicht gelesen.',
  purging: (name) => `${name} wird mit allen Einträgen entfernt.`,
  purged: (name) => `${name} ist mit allen Einträgen entfernt.`,
  listReading: 'Quellen werden gerade gelesen.',
  listRead: 'Es wird keine Quelle mehr gelesen. Die Liste zeigt die Ergebnisse.',
  reload: 'Neu laden',
};

export const source: Texts['source'] = {
  done: {
    saved: 'Gespeichert. Die nächste Lesung berücksichtigt es.',
    added: 'Hinzugefügt.',
    unchanged: 'Es wurde nichts geändert.',
    paused: 'Angehalten. Der Zeitplan übergeht die Quelle, bis sie fortgesetzt wird.',
    resumed: 'Fortgesetzt.',
  },
  run: 'Jetzt lesen',
  pause: 'Anhalten',
  resume: 'Fortsetzen',
  previewTitle: 'Vorschau der Regeln',
  state: 'Zustand',
  type: 'Art',
  address: 'Adresse',
  lastSuccess: 'Letzter Erfolg',
  lastImport: 'Letzter Import',
  never: 'noch nie',
  nextRun: 'Nächste Lesung',
  none: 'keine',
  records: 'Einträge',
  contribution: 'Davon',
  held: 'Zurückgehalten',
  runs: 'Lesungen',
  allRuns: 'Alle Lesungen',
  rejected: 'Abgelehnte Einträge',
  allRejected: 'Alle abgelehnten Einträge',
  closedVenues:
    'Die Quelle nennt Events an Orten, die vorher geschlossen haben. Die Events stehen im Katalog, die Orte bleiben geschlossen. Wenn ein Ort wieder öffnet, leeren Sie das Feld „Geschlossen seit“ seines Eintrags.',
  closedSince: (date) => `geschlossen seit ${date}`,
  settings: 'Einstellungen und Regeln',
  remove: 'Entfernen',
  removeText:
    'Die Quelle nicht mehr lesen und ihre Einträge behalten, sie zurückziehen, oder die Quelle mit allen Einträgen entfernen.',
  removeLink: 'Entfernen …',
  missing: (name) => (name === '' ? 'Es ist keine Quelle genannt' : `Es gibt keine Quelle „${name}“`),
  missingText:
    'Sie wurde entfernt oder umbenannt, oder die Adresse hat einen Fehler. Die Liste zeigt alle Quellen.',
  toList: 'Zur Liste der Quellen',
  noAction: 'Das Formular sagt nicht, was mit der Quelle geschehen soll.',
};

export const settings: Texts['settings'] = {
  refused: 'Es wurde nichts gespeichert. Bitte berichtigen:',
  trust: 'Vertrauen',
  trustHint: '0 bis 100; wenn Quellen sich widersprechen, gilt die höchste',
  every: 'Lesen im Abstand von',
  everyHint: 'Zum Beispiel 90m, 12h, 7d',
  include: 'Nur Einträge, die passen zu',
  includeHint: 'Ein Muster je Zeile, zum Beispiel *techno*; leer: alle',
  exclude: 'Einträge weglassen, die passen zu',
  excludeHint: 'Ein Muster je Zeile, zum Beispiel *karaoke*',
  city: 'Stadt, wenn keine genannt ist',
  country: 'Land, wenn keines genannt ist',
  countryHint: 'Zwei Buchstaben, zum Beispiel DE',
  timezone: 'Zeitzone, wenn keine genannt ist',
  timezoneHint: 'Zum Beispiel Europe/Berlin',
  maxAge: 'Events weglassen, die älter sind als',
  maxAgeHint: 'Zum Beispiel 90d; leer: keine',
  onMissing: 'Künftige Events, die sie nicht mehr führt',
  onMissingHint:
    'Abgesagte bleiben in den Listen, als abgesagt gekennzeichnet. Entfernte sind nicht mehr in Listen, Suche und API. Was eine andere Quelle führt, bleibt in jedem Fall.',
  onMissingChoices: {
    cancel: 'Als abgesagt kennzeichnen',
    remove: 'Sofort entfernen',
    after: 'Nach einer Frist entfernen',
  },
  onMissingAfter: 'Frist bis zum Entfernen',
  onMissingAfterHint: 'Zum Beispiel 12h oder 7d; gilt nur bei „Nach einer Frist entfernen“',
  license: 'Lizenz',
  attribution: 'Zeile zur Herkunft',
  attributionUrl: 'Adresse zur Herkunft',
  genres: 'Genres, wenn keine genannt sind',
  genresHint: 'Eines je Zeile',
  complete: 'Die Liste ist vollständig: Für künftige Events, die darin fehlen, gilt die Wahl oben',
  keepPast: 'Vergangene Events behalten, auch wenn sie nicht mehr in der Liste stehen',
  hold: 'Neue Einträge zurückhalten, bis die Redaktion sie freigibt',
  save: 'Speichern',
  preview: 'Zuerst die Wirkung zeigen',
};

export const errors: Texts['errors'] = {
  name: "Ein Name hat 1 bis 100 Buchstaben, Ziffern, Leerzeichen und die Zeichen . _ & ' + ( ) - und beginnt mit einem Buchstaben oder einer Ziffer.",
  name_taken: 'Eine Quelle heißt schon so, oder der Name ist vergeben. Bitte einen anderen wählen.',
  name_input: 'Bitte einen Namen mit höchstens 100 Zeichen angeben.',
  url_taken:
    'Eine Quelle liest diese Adresse schon. Um sie ein zweites Mal hinzuzufügen, bitte einen Namen wählen.',
  url_input: 'Eine Adresse beginnt mit https:// oder http:// und hat höchstens 2.000 Zeichen.',
  type: 'Bitte eine Art aus der Liste wählen.',
  trust: 'Das Vertrauen ist eine ganze Zahl von 0 bis 100.',
  every: 'Bitte eine Spanne von 5m bis 31d angeben, zum Beispiel 90m, 12h oder 7d.',
  include: 'Bitte höchstens 100 Muster mit höchstens 200 Zeichen angeben, eines je Zeile.',
  exclude: 'Bitte höchstens 100 Muster mit höchstens 200 Zeichen angeben, eines je Zeile.',
  genres: 'Bitte Namen von Genres angeben, einen je Zeile.',
  city: 'Bitte den Namen einer Stadt angeben.',
  country: 'Bitte die zwei Buchstaben des Landes angeben, zum Beispiel DE.',
  timezone: 'Bitte den Namen einer Zeitzone angeben, zum Beispiel Europe/Berlin.',
  maxAge:
    'Bitte eine Zeitspanne in Minuten, Stunden, Tagen oder Wochen angeben, zum Beispiel 12h, 90d oder 6w.',
  onMissing: 'Bitte wählen, was mit diesen Events geschieht.',
  onMissingAfter:
    'Bitte eine Zeitspanne in Minuten, Stunden, Tagen oder Wochen angeben, zum Beispiel 12h, 7d oder 6w.',
  license: 'Bitte ein SPDX-Kürzel wie CC-BY-4.0 angeben, oder eine http- oder https-Adresse.',
  attribution: 'Bitte eine Zeile mit höchstens 300 Zeichen angeben.',
  attributionUrl: 'Bitte eine http- oder https-Adresse mit höchstens 1.000 Zeichen angeben.',
  sure: 'Bitte das Kästchen ankreuzen, um die Einträge endgültig zu löschen.',
  record: 'Bitte mindestens einen Eintrag wählen.',
};

export const rules: Texts['rules'] = {
  unsaved: 'Es ist noch nichts gespeichert.',
  text: 'Die Regeln unten beurteilen die Einträge, die bei der letzten Lesung in der Liste standen.',
  listed: 'In der Liste',
  alwaysStay: (text) => `${text} bleiben immer`,
  stay: 'Bleiben',
  leftOut: 'Weggelassen',
  areLeftOut: 'Werden weggelassen',
  empty: 'Die Liste der Quelle hatte bisher keine Events.',
  reasons: {
    include: 'passt zu keinem Muster von „Nur Einträge, die passen zu“',
    exclude: 'passt zu einem Muster von „Einträge weglassen, die passen zu“',
    'max-age': 'älter als das Höchstalter',
    hold: 'wartet auf Freigabe',
  },
};

export const runs: Texts['runs'] = {
  title: (name) => `Lesungen von ${name}`,
  heading: 'Lesungen',
  table: 'Tabelle der Lesungen',
  caption: 'Lesungen, die neueste zuerst',
  empty: 'Sie wurde noch nicht gelesen.',
  byHand: 'Sie hat keinen Zeitplan: Dateien werden von Hand importiert, und diese Importe stehen nicht hier.',
  started: 'Beginn',
  result: 'Ergebnis',
  listed: 'Einträge in der Liste',
  rejected: 'Abgelehnt',
  error: 'Fehler',
  kept: 'Die letzten 100 Lesungen werden aufbewahrt.',
  outcomes: {
    done: 'fertig',
    unchanged: 'unverändert',
    partial: 'teilweise gelesen',
    refused: 'verweigert',
    failed: 'fehlgeschlagen',
  },
};

export const rejected: Texts['rejected'] = {
  title: (name) => `Abgelehnte Einträge von ${name}`,
  heading: 'Abgelehnte Einträge',
  lead: 'Sie stehen hier, bis die Quelle ohne den Fehler gelesen wird.',
  empty: 'Es wurde kein Eintrag abgelehnt.',
  record: (line) => `Eintrag ${line}`,
};

export const held: Texts['held'] = {
  title: (name) => `Zurückgehaltene Einträge von ${name}`,
  heading: 'Zurückgehaltene Einträge',
  lead: 'Neue Einträge von {name} werden veröffentlicht, wenn die Redaktion sie freigibt.',
  waiting: (count) => `${entries(count)} freizugeben`,
  rejected: (count) => `${entries(count)} abgelehnt`,
  noneWaiting: 'Kein Eintrag wartet.',
  noneRejected: 'Es wurde kein Eintrag abgelehnt.',
  choose: 'Einträge wählen',
  chosen: 'Gewählte Einträge',
  approve: 'Freigeben',
  reject: 'Ablehnen',
  page: 'Diese Seite',
  approvePage: (count) => `Diese ${number(count)} freigeben`,
  rejectPage: (count) => `Diese ${number(count)} ablehnen`,
  all: 'Alle Seiten',
  approveAll: (count) => `Alle ${number(count)} freigeben`,
  rejectAll: (count) => `Alle ${number(count)} ablehnen`,
  link: 'Seite',
  refused: 'Es wurde nichts geändert. Bitte berichtigen:',
  noAction: 'Das Formular sagt nicht, was mit den Einträgen geschehen soll.',
  done: {
    approved: 'Freigegeben und veröffentlicht. Spätere Änderungen dieser Einträge erscheinen sofort.',
    'partly-approved':
      'Freigegeben. Einige Einträge konnten nicht veröffentlicht werden und warten wieder. `cratebase sources approve` zeigt die Gründe.',
    rejected: 'Abgelehnt. Spätere Lesungen veröffentlichen diese Einträge nicht.',
  },
};

export const pager: Texts['pager'] = {
  range: (from, to, all) => `${number(from)} bis ${number(to)} von ${number(all)}`,
  next: (count) => `Nächste ${number(count)}`,
  previous: (count) => `Vorige ${number(count)}`,
};

export const remove: Texts['remove'] = {
  title: (name) => `${name} entfernen`,
  ask: '{name} entfernen?',
  keep: 'Ihre Einträge behalten',
  keepText: (listed) => `Sie wird nicht mehr gelesen. Was sie brachte (${listed}), bleibt, wie es ist.`,
  keepButton: 'Aus dem Zeitplan entfernen',
  withdraw: 'Ihre Einträge zurückziehen',
  withdrawText:
    'Künftige Events, die keine andere Quelle führt, verlassen den Katalog. Sie lassen sich zurückholen.',
  withdrawButton: 'Entfernen und zurückziehen',
  purge: 'Mit allen Einträgen entfernen',
  deleted: (text) => `Gelöscht werden: ${text}.`,
  leave: 'Diese verlassen den Katalog, weil keine andere Quelle sie hat: {counts}.',
  noneLeaves: 'Andere Quellen haben alle davon, keiner verlässt den Katalog.',
  others: (text) => `Diese bleiben, weil andere Quellen sie haben: ${text}.`,
  running:
    'Die Quelle wird gerade gelesen, deshalb wachsen diese Zahlen noch. Das Entfernen beginnt, wenn der Lauf endet.',
  noOthers: 'Kein Eintrag einer anderen Quelle ist betroffen.',
  hidden: (text) => `Diese sind schon verborgen oder gelöscht und bleiben es: ${text}.`,
  final: 'Das lässt sich nicht rückgängig machen.',
  sure: 'Diese Einträge endgültig löschen',
  purgeButton: 'Mit ihren Einträgen entfernen',
  back: 'Quelle behalten',
  refused: 'Es wurde nichts geändert. Bitte berichtigen:',
  noWay: 'Bitte wählen, was mit ihren Einträgen geschieht.',
};

export const add: Texts['add'] = {
  title: 'Quelle hinzufügen',
  lead: 'Die Adresse eines Clubs, eines Programms, eines Kalenders oder eines Podcasts einfügen. Ihre Quelle wird erkannt. Vor dem Hinzufügen wird nichts übernommen.',
  refused: 'Die Quelle wurde nicht hinzugefügt. Bitte berichtigen:',
  unread: 'Die Adresse ließ sich nicht als Quelle lesen:',
  url: 'Adresse',
  type: 'Art',
  name: 'Name',
  nameHint: 'Steht bei ihren Events; ohne Angabe der Host',
  addedNameHint: 'Steht bei ihren Events',
  preview: 'Vorschau',
  types: {
    '': 'Erkennen',
    ical: 'Kalender (iCalendar)',
    jsonld: 'Seiten oder eine Sitemap mit schema.org-Daten',
    podcast: 'Podcast (RSS oder Atom)',
    feed: 'Feed von cratebase',
    ticketmaster: 'Ticketmaster',
    musicbrainz: 'MusicBrainz',
    discogs: 'Discogs',
    wordpress: 'WordPress (The Events Calendar)',
    squarespace: 'Squarespace',
    gancio: 'Gancio',
    mobilizon: 'Mobilizon',
    eventbrite: 'Eventbrite',
    tickettailor: 'Ticket Tailor',
    seatgeek: 'SeatGeek',
    csv: 'Tabelle (CSV)',
    openstreetmap: 'OpenStreetMap (Overpass)',
    wikidata: 'Wikidata (Abfrage)',
  },
  found: 'Adresse',
  events: 'Events',
  soFar: (text) => `bisher ${text}`,
  rejected: 'Abgelehnt',
  empty: 'Sie führt keine Events. Hinzufügen geht trotzdem.',
  withoutCity: (count) => `${count === 1 ? 'Ein Event hat' : `${count} Events haben`} keine Stadt.`,
  withoutZone: (count) =>
    `${count === 1 ? 'Ein Event hat eine Uhrzeit' : `${count} Events haben Uhrzeiten`} ohne bekannte Zeitzone. Deshalb steht hier nur das Datum.`,
  placeLater:
    'Dieses Format nimmt keinen Ort an. Stadt, Land und Zeitzone stehen nach dem Hinzufügen in den Einstellungen und Regeln der Quelle.',
  place: { city: 'Stadt', country: 'Land', timezone: 'Zeitzone' },
  placeHints: {
    city: 'Für Events, die keine nennen, etwa Berlin',
    country: 'Der Code, etwa DE',
    timezone: 'Nur wenn die Stadt sie nicht ergibt, etwa Europe/Berlin',
  },
  previewAgain: 'Vorschau mit diesem Ort',
  shorterLineups: 'Events, die Acts verlören',
  shorterLineupsText:
    'Das Line-up, das diese Quelle nennt, ersetzt eines, das aus einer Beschreibung oder einem Titel gelesen wurde. Ein Act bleibt erhalten, wenn er vorher auf der Seite des Events ergänzt wird.',
  withoutActs: (names) => `ohne ${names}`,
  matches: 'Das ist im Katalog schon vorhanden',
  noMatches: 'Der Katalog hat noch keinen dieser Einträge.',
  matchesUnknown:
    'Die Datendatei ist zu groß, um sie beim Warten zu vergleichen. `cratebase add` im Terminal tut es.',
  addTitle: 'Hinzufügen',
  complete: 'Die Liste ist vollständig: Events, die darin fehlen, gelten als abgesagt',
  submit: 'Quelle hinzufügen',
  another: 'Andere Adresse',
};
/** The name of a kind of record; an unknown kind is its own name. */
export const kindName: Texts['kindName'] = (kind) => kinds[kind]?.[0] ?? kind;
/** The number of records of a kind, with its name. */
export const kindCount: Texts['kindCount'] = (kind, count) =>
  counted(count, ...(kinds[kind] ?? [kind, kind]));
