/** Why a form of an account page was refused, in German. */
import type { Messages } from '../pattern.ts';

type Account = Messages['account'];

const waitingTime = (seconds: number): string =>
  seconds < 120 ? `${seconds} Sekunde${seconds === 1 ? '' : 'n'}` : `${Math.ceil(seconds / 60)} Minuten`;

export const refusals: Account['refusals'] = {
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
  only_way:
    'Es gibt keinen anderen Weg zur Anmeldung. Bitte zuerst auf der Seite des Kontos einen hinzufügen und dann die Verknüpfung aufheben.',
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
  key_replaced: 'Dieser Schlüssel wurde schon ersetzt. Bitte stattdessen seinen Nachfolger ersetzen.',
};
