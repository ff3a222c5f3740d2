/**
 * The texts of the pages in German. Visitors are not addressed where a sentence works without it, otherwise with "Sie".
 * Typography: „Anführungszeichen“, Halbgeviertstrich – wie hier –, Auslassungspunkte mit Leerzeichen davor.
 */
import { daysTexts } from './days-de.ts';
import { formatsOf } from './formats.ts';
import type { Messages } from './pattern.ts';

export * as account from './account-de/account.ts';
export * as consoleEdit from './console-edit-de.ts';
export { consoleFrame } from './console-frame-de.ts';
export * as consoleOperator from './console-operator-de.ts';
export { consoleOverview } from './console-overview-de.ts';
export * as consoleRecords from './console-records-de.ts';
export { consoleRefusals } from './console-refusals-de.ts';
export { consoleReview } from './console-review-de.ts';
export * as consoleSources from './console-sources-de.ts';
export { controls } from './controls-de.ts';
export { mediaTexts as media } from './media-de.ts';
export { sharing } from './sharing-de.ts';

export const formats = formatsOf({ language: 'de', dates: 'de-DE', keepsCommas: true });
const { counted } = formats;

export const counts: Messages['counts'] = {
  events: (count) => counted(count, 'Event', 'Events'),
  upcomingEvents: (count) => counted(count, 'kommendes Event', 'kommende Events'),
  artists: (count) => counted(count, 'Act', 'Acts'),
  venues: (count) => counted(count, 'Ort', 'Orte'),
  festivals: (count) => counted(count, 'Festival', 'Festivals'),
  genres: (count) => counted(count, 'Genre', 'Genres'),
  editions: (count) => counted(count, 'Ausgabe', 'Ausgaben'),
  sets: (count) => counted(count, 'Set', 'Sets'),
  episodes: (count) => counted(count, 'Folge', 'Folgen'),
  tracks: (count) => counted(count, 'Track', 'Tracks'),
  results: (count) => counted(count, 'Treffer', 'Treffer'),
};

export const frame: Messages['frame'] = {
  skip: 'Zum Inhalt springen',
  main: 'Hauptmenü',
  service: 'Dienst',
  catalogue: 'Katalog',
  breadcrumb: 'Brotkrümelpfad',
  api: 'API',
  account: 'Konto',
  developer: 'Entwicklung',
  console: 'Verwaltung',
  signIn: 'Anmelden',
  signOut: 'Abmelden',
  tagline: (name) => `${name}: ein Katalog elektronischer Musik`,
  apiReference: 'API-Referenz',
  changelog: 'Änderungen',
  forAgents: 'Für Agenten',
  statistics: 'Statistik',
  about: 'Über uns',
  contact: 'Kontakt',
  imprint: 'Impressum',
  privacy: 'Datenschutz',
  terms: 'Nutzungsbedingungen',
  language: 'Sprache',
  search: 'Suchen',
  searchLabel: 'Act, Event, Ort, Festival, Label, Stadt oder Genre',
  searchHint: 'Act, Event, Ort …',
  suggestions: 'Vorschläge',
  noSuggestions: 'Keine Vorschläge',
  oneSuggestion: '1 Vorschlag',
  manySuggestions: '# Vorschläge',
};

export const kinds: Messages['kinds'] = {
  event: 'Event',
  artist: 'Act',
  venue: 'Ort',
  festival: 'Festival',
  edition: 'Festivalausgabe',
  city: 'Stadt',
  label: 'Label',
  genre: 'Genre',
  podcast: 'Podcast',
  episode: 'Folge',
};
export const lists: Messages['lists'] = {
  events: 'Events',
  artists: 'Acts',
  venues: 'Orte',
  festivals: 'Festivals',
  cities: 'Städte',
  labels: 'Labels',
  genres: 'Genres',
  podcasts: 'Podcasts',
};

export const common: Messages['common'] = {
  closed: 'geschlossen',
  ended: 'beendet',
  closedSince: (date: string) => `Geschlossen seit ${date}`,
  openUntil: (date: string) => `Geöffnet bis ${date}`,
  activeUntil: (date: string) => `Aktiv bis ${date}`,
  figures: 'Zahlen',
  about: 'Beschreibung',
  elsewhere: 'Im Netz',
  upcomingEvents: 'Kommende Events',
  pastEvents: 'Vergangene Events',
  lineup: 'Line-up',
  tickets: 'Tickets',
  genres: 'Genres',
  artists: 'Acts',
  venues: 'Orte',
  festivals: 'Festivals',
  labels: 'Labels',
  from: 'Aus',
  where: 'Wo',
  also: 'Auch bekannt als',
  partOf: 'Teil von',
  upcoming: 'Kommend',
  timeZone: 'Zeitzone',
  back: 'Zurück',
  backToFirst: 'Zurück zur ersten Seite',
  next: 'Weiter',
  earlier: 'Frühere',
  moreUpcoming: 'Weitere kommende Events',
  allPast: 'Alle vergangenen Events',
  show: 'Anzeigen',
  chosenFilters: 'Gewählte Filter',
  clear: 'Zurücksetzen',
  andMore: 'und weitere',
  andCountMore: (count) => `und ${formats.number(count)} weitere`,
  toDate: 'bis',
  all: (what) => `Alle ${what}`,
  ofRecord: (title, name) => `${title}: ${name}.`,
  noEvents: 'Keine kommenden Events. Neue erscheinen im Feed und im Kalender.',
  knownTo: (services) => `Bekannt bei ${services}.`,
  upcomingFeed: (name) => `${name}: kommende Events`,
  subscribe: 'Im Kalender abonnieren',
  subscribeTo: (name) => `: ${name}`,
  calendarFile: 'iCalendar-Datei',
  atomFeed: 'Atom-Feed',
  website: 'Website',
  openInMaps: 'In Karten öffnen',
  datesUnknown: 'Termin noch nicht bekannt',
  timeUnknown: 'offen',
  unknownCountry: (text) =>
    `Kein Land heißt „${text}“. Möglich sind der Name auf Deutsch oder Englisch und ein Kürzel wie DE.`,
};

export const statuses: Messages['statuses'] = {
  cancelled: 'Abgesagt',
  postponed: 'Verschoben',
  rescheduled: 'Neuer Termin',
  over: 'Vorbei',
};
export const availability: Messages['availability'] = {
  available: 'Verfügbar',
  limited: 'Wenige übrig',
  soldOut: 'Ausverkauft',
  notOnSale: 'Nicht im Verkauf',
};

export const home: Messages['home'] = {
  title: 'Elektronische Musik: Events, Acts, Festivals, DJ-Mixe',
  description: (name, figures) => `${name} ist ein offener Katalog elektronischer Musik: ${figures}.`,
  heading: 'Wer wo spielt, und wann',
  lead: 'Ein offener Katalog elektronischer Musik: Events, Acts, Orte, Festivals, Labels und DJ-Mixe aus vielen Quellen, jedes Event nur einmal.',
  nextUp: 'Demnächst',
  nextElsewhere: 'Als Nächstes in anderen Städten',
  nextIn: (place) => `Demnächst in ${place}`,
  allIn: (place) => `Alle Events in ${place}`,
  nothingIn: (place) => `In ${place} gibt es noch keine kommenden Events.`,
  cities: 'Städte',
  nextFestivals: 'Nächste Festivals',
  allFestivals: 'Alle Festivals',
  latestMixes: 'Neueste DJ-Mixe',
  allPodcasts: 'Alle Podcasts',
  inCatalogue: 'Im Katalog',
  noEvents: 'Es gibt noch keine kommenden Events.',
  addCity: 'Deine Stadt hinzufügen',
  addCityText:
    'Dieser Katalog hat keine kommenden Events. Fügen Sie den Kalender eines Clubs, einen Feed oder die Website eines Veranstalters hinzu. cratebase liest die Quelle einmal am Tag.',
  addSource: 'Quelle hinzufügen',
  addCityGuide: 'Anleitung: Ihre Stadt in zehn Minuten',
  allEvents: 'Alle kommenden Events',
  nextDays: (days) =>
    days === 1 ? 'Events des nächsten Tages.' : `Events der nächsten ${formats.number(days)} Tage.`,
};

export const countLabels: Messages['countLabels'] = {
  upcoming_events: 'kommende Events',
  events: 'Events',
  artists: 'Acts',
  venues: 'Orte',
  festivals: 'Festivals',
  cities: 'Städte',
  labels: 'Labels',
  genres: 'Genres',
  podcasts: 'Podcasts',
  episodes: 'Folgen',
  tracks: 'Tracks',
};

export const event: Messages['event'] = {
  title: (name, place, date) => `${name}${place ? ` – ${place}` : ''}, ${date}`,
  state: { cancelled: 'abgesagt', postponed: 'verschoben' },
  withActs: (names) => `Mit ${names}.`,
  sample: 'Beispiel: erfunden, um den Dienst auszuprobieren. Dieses Event findet nicht statt.',
  lineupUnknown: 'Das Line-up ist noch nicht bekannt.',
  moreActs: 'Weitere Acts',
  calendar: 'In den Kalender',
  sources: 'Quellen',
  festival: 'Festival',
  age: 'Alter',
  ageAndOver: (age) => `ab ${age} Jahren`,
  time: 'Uhrzeit',
  timeUncertain: 'Unsicher, daher steht hier nur das Datum',
  venueUnknown: 'Ort noch nicht bekannt',
  instead: 'Was stattdessen läuft',
  saveDate: 'Termin als iCalendar-Datei speichern',
  subscribeToVenue: (place) => `Alle Termine von ${place ?? ''} abonnieren`,
  listedBy: 'Dieses Event steht bei',
  combines: 'Dieses Event fasst mehrere Einträge zusammen:',
  licence: 'Lizenz',
};

export const artist: Messages['artist'] = {
  realName: 'Bürgerlicher Name',
  upcomingFestivals: 'Kommende Festivals',
  mixes: 'DJ-Mixe',
  playedIn: 'Gespielt in',
  description: (name, country, genreNames, upcoming) =>
    `${name}${country ? ` (${country})` : ''}${genreNames ? `: ${genreNames}` : ''}. ${upcoming}, DJ-Mixe und Labels.`,
};

export const festival: Messages['festival'] = {
  title: (name, place) => `${name}, Festival${place ? ` in ${place}` : ''}`,
  description: (name, place, editions) =>
    `${name}${place ? `, ${place}` : ''}: ${editions} mit Line-ups, Zeiten und Tickets.`,
  next: 'Nächste Ausgabe:',
  editions: 'Ausgaben',
  earlierOnes: (count) => `und ${formats.number(count)} frühere`,
};

export const edition: Messages['edition'] = {
  title: (name) => `${name}: Line-up, Zeiten, Tickets`,
  dayTitle: (name, day) => `${name}, ${day}: Zeitplan`,
  timesIn: (zone) => ` Zeitzone: ${zone}`,
  lineupUnknown: 'Das Line-up ist nicht bekannt.',
  notAnnounced: 'Noch nicht bekannt.',
  events: 'Events',
  andMoreNames: ' und weiteren',
  fromDay: (date) => `, ab ${date}`,
  withNames: (names) => ` mit ${names}`,
  festival: 'Festival',
  aboutFestival: (name) => `Über ${name}`,
  otherEditions: 'Andere Ausgaben',
  timetable: 'Zeitplan',
  days: 'Tage',
  backToFirstOf: (day) => `Zurück zum Anfang: ${day}`,
  moreOf: (day) => `Mehr vom Tag: ${day}`,
  allOfThem: (count) => `Alle ${count} anzeigen`,
  moreOfLineup: 'Mehr vom Line-up',
  alsoPlaying: 'Außerdem dabei',
  noStage: 'Bühne noch offen',
  drawing: (day, sets, stages) =>
    `Zeitplan für ${day}: ${counts.sets(sets)} auf ${counted(stages, 'Bühne', 'Bühnen')}. Es folgt dasselbe als Tabellen.`,
  drawingLabel: 'Sets nach Zeit und Bühne',
};

export const venue: Messages['venue'] = {
  description: (name, place, upcoming) =>
    `${name}${place ? ` in ${place}` : ''}: ${upcoming}, Adresse und Links.`,
  holds: 'Platz für',
  people: (count) => counted(count, 'Person', 'Personen'),
};

export const city: Messages['city'] = {
  title: (name, country) => `Elektronische Musik in ${name}, ${country}`,
  description: (name, upcoming, venues) => `${name}: ${upcoming}, ${venues} und Festivals.`,
  inhabitants: 'Einwohnerzahl',
};

export const label: Messages['label'] = {
  title: (name) => `${name}, Plattenlabel`,
  description: (name, country, artists) =>
    `${name}${country ? `, ein Label (${country})` : ''}: ${artists} und ihre kommenden Events.`,
  since: 'Seit',
  roster: 'Acts',
  noEvents: 'Kein Act des Labels hat ein kommendes Event.',
  itsLabels: 'Zugehörige Labels',
  artistsOf: (name) => `Acts von ${name}`,
  artistsOfText: (name) => `Die Acts von ${name}.`,
};

export const genre: Messages['genre'] = {
  listDescription: (count) =>
    `${count} Genres elektronischer Musik als Baum, jedes mit seinen Acts und Events.`,
  listLead: (genres) =>
    `${genres}, jedes unter dem Genre, aus dem es hervorging. Ein Klick öffnet die Untergenres.`,
  tree: 'Baum der Genres',
  title: (name) => `${name}: Events, Acts und Festivals`,
  description: (name, upcoming, artists) => `${name}: ${upcoming} und ${artists}.`,
  within: 'Untergenres',
  noEvents: 'Keine kommenden Events dieses Genres.',
};

export const podcast: Messages['podcast'] = {
  title: (name) => `${name}, Podcast`,
  description: (name, publisher, episodes) =>
    `${name}${publisher ? ` von ${publisher}` : ''}: ${episodes} mit Acts und Tracklists.`,
  by: 'Von',
  episodes: 'Folgen',
  latest: 'Neueste',
  feed: 'Feed',
  noEpisodes: 'Es gibt noch keine Folgen.',
  backToNewest: 'Zurück zur neuesten',
  earlierEpisodes: 'Frühere Folgen',
};

export const episode: Messages['episode'] = {
  description: (name, podcastName, by, tracks) =>
    `${name}, eine Folge von ${podcastName}${by ? ` mit ${by}` : ''}${tracks ? `, mit einer Tracklist von ${counts.tracks(tracks)}` : ''}.`,
  podcast: 'Podcast',
  number: 'Nummer',
  published: 'Erschienen',
  length: 'Dauer',
  listen: 'Anhören',
  at: (host) => `bei ${host}`,
  missingTracks: (count) => (count === 1 ? 'Track nicht bekannt' : `${count} Tracks nicht bekannt`),
  tracklist: 'Tracklist',
};

export const eventList: Messages['eventList'] = {
  title: 'Kommende Events',
  events: 'Events',
  description: (title) => `${title}: elektronische Musik nach Tagen, mit Line-ups, Orten und Tickets.`,
  ofGenre: (name) => `Events: ${name}`,
  places: (places) => `in ${places}`,
  at: (places) => `(${places})`,
  withArtist: (name) => `mit ${name}`,
  ofFestival: (name) => `(${name})`,
  onDay: (day) => `am ${day}`,
  fromDay: (day) => `ab ${day}`,
  toDay: (day) => `bis ${day}`,
  byDay: 'Nach Tagen',
  none: 'Kein Event passt. Einen Filter entfernen oder andere Tage wählen.',
  unknownGenre: (text) => `Kein Genre heißt „${text}“.`,
  unknownVenue: (text) => `Kein Ort heißt „${text}“.`,
  unknownCity: (text) => `Keine Stadt heißt „${text}“.`,
  unknownArtist: (text) => `Kein Act heißt „${text}“.`,
  unknownFestival: (text) => `Kein Festival heißt „${text}“.`,
  notADate: (text) => `„${text}“ ist kein Datum. Richtig ist zum Beispiel 2026-12-31.`,
  filter: 'Events filtern',
  city: 'Stadt',
  country: 'Land',
  venue: 'Ort',
  artist: 'Act',
  festival: 'Festival',
  genre: 'Genre',
  from: 'Ab',
  to: 'Bis',
};

export const nameList: Messages['nameList'] = {
  about: {
    artist: 'Acts der elektronischen Musik mit Terminen, DJ-Mixen und Labels',
    venue: 'Clubs und andere Orte mit ihren kommenden Events',
    festival: 'Festivals mit Ausgaben, Line-ups und Zeitplänen',
    city: 'Städte mit ihren Orten und kommenden Events',
    label: 'Plattenlabels mit ihren Acts',
    podcast: 'Mix-Reihen und Radiosendungen mit Tracklists',
  },
  inPlace: (title, place) => `${title}: ${place}`,
  byName: 'Nach Namen',
  byLetter: 'Nach Anfangsbuchstaben',
  filterCountry: 'Nach Land filtern',
  country: 'Land',
  none: 'Diese Liste hat keine Einträge.',
  venuesIn: (name) => `Orte in ${name}`,
  artistsOf: (name) => `Acts: ${name}`,
  backTo: (name) => `Zurück zu ${name}`,
  ofGenre: (title, genre) => `${title} mit ${genre}`,
  countryOnly: 'Der Katalog kennt das Land von Acts und Labels, nicht ihre Stadt.',
  all: (title) => `Alle ${title}`,
};

export const search: Messages['search'] = {
  title: 'Suche',
  titleOf: (text) => `${text}: Suche`,
  heading: (text) => `Suche: ${text}`,
  description: 'Acts, Events, Orte, Festivals, Labels, Städte und Genres suchen.',
  allResults: (text) => `Alle Treffer für „${text}“`,
  none: 'Keine Treffer',
  best: 'Die besten 50 Treffer',
  noneHint: 'Kein Name ist diesem ähnlich. Vielleicht helfen weniger Buchstaben oder nur eines der Wörter.',
  also: (name) => ` (auch ${name})`,
  didYouMean: 'Meinten Sie',
};

export const notFound: Messages['notFound'] = {
  title: 'Seite nicht gefunden',
  text: 'Unter dieser Adresse gibt es keine Seite. Vielleicht ist sie falsch geschrieben, oder die Seite wurde entfernt. Die Suche hilft weiter.',
};

export const tooMany: Messages['tooMany'] = {
  title: 'Zu viele Anfragen',
  text: 'Ihr Netz hat seinen Anteil an Seitenaufrufen verbraucht. Bitte einen Moment warten und die Seite neu laden.',
};

export const failed: Messages['failed'] = {
  unavailable: {
    title: 'Im Moment nicht erreichbar',
    text: 'Der Katalog kann gerade nicht gelesen werden. Bitte einen Moment warten und die Seite neu laden.',
  },
  internal: {
    title: 'Etwas ist schiefgegangen',
    text: 'Diese Seite konnte nicht erstellt werden. Bitte neu laden; hilft das nicht, braucht der Betreiber diese Nummer: {id}',
  },
};

export const stats: Messages['stats'] = {
  title: 'Statistik',
  description: (name, events, artists, tracks) =>
    `Statistik von ${name}: ${events} Events nach Monaten, ${artists} Acts, ${tracks} Tracks.`,
  lastRead: 'Die Quellen wurden zuletzt am {date} gelesen.',
  perMonth: 'Events pro Monat',
  inMonths: (months) => ` Events in ${counted(months, 'Monat', 'Monaten')}`,
  highest: (count) => `höchster Balken: ${count}`,
  drawing: (first, last, total, most) =>
    `Events pro Monat von ${first} bis ${last}: insgesamt ${total}, höchstens ${most} in einem Monat. Die Zahlen folgen als Tabelle.`,
  month: 'Monat',
  events: 'Events',
};

export const about: Messages['about'] = {
  title: (name) => `Über ${name}`,
  description: (name) => `Wer ${name} betreibt, woher die Daten stammen und wie man sie nutzt.`,
  lead: (name) =>
    `${name} ist ein Katalog elektronischer Musik. Er liest Termine aus vielen Quellen und macht aus doppelten Einträgen ein Event.`,
  operator: 'Wer dahintersteht',
  operatorUnknown: 'Der Betreiber dieses Dienstes hat hierzu keine Angaben gemacht.',
  contact: 'Kontakt',
  data: 'Die Daten',
  dataText:
    'Jedes Event nennt die Quellen, aus denen es stammt. Verbindlich sind Termine und Tickets des Veranstalters.',
  places: 'Lage, Region und Zeitzone von Städten stammen zum Teil von',
  attribution: 'Wer die Daten anderswo zeigt, nennt die Quelle mit diesem Satz:',
  use: 'Programme und Agenten',
  useText: 'Programme lesen den Katalog über die {api}, Agenten über {agents}.',
  api: 'REST-API',
  agents: 'MCP',
  software: 'Auf diesem Dienst läuft cratebase {version}.',
};

export const consent: Messages['consent'] = {
  title: (client) => `Zugriff erlauben: ${client}?`,
  heading: '{client} den Zugriff erlauben?',
  allow: 'Erlauben',
  deny: 'Ablehnen',
  otherAccount: 'Anderes Konto verwenden',
  takeBack: 'Diese Erlaubnis lässt sich jederzeit auf Ihrer Entwicklungsseite zurücknehmen.',
  whoAsks: 'Wer fragt',
  goesTo: 'Ihre Antwort geht an',
  mayDo: 'Was erlaubt wird',
  useService: (name) => `${name} in Ihrem Namen nutzen:`,
  scopes: {
    'catalogue:read':
      'Den Katalog durchsuchen und lesen: Acts, Events, Orte. Die App kann nichts ändern und Ihr Passwort nicht sehen.',
  },
  countsAgainstQuota: 'Die Anfragen der App zählen zu Ihrem Monatskontingent.',
  signedInAs: 'Angemeldet als',
  thisProgram: 'ein Programm auf diesem Computer',
  appBehind: (scheme) => `die App hinter ${scheme}:`,
  verified: '{name}. Bestätigt: {host} veröffentlicht diesen Namen.',
  noName: 'Eine App ohne Namen',
  describedUnnamed:
    'Die App hat keinen Namen, und {host} beschreibt sie. Nicht bestätigt für diese Antwort, die an einen anderen Host geht.',
  described:
    'Die App nennt sich {name}, und {host} beschreibt sie. Nicht bestätigt für diese Antwort, die an einen anderen Host geht.',
  unverifiedUnnamed: 'Nicht bestätigt: Die App sagt nicht, was sie ist.',
  unverified: 'Die App nennt sich {name}. Nicht bestätigt: Dieser Name ist nicht geprüft.',
  quoted: (name) => `„${name}“`,
  programOn: 'ein Programm auf {computer} ({address})',
  thisComputer: 'diesem Computer',
  appFor: 'die App auf diesem Gerät, die Links der Form {scheme} öffnet',
  otherHost: 'Ihre Antwort geht an {destination}. Das ist nicht {publisher}.',
  warning:
    'Erlauben Sie das nur, wenn Sie es gerade selbst begonnen haben. Einen Link auf diese Seite kann jeder verschicken.',
  sentFromElsewhere:
    'Dieses Formular kam von der Seite einer anderen Website. Bitte die Anfrage noch einmal prüfen und dann entscheiden.',
  accountChanged:
    'Diese Seite wurde für ein anderes Konto oder vor zu langer Zeit geöffnet. Bitte die Anfrage noch einmal prüfen und dann entscheiden.',
  badForm: () => 'Das Formular war nicht lesbar. Bitte noch einmal entscheiden.',
  chooseButton: 'Bitte eine der Schaltflächen wählen.',
  over: 'Diese Anfrage ist vorbei',
  overText:
    'Sie wurde schon beantwortet, ist abgelaufen oder wurde in einem anderen Browser begonnen. Es wurde nichts geändert. Bitte zur App zurückkehren und sie noch einmal verbinden.',
  failed: 'Diese App kann keinen Zugriff erhalten',
  failedHint:
    'Es wurde nichts weitergegeben. Bitte zur App zurückkehren und es noch einmal versuchen. Hilft das nicht, gehören die folgenden Angaben an die Entwickler der App.',
  from: 'Von',
  error: 'Fehler',
  meaning: 'Bedeutung',
  programAt: (address) => `ein Programm auf diesem Computer (${address})`,
  backWithError: 'zurück zur App, mit diesem Fehler',
  developerPage: 'Ihre Entwicklungsseite',
  incomplete: 'Die Anfrage der App ist unvollständig oder wurde verändert.',
  errors: {
    invalid_client:
      'Die App ist hier nicht registriert, oder ihre Beschreibung ist nicht lesbar. Bitte noch einmal verbinden.',
    invalid_client_metadata: 'Die Beschreibung der App ist ungültig.',
    invalid_redirect_uri:
      'Die App verlangt eine Weiterleitung an eine Adresse, die nicht für sie registriert ist.',
    unsupported_response_type: 'Die App verlangt eine Antwort, die es hier nicht gibt.',
    unsupported_response_mode: 'Die App verlangt eine Antwort, die es hier nicht gibt.',
    invalid_target: 'Die App verlangt Zugriff auf einen anderen Dienst als diesen.',
    invalid_scope: 'Die App verlangt eine Berechtigung, die es hier nicht gibt.',
    login_required: 'Die App wollte Zugriff ohne Rückfrage, was hier nicht möglich ist.',
    consent_required: 'Die App wollte Zugriff ohne Rückfrage, was hier nicht möglich ist.',
    interaction_required: 'Die App wollte Zugriff ohne Rückfrage, was hier nicht möglich ist.',
    temporarily_unavailable:
      'Es gab zu viele Anfragen. Bitte eine Minute warten und es in der App noch einmal versuchen.',
    server_error: 'Hier ist etwas schiefgegangen. Bitte in der App noch einmal versuchen.',
  },
};

export const languageName: Messages['languageName'] = 'Deutsch';
export const days: Messages['days'] = daysTexts(formats);
