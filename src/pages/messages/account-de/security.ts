/** The texts of the page of the account, in German. */
import type { Messages } from '../pattern.ts';

type Account = Messages['account'];

export const security: Account['security'] = {
  title: 'Konto',
  back: 'Zurück zum Konto',
  yourPassword: 'Ihr Passwort',
  wrongPassword: 'Das ist nicht Ihr Passwort.',
  password: 'Passwort',
  presentPassword: 'Bisheriges Passwort',
  changePassword: 'Passwort ändern',
  setPassword: 'Passwort setzen',
  secondFactor: 'Zweiter Faktor',
  passkeys: 'Passkeys',
  logins: 'Verknüpfte Anmeldungen',
  sessions: 'Angemeldet',
  thisBrowser: 'dieser Browser',
  since: (address) => `${address}, seit {date}`,
  lastSeen: 'zuletzt aktiv am {date}',
  signOut: 'Abmelden',
  signOutNamed: (browser, address) => `${browser}, ${address} abmelden`,
  signOutEverywhere: 'Überall abmelden',
  done: {
    password:
      'Ihr Passwort ist geändert. Alle anderen Browser sind abgemeldet; Schlüssel und verbundene Apps bleiben gültig.',
    ended: 'Dieser Browser ist abgemeldet.',
    'passkey-added': 'Der Passkey ist hinzugefügt. Er lässt sich ab der nächsten Anmeldung benutzen.',
    'passkey-removed': 'Der Passkey ist entfernt.',
    'second-factor-off': 'Der zweite Faktor ist ausgeschaltet.',
    'login-unlinked': 'Die Verknüpfung ist aufgehoben. Diese Anmeldung führt nicht mehr zum Konto.',
  },
};

export const deletion: Account['deletion'] = {
  title: 'Konto löschen',
  summary: 'Alles daran wird endgültig gelöscht: Schlüssel, verbundene Apps, Sitzungen, Nutzung.',
  heading: 'Dieses Konto löschen?',
  lead: 'Schlüssel und verbundene Apps werden ab der nächsten Anfrage abgewiesen, und nichts davon lässt sich zurückholen. Wird das Konto mit dieser E-Mail-Adresse im selben Monat noch einmal erstellt, gilt der Rest des Monatskontingents weiter.',
  email: 'Ihre E-Mail-Adresse',
  button: 'Endgültig löschen',
};

export const logins: Account['logins'] = {
  lead: 'Auch diese Konten bei anderen Diensten führen bei der Anmeldung zu Ihrem Konto.',
  linked: 'verknüpft am {date}',
  lastUsed: 'zuletzt benutzt am {date}',
  unlink: 'Aufheben',
  unlinkNamed: (provider, email) => `Verknüpfung mit ${email} bei ${provider} aufheben`,
  title: 'Verknüpfung aufheben',
  button: 'Verknüpfung aufheben',
  heading: 'Diese Verknüpfung aufheben?',
  unlinkLead:
    '{email} bei {provider} führt dann nicht mehr zu Ihrem Konto. Bei einer späteren Anmeldung damit wird einmal nach dem Passwort des Kontos gefragt, um es wieder zu verknüpfen. Angemeldete Browser bleiben angemeldet.',
};

export const factor: Account['factor'] = {
  title: 'Zweiter Faktor',
  off: 'Ausgeschaltet. Mit einem zweiten Faktor verlangt die Anmeldung mit dem Passwort auch einen Code, den eine App auf dem Telefon anzeigt.',
  on: 'Eingeschaltet seit {date}.',
  noCodesLeft: 'Es sind keine Wiederherstellungscodes mehr übrig.',
  codesLeft: (count) => `Unbenutzte Wiederherstellungscodes: ${count}.`,
  setUp: 'Zweiten Faktor einrichten',
  change: 'Zweiten Faktor ändern',
  need: 'Nötig ist eine Authenticator-App wie Aegis, 2FAS oder Google Authenticator. Sie zeigt alle 30 Sekunden einen neuen Code an.',
  begin: 'Einrichten',
  isOn: 'Die Anmeldung mit dem Passwort verlangt einen Code der Authenticator-App.',
  newCodes: 'Neue Wiederherstellungscodes',
  newCodesText: 'Die bisherigen gelten dann nicht mehr.',
  showCodes: 'Neue Codes anzeigen',
  turnOff: 'Zweiten Faktor ausschalten',
  turnOffText: 'Danach genügt das Passwort allein.',
  turnOffButton: 'Ausschalten',
  scan: '1. Bitte diesen Code mit der Authenticator-App scannen oder den Schlüssel dort eingeben.',
  qrCode: 'QR-Code mit dem Schlüssel, der darunter steht',
  copyKey: 'Schlüssel kopieren',
  type: '2. Bitte den Code eingeben, den die App anzeigt.',
  turnOn: 'Einschalten',
  notNow: 'Jetzt nicht',
  turnedOn: 'Ihr zweiter Faktor ist eingeschaltet',
  renewed: 'Ihre neuen Wiederherstellungscodes',
  keep: 'Bitte diese Wiederherstellungscodes so aufbewahren, dass sie ohne das Telefon zu finden sind. Jeder gilt für eine Anmeldung anstelle eines Codes der App. Sie werden nicht noch einmal angezeigt.',
  copyCodes: 'Codes kopieren',
  areKept: 'Die Codes sind aufbewahrt',
};

export const passkeys: Account['passkeys'] = {
  lead: 'Anmelden mit Fingerabdruck, Gesicht oder der PIN eines Geräts, ohne Passwort und Code.',
  since: 'Seit {date}',
  notUsed: 'noch nicht benutzt',
  lastUsed: 'zuletzt benutzt am {date}',
  change: 'Ändern',
  changeNamed: (name) => `${name} umbenennen oder entfernen`,
  add: 'Passkey hinzufügen',
  confirm: 'Bitte zuerst bestätigen, dass das Konto Ihnen gehört.',
  next: 'Weiter',
  nameIt: 'Bitte dem Passkey einen Namen geben, an dem das Gerät oder die App zu erkennen ist.',
  name: 'Name',
  nameHint: 'Zum Beispiel: mein Telefon',
  create: 'Passkey erzeugen',
  needScript: 'Passkeys brauchen JavaScript.',
  changeTitle: 'Passkey ändern',
  rename: 'Umbenennen',
  remove: 'Passkey entfernen',
  removeText: 'Er gilt dann nicht mehr für die Anmeldung. Bitte auch auf dem Gerät löschen.',
  isLast: 'Es ist der letzte Passkey des Kontos.',
  removeButton: 'Passkey entfernen',
};
