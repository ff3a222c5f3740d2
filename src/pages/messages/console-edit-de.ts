/** The texts of the console's pages about records in German; the pattern is `console-edit-en.ts`. */
import type { Messages } from './pattern.ts';

type Edit = Messages['consoleEdit'];

export const kinds: Edit['kinds'] = {
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

export const search: Edit['search'] = {
  title: 'Einträge',
  name: 'Name',
  hint: 'Acts, Events, Orte, Festivals und alle anderen',
  search: 'Suchen',
  add: 'Eintrag hinzufügen',
  found: 'Gefunden',
  none: 'So heißt kein Eintrag. Die Suche findet Wörter von Namen und ihre Anfänge.',
  removed: 'Verborgen und gelöscht',
  noneRemoved: 'Nichts ist verborgen oder gelöscht.',
  removedBy: (state, person, day) => `${state} von ${person}, ${day}`,
};

export const states: Edit['states'] = { hidden: 'verborgen', deleted: 'gelöscht', forgotten: 'vergessen' };

export const record: Edit['record'] = {
  done: {
    saved: 'Gespeichert. Diese Werte gelten vor jeder Quelle, bis sie zurückgesetzt werden.',
    unchanged: 'Nichts wurde geändert.',
    reset: 'Zurückgesetzt. Jetzt gelten wieder die Quellen.',
    hide: 'Verborgen. Der Eintrag fehlt jetzt in Listen, Suche, Seiten, Agenten, Exporten und Zahlen.',
    delete: 'Gelöscht. Spätere Importe bringen den Eintrag nicht zurück.',
    unhide: 'Wieder gezeigt.',
    restore: 'Wiederhergestellt.',
    merge: 'Vereint. Der andere Eintrag führt hierher.',
    split: 'Aufgeteilt.',
    undo: 'Zurückgenommen.',
    added: 'Hinzugefügt.',
  },
  timezoneMissing:
    'Seiten zeigen nur den Tag, ohne Uhrzeit: Es ist keine Zeitzone bekannt. Bitte Zeitzone, Stadt oder Ort angeben.',
  created: (count) =>
    count === 1
      ? 'Diesen Eintrag hatte der Katalog noch nicht, er ist neu. War das ein Tippfehler, lässt sich die Änderung unten im Verlauf zurücknehmen.'
      : 'Diese Einträge hatte der Katalog noch nicht, sie sind neu. Ist ein Tippfehler dabei, lässt sich die Änderung unten im Verlauf zurücknehmen.',
  refused: 'Die Änderung wurde nicht gespeichert',
  missing: 'Diesen Eintrag gibt es nicht',
  missingText: 'Vielleicht wurde er vereint, oder die Adresse hat einen Fehler. Bitte nach dem Namen suchen.',
  toRecords: 'Zu den Einträgen',
  fields: 'Felder',
  sources: 'Quellen',
  remove: 'Verbergen oder löschen',
  merge: 'Vereinen und aufteilen',
  privacy: 'Anfrage zum Datenschutz',
  privacyText: 'Endgültig löschen, was über den Act bekannt ist, wenn er darum bittet.',
  forget: 'Vergessen …',
  history: 'Verlauf',
  publicPage: 'öffentliche Seite',
  removed: (state, person, day) => `Dieser Eintrag ist ${state}, von ${person} am ${day}. `,
  reasonIs: 'Grund: ',
  showAgain: 'Wieder zeigen',
  restore: 'Wiederherstellen',
  noSources: 'Keine Quelle beschreibt diesen Eintrag. Andere nennen nur seinen Namen.',
  unlisted: 'nicht mehr geführt',
  page: 'Seite',
  reason: 'Grund',
  reasonHint: 'Für den Verlauf; darf leer sein',
  hide: 'Verbergen',
  delete: 'Löschen',
  removeText:
    'Beides nimmt den Eintrag aus allem, was Besucher und Programme sehen, und spätere Importe bringen ihn nicht zurück. Beides lässt sich hier zurücknehmen.',
  mergeOther: 'Einen anderen Eintrag in diesen aufnehmen',
  mergeHint: 'Seine Kennung, {path} oder die Adresse seiner Seite',
  continue: 'Weiter',
  similar: 'Ähnlich: ',
  splitTitle: 'Aufteilen: Diese Angaben von Quellen werden ein eigener Eintrag',
  split: 'Aufteilen',
  noHistory: 'Es sind keine Änderungen aufgezeichnet.',
  undo: 'Zurücknehmen',
  undone: ' · zurückgenommen',
  byImport: 'durch einen Import',
  inTerminal: (person) => `${person}, im Terminal`,
  revision: (number) => ` · Revision ${number}`,
};

export const history: Edit['history'] = {
  created: 'entstanden',
  updated: 'geändert',
  merged: 'vereint',
  removed: 'entfernt',
  deleted: 'gelöscht',
  cancelled: 'abgesagt',
  'record.edit': 'bearbeitet',
  'record.reset': 'zurückgesetzt',
  'record.add': 'hinzugefügt',
  'record.forget': 'vergessen',
  'record.hide': 'verborgen',
  'record.delete': 'gelöscht',
  'record.unhide': 'wieder gezeigt',
  'record.restore': 'wiederhergestellt',
  'record.merge': 'vereint',
  'record.never-merge': 'getrennt gehalten',
  'record.split': 'aufgeteilt',
  'record.undo': 'zurückgenommen',
  'review.later': 'bei der Prüfung zurückgestellt',
};

export const form: Edit['form'] = {
  save: 'Speichern',
  none: 'leer',
  reset: 'Zurücksetzen',
  resetTitle: 'Wieder den Quellen überlassen',
  resetMissing: 'Bitte mindestens ein Feld wählen, das zurückgesetzt wird.',
  splitMissing: 'Bitte mindestens eine Angabe einer Quelle wählen, die den Eintrag verlässt.',
  edited: 'bearbeitet',
  editedBy: (person, day) => ` von ${person}, ${day}; Quellen: `,
  json: ', als JSON',
  perLine: ', je Zeile einer',
  from: 'aus ',
  noSource: 'keine Quelle nennt es',
  allSources: 'aus allen Quellen',
  derived: {
    lineup: 'aus den Genres des Line-ups abgeleitet',
    description: 'aus der Beschreibung gelesen',
    title: 'aus dem Titel gelesen',
  },
  choices: {
    scheduled: 'findet statt',
    rescheduled: 'neuer Termin',
    postponed: 'verschoben',
    cancelled: 'abgesagt',
  },
};

export const add: Edit['add'] = {
  titles: { event: 'Event hinzufügen', artist: 'Act hinzufügen', venue: 'Ort hinzufügen' },
  kinds: 'Arten',
  lead: 'Hat der Katalog den Eintrag schon, kommen diese Werte dort hinzu.',
  refused: 'Der Eintrag wurde nicht hinzugefügt',
  required: 'Bitte dieses Feld ausfüllen.',
  add: 'Hinzufügen',
  start: 'Ortszeit: 2027-05-01T23:00',
  end: '2027-05-02T08:00',
  country: 'Zwei Buchstaben, zum Beispiel DE',
  perLine: 'Je Zeile einer',
  url: 'Seite des Events',
};

export const merge: Edit['merge'] = {
  title: '{other} in {record} aufnehmen?',
  short: 'Vereinen',
  missing: 'Bitte den Eintrag nennen, der in diesen aufgenommen wird.',
  notFound: 'Diesen Eintrag gibt es nicht. Bitte nach seinem Namen suchen und seine Kennung kopieren.',
  itself:
    'Das ist dieser Eintrag selbst oder einer, der schon in ihm aufgegangen ist. Bitte einen anderen nennen.',
  stays: 'Bleibt',
  merged: 'Geht darin auf',
  lead: 'Seine Events, Quellen und Namen gehen zum Eintrag, der bleibt, und seine Adresse führt dorthin. Spätere Importe halten beide zusammen. Im Verlauf des Eintrags lässt sich das zurücknehmen.',
  force: 'Auch wenn die Redaktion beide für verschieden erklärt hat',
  merge: 'Vereinen',
  keep: 'Beide behalten',
};

export const forget: Edit['forget'] = {
  title: 'Einen Act vergessen',
  ask: '{name} vergessen?',
  notArtist: 'Vergessen werden kann nur ein Act, der gezeigt wird.',
  final: 'Das lässt sich nicht rückgängig machen.',
  lead: 'Bürgerlicher Name, Biografie, Bild, Verweise, Kennungen und andere Namen werden gelöscht, auch in den Angaben der Quellen und im Verlauf. Spätere Importe bringen sie nicht zurück.',
  stageName: 'Der Künstlername',
  keepName: 'Behalten: Name und Events bleiben',
  removeName: 'Auch entfernen: Line-ups lassen den Act aus, und seine Seite ist weg',
  sure: 'Mir ist klar, dass sich das nicht rückgängig machen lässt',
  forget: 'Endgültig vergessen',
  keep: 'Alles behalten',
  refused: 'Nichts wurde geändert',
  nameMissing: 'Bitte wählen, ob der Künstlername bleibt.',
  sureMissing: 'Bitte bestätigen, dass sich das nicht rückgängig machen lässt.',
  done: 'Vergessen',
  doneAll: 'Der Act und sein Name sind gelöscht.',
  doneKept: 'Was über den Act bekannt war, ist gelöscht. Name und Events bleiben.',
  changed: (count) => `Geänderte Einträge, die den Act genannt haben: ${count}.`,
  left: 'Was noch zu tun ist',
  backups: 'Frühere Sicherungen enthalten die Daten noch. Bitte sie löschen oder keine davon einspielen.',
  sweep:
    'Unbenutzte Teile der Datendatei können noch ältere Fassungen enthalten. Dazu den Dienst einmal anhalten und {command} ausführen. Neue Sicherungen enthalten sie nicht.',
  toRecords: 'Zu den Einträgen',
};

export const start: Edit['start'] = {
  short: 'Einrichten',
  title: (service) => `${service} einrichten`,
  lead: 'Hier entsteht das Konto des Betreibers: Es verwaltet Quellen, Einträge, Konten und Einstellungen.',
  account: 'Das eigene Konto',
  signedIn: 'Angemeldet ist {email}. Dieses Konto wird der Betreiber.',
  service: 'Der Dienst',
  serviceText: 'Das lässt sich später in den Einstellungen ändern.',
  create: 'Betreiber anlegen',
  become: 'Betreiber werden',
  haveAccount: 'Gibt es hier schon ein Konto? {link}, und es wird der Betreiber.',
  signIn: 'Anmelden',
  used: 'Dieser Link gilt nicht mehr',
  usedText: 'Dieser Dienst hat schon einen Betreiber. Bitte anmelden.',
  expiredText:
    'Er gilt einmal, eine Stunde lang und nur in dem Browser, der ihn geöffnet hat. `cratebase accounts operator-link` gibt einen neuen aus.',
};

export const welcome: Edit['welcome'] = {
  short: 'Willkommen',
  title: 'Der Dienst hat einen Betreiber',
  lead: 'Angemeldet ist {email}. Als Nächstes kommen die Events der eigenen Stadt hinzu.',
  events: 'Events',
  samples: 'davon Beispiele',
  artists: 'Acts',
  venues: 'Orte',
  sources: 'Quellen',
  add: 'Quelle hinzufügen',
  addText:
    'Die Adresse eines Club-Kalenders einfügen: Die Events sind zu sehen, bevor etwas importiert wird.',
  addSamples: ' Die Beispiel-Events des Startkatalogs gibt es nicht wirklich.',
  toSite: 'Zur Website',
};
