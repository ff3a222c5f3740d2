/** The texts of the account pages in German; their style is that of `de.ts`. */
import type { Messages } from './en.ts';

type Account = Messages['account'];

const waitingTime = (seconds: number): string =>
  seconds < 120 ? `${seconds} Sekunde${seconds === 1 ? '' : 'n'}` : `${Math.ceil(seconds / 60)} Minuten`;

const refusals: Account['refusals'] = {
  email: 'Bitte eine E-Mail-Adresse der Form name@example.com angeben.',
  email_differs: (email) => `Bitte ${email} eingeben, um dieses Konto zu löschen.`,
  password:
    'Dieses Passwort gehört zu denen, die Angreifer zuerst probieren. Bitte ein anderes wählen, etwa mehrere Wörter.',
  password_length: (length) =>
    `Ein Passwort hat 10 bis 1000 Zeichen; dieses hat ${length}. Bitte ein anderes wählen.`,
  password_is_email: 'Das Passwort ist die E-Mail-Adresse, die andere kennen. Bitte ein anderes wählen.',
  name: 'Bitte einen Namen mit 1 bis 100 Zeichen angeben, zum Beispiel: Laptop.',
  credentials:
    'E-Mail-Adresse und Passwort passen zu keinem Konto. Bitte beides prüfen und es noch einmal versuchen.',
  credentials_of_sign_up: 'Das ist nicht das Passwort, das bei der Registrierung gewählt wurde.',
  taken: 'Zu dieser E-Mail-Adresse gibt es schon ein Konto. Bitte damit anmelden.',
  taken_meanwhile: 'Zu dieser E-Mail-Adresse gibt es schon ein Konto.',
  pending: 'Dieses Konto wartet darauf, dass der Betreiber es zulässt.',
  suspended: 'Dieses Konto ist gesperrt. Auskunft gibt der Betreiber dieses Dienstes.',
  only_operator:
    'Dieser Dienst hat keinen anderen Betreiber. Zuerst braucht ein anderes Konto die Rolle „operator“.',
  link: 'Dieser Link wurde schon benutzt, durch einen neueren ersetzt oder ist zu alt.',
  second_factor: 'Bitte auch einen Code eingeben.',
  code: 'Der Code stimmt nicht oder wurde schon benutzt. Bitte auf den nächsten warten.',
  code_enabled:
    'Codes werden schon verlangt. Für ein anderes Gerät bitte zuerst den zweiten Faktor ausschalten.',
  passkey:
    'Der Passkey konnte nicht geprüft werden. Bitte es noch einmal versuchen oder sich auf andere Weise anmelden.',
  passkey_unknown: 'Dieser Passkey gehört hier zu keinem Konto.',
  passkey_used_up:
    'Diese Seite war zu lange geöffnet oder wurde schon benutzt. Bitte es noch einmal versuchen.',
  stale: 'Die Anmeldung liegt länger zurück. Bitte abmelden, neu anmelden und es dann noch einmal versuchen.',
  slow: (seconds) =>
    `Zu viele Versuche. Bitte ${waitingTime(Number(seconds))} warten und es dann noch einmal versuchen.`,
  slow_waiting_list: 'Hier warten zu viele auf ein Konto. Bitte es morgen noch einmal versuchen.',
  full: (most) =>
    `Es gibt schon ${most} aktive Schlüssel, mehr sind nicht möglich. Bitte zuerst einen widerrufen.`,
  full_of_passkeys: (most) => `Ein Konto hat höchstens ${most} Passkeys. Bitte zuerst einen entfernen.`,
  terms: 'Bitte aus der Liste wählen, was der Schlüssel aufrufen darf.',
  terms_expiry: 'Bitte aus der Liste wählen, wann der Schlüssel abläuft, oder ein Datum in der Zukunft.',
  terms_overlap: 'Bitte aus der Liste wählen, wie lange der alte Schlüssel gültig bleibt.',
};

const common: Account['common'] = {
  error: (title) => `Fehler: ${title}`,
  email: 'E-Mail-Adresse',
  password: 'Passwort',
  newPassword: 'Neues Passwort',
  passwordHint: 'Mindestens 10 Zeichen.',
  signIn: 'Anmelden',
  createAccount: 'Konto erstellen',
  haveAccount: 'Schon ein Konto?',
  voidLink: 'Dieser Link gilt nicht mehr',
  lookIntoMail: 'Eine E-Mail ist unterwegs',
  notSignedIn: 'Die Anmeldung ist gescheitert',
  notAdmitted: 'Ihr Konto ist noch nicht zugelassen',
};

const entry: Account['entry'] = {
  leadSignIn: 'API-Schlüssel, Nutzung und verbundene Apps verwalten.',
  leadSignUp:
    'Für einen Schlüssel zur API und für Agenten, die den Katalog für Sie lesen. Der Tarif „Free“ kostet nichts.',
  leadApproval:
    'Für einen Schlüssel zur API und für Agenten, die den Katalog für Sie lesen. Der Betreiber dieses Dienstes lässt jedes Konto einzeln zu.',
  done: {
    'signed-out': 'Sie sind abgemeldet.',
    'signed-out-everywhere': 'Sie sind in allen Browsern abgemeldet.',
    reset: 'Das neue Passwort ist gesetzt. Bitte damit anmelden.',
    deleted: 'Ihr Konto ist gelöscht, mit allen Schlüsseln, Apps und Sitzungen.',
  },
  create: 'Konto erstellen',
  ask: 'Konto beantragen',
  newHere: 'Neu hier?',
  forgot: 'Passwort vergessen?',
  closed: 'Die Registrierung ist geschlossen',
  closedText: 'Konten dieses Dienstes legt der Betreiber an, und zwar im Terminal:',
  requested: 'Ihr Antrag ist eingegangen',
  requestedLead:
    'Konten dieses Dienstes lässt der Betreiber zu. Ob Ihres zugelassen wurde, zeigt sich später bei der Anmeldung auf demselben Weg.',
  requestedText:
    'Der Antrag bleibt 30 Tage gespeichert. Gibt es zu dieser E-Mail-Adresse schon ein Konto, bleibt es, wie es ist.',
  pendingLead:
    'Die Anmeldung war richtig. Der Betreiber dieses Dienstes hat das Konto noch nicht zugelassen; bis dahin hat es keine Schlüssel und ist nicht nutzbar.',
  tryLater: 'Später noch einmal versuchen',
};

const code: Account['code'] = {
  title: 'Code eingeben',
  lead: 'Bitte die sechs Ziffern eingeben, die die Authenticator-App für diesen Dienst anzeigt.',
  label: 'Code',
  hint: 'Ohne das Gerät hilft einer der Wiederherstellungscodes.',
  lost: 'Gerät und Wiederherstellungscodes verloren? Der Betreiber dieses Dienstes kann den zweiten Faktor entfernen.',
};

const passkey: Account['passkey'] = {
  signIn: 'Mit einem Passkey anmelden',
  notUsed: 'Es wurde kein Passkey benutzt. Bitte es noch einmal versuchen oder einen anderen Weg wählen.',
  alreadyThere: 'Auf diesem Gerät gibt es schon einen Passkey des Kontos.',
};

const openid: Account['openid'] = {
  signIn: (provider) => `Mit ${provider} anmelden`,
  waiting:
    'Der Betreiber dieses Dienstes lässt jedes Konto einzeln zu. Ihr Antrag steht auf der Liste; ob er angenommen wurde, zeigt sich später bei der Anmeldung.',
  unverified: 'Ihre E-Mail-Adresse ist nicht bestätigt',
  unverifiedText: (provider) =>
    `${provider} sagt nicht, dass Ihre E-Mail-Adresse bestätigt ist. Bitte die Adresse dort bestätigen und sich dann noch einmal anmelden.`,
  domain: 'Nicht mit dieser Adresse',
  domainText: (domains, provider) =>
    `Hier ist die Anmeldung nur mit Adressen von ${domains} möglich. Bitte bei ${provider} abmelden und sich dann mit einer solchen Adresse anmelden.`,
  closed: 'Für Sie gibt es noch kein Konto',
  closedText:
    'Die Registrierung ist geschlossen. Der Betreiber dieses Dienstes kann ein Konto mit Ihrer E-Mail-Adresse anlegen.',
  lost: 'Diese Anmeldung begann nicht hier',
  lostText:
    'Sie begann in einem anderen Browser oder vor mehr als zehn Minuten, oder sie ist schon vorbei. Bitte die Anmeldeseite öffnen und neu beginnen.',
  denied: 'Keine Anmeldung',
  deniedText: (provider) =>
    `Laut ${provider} wurde die Anmeldung abgebrochen. Bitte die Anmeldeseite öffnen, um neu zu beginnen.`,
  down: (provider) => `${provider} antwortet nicht`,
  downText:
    'Bitte es in einigen Minuten noch einmal versuchen. Dauert es an, hilft der Betreiber dieses Dienstes; der Grund steht im Protokoll.',
  failed: 'Die Anmeldung ist nicht gelungen',
  failedText: (provider) =>
    `Die Antwort von ${provider} stimmt nicht oder ist zu alt. Bitte die Anmeldeseite öffnen und neu beginnen. Geschieht es wieder, hilft der Betreiber dieses Dienstes; der Grund steht im Protokoll.`,
  link: 'Ist das Ihr Konto?',
  linkLead:
    'Mit {email} gibt es hier schon ein Konto. Bitte einmal dessen Passwort eingeben; von da an führt {provider} zu diesem Konto.',
  linkWrong: 'Das ist nicht das Passwort des Kontos.',
  linkButton: 'Verknüpfen und anmelden',
  linkHint:
    'Passwort unbekannt? Der Betreiber dieses Dienstes kann bestätigen, dass die Adresse Ihnen gehört.',
};

const confirm: Account['confirm'] = {
  sentText:
    'Sie erhalten einen Link, der Ihre Adresse bestätigt. Er gilt einen Tag. Kommt innerhalb einiger Minuten keine E-Mail an, bitte im Spam-Ordner nachsehen und dann die Adresse prüfen.',
  title: 'Adresse bestätigen',
  lead: 'Bitte das Passwort eingeben, das bei der Registrierung mit {email} gewählt wurde. Ohne das Passwort entsteht kein Konto: Vielleicht hat jemand anders Ihre Adresse angegeben.',
  button: 'Bestätigen',
  voidText:
    'Er wurde schon benutzt oder ist älter als einen Tag. Wer noch kein Konto hat, registriert sich bitte noch einmal.',
};

const reset: Account['reset'] = {
  forgot: 'Passwort vergessen?',
  askOperator:
    'Dieser Dienst verschickt keine E-Mails. Der Betreiber kann einen Link ausstellen: Damit lässt sich ein neues Passwort setzen, einmal und innerhalb einer Stunde.',
  askCommand: 'Der Betreiber erzeugt ihn mit {command} und Ihrer E-Mail-Adresse.',
  forgotLead:
    'Bitte die E-Mail-Adresse des Kontos eingeben. Dorthin geht ein Link, mit dem sich ein neues Passwort setzen lässt.',
  send: 'Link senden',
  back: 'Zurück zur Anmeldung',
  sentText:
    'Gibt es zu dieser E-Mail-Adresse ein Konto, ist ein Link für ein neues Passwort unterwegs. Er gilt eine Stunde. Kommt innerhalb einiger Minuten keine E-Mail an, bitte im Spam-Ordner nachsehen und dann die Adresse prüfen.',
  title: 'Neues Passwort setzen',
  lead: 'Für {email}. Alle Browser des Kontos werden abgemeldet; Schlüssel und verbundene Apps bleiben gültig.',
  button: 'Passwort setzen',
  voidText: 'Er wurde schon benutzt, durch einen neueren ersetzt oder ist älter als eine Stunde.',
  another: 'Neuen Link anfordern',
  noPasswords: 'Hier gibt es keine Passwörter',
  noPasswordsText:
    'Konten dieses Dienstes haben kein eigenes Passwort. Die Anmeldeseite zeigt, wie die Anmeldung geht.',
};

const failures: Account['failures'] = {
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

const mails: Account['mails'] = {
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

export const account: Account = {
  refusals,
  common,
  entry,
  code,
  passkey,
  openid,
  confirm,
  reset,
  failures,
  mails,
};
