/** Requests of account pages that fail, and the mails, in German. */
import type { Messages } from '../pattern.ts';

type Account = Messages['account'];

export const failures: Account['failures'] = {
  toAccount: 'Zu Ihrem Konto',
  request: 'Anfrage',
  notFound: 'Seite nicht gefunden',
  notFoundText:
    'Unter dieser Adresse gibt es nichts, oder es gehört nicht Ihnen. Bitte die Adresse prüfen oder beim Konto beginnen.',
  stale: 'Dieses Formular ist veraltet',
  staleText:
    'Es wurde vor einer An- oder Abmeldung geöffnet, oder Ihr Browser speichert keine Cookies. Es wurde nichts geändert. Bitte zurückgehen, die Seite neu laden und das Formular noch einmal senden.',
  crossSite: 'Nicht von einer eigenen Seite',
  crossSiteText: (url) =>
    `Dieses Formular kam von einer anderen Website, deshalb wurde nichts geändert. Bitte ${url}/account selbst öffnen.`,
  method: 'So geht es nicht',
  methodText: (methods) => `Möglich ist hier: ${methods}.`,
  internal: 'Hier ist etwas schiefgegangen',
  internalText: () =>
    'Der Fehler liegt beim Dienst. Eine Meldung an den Betreiber nennt am besten die Anfrage-ID.',
  unavailable: 'Zurzeit nicht verfügbar',
  unavailableText: () => 'Die Daten sind gerade nicht zugänglich. Bitte es gleich noch einmal versuchen.',
  other: 'Das hat nicht geklappt',
  tooLargeText: () => 'Das Formular ist zu lang. Bitte weniger Text senden.',
  otherText: () =>
    'Das Formular war nicht lesbar. Bitte die Seite neu öffnen und das Formular noch einmal senden.',
};

export const mails: Account['mails'] = {
  resetSubject: (service) => `Neues Passwort für ${service}`,
  resetText: (service) =>
    `Um ein neues Passwort für ${service} zu setzen, bitte innerhalb einer Stunde diesen Link öffnen:`,
  resetOnce: 'Der Link gilt einmal. Mit dem neuen Passwort werden alle Browser des Kontos abgemeldet.',
  resetIgnore: 'Wer das nicht angefordert hat, braucht nichts zu tun. Das Passwort bleibt dann, wie es ist.',
  confirmSubject: (service) => `Adresse bestätigen für ${service}`,
  confirmText: (service) =>
    `Um das Konto bei ${service} zu erstellen, bitte innerhalb eines Tages diesen Link öffnen und das gewählte Passwort eingeben:`,
  confirmIgnore: 'Wer sich nicht registriert hat, braucht nichts zu tun. Es entsteht dann kein Konto.',
  existsSubject: (service) => `Es gibt schon ein Konto bei ${service}`,
  existsText: (service) =>
    `Mit dieser Adresse wurde ein Konto bei ${service} beantragt. Es gibt aber schon eines. Zur Anmeldung bitte öffnen:`,
  existsForgot: 'Ist das Passwort vergessen, bitte öffnen:',
  existsIgnore: 'Wer sich nicht registriert hat, braucht nichts zu tun. Das Konto bleibt, wie es ist.',
};
