/** The texts of the operator's pages of the console in German; the pattern is `console-operator-en.ts`. */

import { formatsOf } from './formats.ts';
import type { Messages } from './pattern.ts';

type Operator = Messages['consoleOperator'];

const { counted, number } = formatsOf({ language: 'de', dates: 'de-DE', keepsCommas: true });

export const problems: Operator['problems'] = {
  email: 'Bitte eine E-Mail-Adresse der Form name@example.com angeben.',
  email_taken: (email) => `Zu ${email} gibt es schon ein Konto.`,
  choice: 'Bitte einen Eintrag der Liste wählen.',
  limit: 'Eine Grenze ist eine ganze Zahl; leer gilt die des Tarifs.',
  plan_limit: 'Die Grenze eines Tarifs ist eine ganze Zahl ab 1.',
  note: (most) => `Eine Notiz ist eine Zeile mit höchstens ${most} Zeichen.`,
  note_missing: 'Das senkt die Grenzen. Bitte den Grund nennen: Er steht unter den Neuerungen des Dienstes.',
  from: 'Bitte ein Datum in der Zukunft wählen.',
  notice: (day) =>
    `Eine Senkung wird mindestens 14 Tage vorher angekündigt. Bitte ${day} oder ein späteres Datum wählen.`,
  same_limits: 'Diese Grenzen hat der Tarif schon.',
  following: (day) =>
    `Die Änderung vom ${day} würde die Grenzen dann ohne Ankündigung senken. Bitte sie zuerst absagen.`,
  city_missing: (slug) =>
    `Die Stadt „${slug}“ gibt es im Katalog nicht. Bitte ihren Namen oder das Ende ihrer Adresse angeben: berlin für /cities/berlin.`,
  city_ambiguous: (slugs) => `So heißen mehrere Städte. Bitte eine davon angeben: ${slugs}.`,
  not_json: 'Das ist kein gültiges JSON. Bitte nur die Werte zwischen den Anführungszeichen ändern.',
  file_missing: 'Bitte eine Datei wählen.',
};

export const accounts: Operator['accounts'] = {
  title: 'Konten',
  one: 'Konto',
  done: {
    approved: 'Das Konto ist zugelassen. Die Anmeldung ist jetzt möglich.',
    rejected: 'Die Anfrage ist abgelehnt. Dieselbe E-Mail-Adresse kann wieder anfragen.',
    deleted: 'Das Konto ist gelöscht.',
  },
  waiting: 'Warten auf Zulassung',
  asked: 'angefragt am {day} von {address}',
  approve: 'Zulassen',
  reject: 'Ablehnen',
  contains: 'E-Mail enthält',
  role: 'Rolle',
  roles: { user: 'Nutzer', editor: 'Redaktion', operator: 'Betreiber' },
  all: 'Alle',
  suspendedOnly: 'Nur gesperrte',
  show: 'Anzeigen',
  count: (count) => (count === 1 ? '1 Konto' : `${number(count)} Konten`),
  none: 'Kein Konto passt. Bitte nach einem Teil der E-Mail-Adresse suchen oder die Filter leeren.',
  suspended: 'gesperrt',
  since: '{plan}, seit {day}',
  newer: 'Neuere Konten',
  older: 'Ältere Konten',
  pages: 'Seiten der Konten',
  page: (page, pages) => `Seite ${page} von ${pages}`,
};

export const newAccount: Operator['newAccount'] = {
  title: 'Konto anlegen',
  lead: 'Das Konto hat Tarif und Rolle sofort. Das Passwort wählt, wem es gehört.',
  byMail: 'Ein Link zur Wahl des Passworts geht an die Adresse. Er gilt einmal, eine Stunde lang.',
  byLink: 'Es entsteht ein Link zur Wahl des Passworts, zum Weitergeben. Er gilt einmal, eine Stunde lang.',
  byOpenId:
    'Die Anmeldung geschieht beim OpenID-Anbieter dieses Dienstes: Passwörter sind hier ausgeschaltet.',
  email: 'E-Mail-Adresse',
  plan: 'Tarif',
  create: 'Konto anlegen',
  refused: 'Das Konto wurde nicht angelegt',
  created: 'Das Konto ist angelegt',
  linkLead: 'Bitte diesen Link nur an {email} weitergeben. Er gilt einmal, bis {day}, und steht nur hier.',
  mailLead: 'Ein Link zur Wahl des Passworts ist unterwegs an {email}. Er gilt einmal, eine Stunde lang.',
  openIdLead: '{email} kann sich beim OpenID-Anbieter anmelden.',
  toAccount: 'Zum Konto',
  mailSubject: (service) => `Ein Konto bei ${service}`,
  mailText: (service) =>
    `Ein Betreiber von ${service} hat ein Konto für diese Adresse angelegt. Dieser Link gilt eine Stunde und führt zur Wahl des Passworts:`,
  mailLater: 'Später gibt es hier einen neuen Link:',
};

export const account: Operator['account'] = {
  done: {
    role: 'Die Rolle ist geändert. Sie gilt ab der nächsten Anfrage.',
    plan: 'Der Tarif ist geändert. Er gilt ab der nächsten Anfrage.',
    limits: 'Die Grenzen sind geändert. Sie gelten ab der nächsten Anfrage.',
    suspended:
      'Das Konto ist gesperrt. Seine Schlüssel, Apps, Anmeldungen und sein Passwort werden ab jetzt abgewiesen.',
    unsuspended: 'Das Konto ist wieder freigegeben.',
    'signed-out': 'Das Konto ist in allen Browsern abgemeldet.',
    revoked: 'Der Schlüssel ist widerrufen.',
    'no-second-factor': 'Das Konto hat keinen zweiten Faktor.',
    'second-factor': 'Der zweite Faktor ist entfernt. Das Passwort genügt, bis ein neuer eingerichtet ist.',
  },
  sections: {
    account: 'Konto',
    role: 'Rolle und Tarif',
    ways: 'Anmeldung',
    keys: 'Schlüssel',
    sessions: 'Angemeldete Browser',
    suspend: 'Sperren',
    suspended: 'Gesperrt',
    delete: 'Löschen',
  },
  state: 'Zustand',
  active: 'aktiv',
  suspendedSince: 'gesperrt seit {day}',
  created: 'Angelegt',
  month: 'Dieser Monat',
  monthText: (used, quota) => `${used} von ${quota} Anfragen`,
  minute: 'Je Minute',
  minuteText: (window) => `${window} Anfragen je Schlüssel oder App`,
  apps: 'Verbundene Apps',
  none: 'keine',
  id: 'Kennung',
  changes: 'Änderungen dieses Kontos',
  roleLabels: {
    user: 'Nutzer',
    editor: 'Redaktion: Quellen, Prüfung, Einträge',
    operator: 'Betreiber: alles',
  },
  saveRole: 'Rolle speichern',
  savePlan: 'Tarif speichern',
  perMonth: 'Anfragen je Monat',
  perMonthHint: 'Leer: wie im Tarif',
  perMinute: 'Anfragen je Minute',
  perMinuteHint: 'Je Schlüssel, oder leer',
  saveLimits: 'Grenzen speichern',
  refused: 'Die Änderung wurde nicht gespeichert',
  noKeys: 'Das Konto hat keine Schlüssel.',
  revoked: 'widerrufen',
  expired: 'abgelaufen',
  keyCreated: 'angelegt am {day}',
  keyUnused: 'nie benutzt',
  keyUsed: 'zuletzt benutzt am {day}',
  revoke: 'Widerrufen',
  noSessions: 'Das Konto ist nirgends angemeldet.',
  lastSeen: '{address}, zuletzt am {day}',
  signOut: 'Überall abmelden',
  suspendedText: 'Alle Zugänge des Kontos werden abgewiesen. Seine Daten bleiben.',
  unsuspend: 'Sperre aufheben',
  suspendText:
    'Schlüssel, Apps, Anmeldungen und das Passwort werden ab der nächsten Anfrage abgewiesen. Die Daten bleiben.',
  reason: 'Grund',
  reasonHint: 'Für das Protokoll',
  suspend: 'Konto sperren',
  deleteText:
    'Seine Schlüssel, Apps, Anmeldungen und Zahlen werden mit gelöscht. Das lässt sich nicht rückgängig machen.',
  delete: 'Konto löschen',
  deleteTitle: '{email} löschen?',
  noActiveKeys: 'Es hat keine gültigen Schlüssel.',
  activeKeys: (count) =>
    count === 1
      ? 'Programme benutzen einen gültigen Schlüssel davon.'
      : `Programme benutzen ${count} gültige Schlüssel davon.`,
  deleteLead:
    'Alles, was zum Konto gehört, wird endgültig gelöscht. Für eine Weile genügt es, das Konto zu sperren.',
  keep: 'Behalten',
};

export const ways: Operator['ways'] = {
  resetLink: 'Link für ein neues Passwort',
  removeFactorLink: 'Zweiten Faktor entfernen …',
  hint: 'Mit dem Link wird ein neues Passwort gesetzt. Er gilt einmal, eine Stunde lang; frühere Links verfallen.',
  password: 'Passwort',
  passwordSet: 'gesetzt',
  noPassword: 'keins',
  noFactor: 'keiner',
  none: 'keine',
  passwordsOff: ', unbenutzt: --local-passwords ist ausgeschaltet',
  email: 'E-Mail',
  unconfirmed: 'nicht bestätigt',
  confirmed: 'bestätigt am {day}',
  factor: 'Zweiter Faktor',
  factorSince: (left) =>
    `Codes einer App seit {day}, ${counted(left, 'Wiederherstellungscode', 'Wiederherstellungscodes')} übrig`,
  passkeys: 'Passkeys',
  openId: (email, issuer) => `${email} bei ${issuer}`,
  linkTitle: 'Ein Link für ein neues Passwort',
  linkLead:
    'Bitte nur an {email} weitergeben. Er gilt einmal, bis {day}. Er steht nur hier; frühere Links sind verfallen.',
  copy: 'Link kopieren',
  back: 'Zurück zum Konto',
  factorTitle: 'Den zweiten Faktor von {email} entfernen?',
  factorLead:
    'Nur wenn Gerät und Wiederherstellungscodes verloren sind und sicher ist, dass die Bitte vom Inhaber des Kontos kommt. Danach genügt das Passwort zur Anmeldung.',
  removeFactor: 'Zweiten Faktor entfernen',
};

export const settings: Operator['settings'] = {
  title: 'Einstellungen',
  done: {
    identity: 'Die Angaben zum Dienst sind gespeichert.',
    logo: 'Das Logo ist gespeichert.',
    'logo-removed': 'Das Logo ist entfernt.',
    plan: 'Die Grenzen des Tarifs sind gespeichert.',
    exports: 'Der Zugang zu Änderungen und Exporten ist gespeichert.',
    'plan-cancelled': 'Die Änderung ist abgesagt. Die Grenzen bleiben.',
  },
  refused: 'Die Einstellungen wurden nicht gespeichert',
  identity: 'Angaben zum Dienst',
  save: 'Speichern',
  setBy: (option) => `Gesetzt durch ${option.replace(' or ', ' oder ')}`,
  none: 'nicht gesetzt',
  fields: {
    name: ['Name', 'Steht im Kopf jeder Seite. Höchstens 100 Zeichen.'],
    accent: ['Akzentfarbe', 'Die Farbe von Links, Überschriften und Diagrammen, zum Beispiel #0057b8.'],
    contact: ['Kontakt', 'Steht am Fuß jeder Seite. Eine E-Mail-Adresse oder eine Webadresse.'],
    imprint: ['Impressum', 'Link am Fuß jeder Seite. Eine Adresse mit http oder https.'],
    privacy: ['Datenschutz', 'Link am Fuß jeder Seite. Eine Adresse mit http oder https.'],
    terms: ['Nutzungsbedingungen', 'Link am Fuß jeder Seite. Eine Adresse mit http oder https.'],
    footer: ['Fußzeile', 'Steht am Fuß jeder Seite. Höchstens 300 Zeichen.'],
    about: ['Über den Dienst', 'Steht auf der Seite /about. Einfacher Text, höchstens 4.000 Zeichen.'],
    attribution: [
      'Quellenangabe',
      'Der Satz, den kostenlose Konten bei den Daten zeigen. Höchstens 200 Zeichen.',
    ],
    license: [
      'Lizenz',
      'Die Lizenz der Daten, für das OpenAPI-Dokument: ein SPDX-Kürzel wie CC-BY-4.0 oder eine Adresse.',
    ],
    indexing: ['Suchmaschinen', 'Ob Suchmaschinen die Seiten aufnehmen dürfen.'],
    homeCity: [
      'Stadt der Startseite',
      'Die Stadt, die die Startseite zuerst zeigt: berlin für /cities/berlin.',
    ],
    media: [
      'Bilder',
      'Ob die Seiten Bilder von den Adressen im Katalog zeigen. Ohne sie werden Cover gezeichnet.',
    ],
    mapTiles: [
      'Kartenkacheln',
      'Ein Kachelserver wie https://tile.example.org/{z}/{x}/{y}.png, den die Browser der Besucher anfragen. Ohne ihn zeichnet der Dienst die Karten.',
    ],
    mapAttribution: [
      'Kartennachweis',
      'Der Nachweis unter den Karten des Kachelservers. Höchstens 200 Zeichen.',
    ],
    logo: ['Logo', 'Steht neben dem Namen. Eine Datei in PNG, WebP oder SVG, höchstens 64 KB.'],
  },
  invalid: (hint) => `Dieser Wert geht so nicht. ${hint}`,
  logo: 'Logo',
  logoNow: (value) => `Jetzt: ${value.replace(' bytes', ' Byte')}`,
  logoFile: 'Bilddatei',
  logoHint: 'PNG, WebP oder SVG, höchstens 64 KB',
  logoSave: 'Logo speichern',
  logoRemove: 'Logo entfernen',
  plans: 'Tarife',
  plansLead:
    'Eine Erhöhung gilt ab der nächsten Anfrage. Eine Senkung wird mindestens 14 Tage vorher unter den Neuerungen des Dienstes angekündigt.',
  planFacts: (month, window) => `${month} Anfragen im Monat, ${window} je Schlüssel und 60 Sekunden`,
  planMonth: 'Anfragen je Monat',
  planWindow: 'Anfragen je Schlüssel und 60 Sekunden',
  planFrom: 'Ab',
  planFromHint: (day) => `Leer: sofort. Eine Senkung: ${day} oder später`,
  planNote: 'Notiz',
  planNoteHint: 'Für die Neuerungen; eine Senkung braucht sie',
  planSave: (plan) => `${plan} speichern`,
  planUpcoming: (day, month, window) =>
    `Ab ${day}: ${month} Anfragen im Monat, ${window} je Schlüssel und 60 Sekunden.`,
  planCancel: 'Diese Änderung absagen',
  exports: 'Änderungen und Exporte',
  exportsLead:
    'Konten mit diesen Tarifen dürfen den ganzen Katalog kopieren: mit /changes und mit den Dateien unter /exports. Eine Änderung gilt ab der nächsten Anfrage.',
  exportsSave: 'Zugang speichern',
  options: 'Startoptionen',
  optionsLead:
    'Sie gelten ab dem Start des Dienstes: durch eine Option oder eine Umgebungsvariable. Zum Ändern den Befehl oder die Unit anpassen, mit der der Dienst startet, und ihn neu starten. Werte aus der Datendatei werden oben geändert.',
  optionsCaption: 'Einstellungen dieses Dienstes',
  optionsColumns: ['Einstellung', 'Wert', 'Herkunft'],
  optionsMissing:
    'Dieser Prozess hat seine Einstellungen nicht in die Datendatei eingetragen. Das Log sagt mehr dazu.',
  default: 'Vorgabe',
  option: 'Startoption',
  dataFile: 'Datendatei',
  on: 'an',
  off: 'aus',
};
