/** The texts of signing in and up, and of passwords, in German. */
import type { Messages } from '../pattern.ts';

type Account = Messages['account'];

export const common: Account['common'] = {
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

export const entry: Account['entry'] = {
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

export const code: Account['code'] = {
  title: 'Code eingeben',
  lead: 'Bitte die sechs Ziffern eingeben, die die Authenticator-App für diesen Dienst anzeigt.',
  label: 'Code',
  hint: 'Ohne das Gerät hilft einer der Wiederherstellungscodes.',
  lost: 'Gerät und Wiederherstellungscodes verloren? Der Betreiber dieses Dienstes kann den zweiten Faktor entfernen.',
};

export const passkey: Account['passkey'] = {
  signIn: 'Mit einem Passkey anmelden',
  notUsed: 'Es wurde kein Passkey benutzt. Bitte es noch einmal versuchen oder einen anderen Weg wählen.',
  alreadyThere: 'Auf diesem Gerät gibt es schon einen Passkey des Kontos.',
};

export const openid: Account['openid'] = {
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

export const confirm: Account['confirm'] = {
  sentText:
    'Sie erhalten einen Link, der Ihre Adresse bestätigt. Er gilt einen Tag. Kommt innerhalb einiger Minuten keine E-Mail an, bitte im Spam-Ordner nachsehen und dann die Adresse prüfen.',
  title: 'Adresse bestätigen',
  lead: 'Bitte das Passwort eingeben, das bei der Registrierung mit {email} gewählt wurde. Ohne das Passwort entsteht kein Konto: Vielleicht hat jemand anders Ihre Adresse angegeben.',
  button: 'Bestätigen',
  voidText:
    'Er wurde schon benutzt oder ist älter als einen Tag. Wer noch kein Konto hat, registriert sich bitte noch einmal.',
};

export const reset: Account['reset'] = {
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
