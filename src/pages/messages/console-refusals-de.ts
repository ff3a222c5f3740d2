/** The texts of refusals that reach the console as codes, in German; the pattern is `console-refusals-en.ts`. */
import type { Messages } from './pattern.ts';

type Refusals = Messages['consoleRefusals'];

const texts: Refusals['texts'] = {
  added_removed: (record) =>
    `Der Katalog hat ${record}, doch der Eintrag wurde entfernt. Bitte diesen wiederherstellen.`,
  all_parts: 'Das sind alle Quelleneinträge des Eintrags. Bitte mindestens einen auslassen, der bleibt.',
  artist_ambiguous: (artists) => `So heißen mehrere Acts. Bitte stattdessen einen davon angeben: ${artists}.`,
  artist_missing: (artist) =>
    `Den Act ${artist} gibt es nicht. Bitte einen Namen angeben, oder artist/ und das Ende der Adresse seiner Seite.`,
  busy: 'Ein anderer Import oder eine andere Änderung läuft. Bitte danach noch einmal versuchen.',
  changed_again:
    'Das Feld wurde seitdem wieder geändert. Bitte im Verlauf nachsehen und zuerst die spätere Änderung zurücknehmen.',
  decided: (person) =>
    `Über dieses Paar hat schon ${person} entschieden. Die erste Entscheidung gilt; im Verlauf des Eintrags lässt sie sich zurücknehmen.`,
  decided_otherwise:
    'Eine frühere Entscheidung sagt etwas anderes. Um sie zu ersetzen, bitte das Kästchen ankreuzen.',
  delayed_by:
    'Die Änderung wartet, bis ein Import oder eine andere Änderung endet. Danach wird sie ausgeführt; das Protokoll zeigt sie dann. Bitte nicht noch einmal senden.',
  delayed_change:
    'Die Änderung dauert länger als üblich und läuft weiter. Das Protokoll zeigt sie, wenn sie fertig ist. Bitte nicht noch einmal senden.',
  delayed_read:
    'Das dauert länger als üblich. Geändert wurde nichts. Bitte in einer Minute noch einmal versuchen.',
  conflict:
    'Das Feld wurde inzwischen geändert, und nichts wurde gespeichert. Bitte den neuen Wert ansehen, dann noch einmal speichern.',
  deleted_already: 'Der Eintrag ist schon gelöscht. Auf seiner Seite lässt er sich wiederherstellen.',
  deleted_not_hidden:
    'Der Eintrag ist gelöscht, nicht verborgen. Auf seiner Seite lässt er sich wiederherstellen.',
  edition_format: 'Bitte Festival und Ausgabe angeben, etwa „Awakenings/2026“.',
  end_before_start: 'Das Ende liegt vor dem Beginn. Bitte eines von beiden ändern oder das Ende leeren.',
  entry_missing: (entry) => `Die Nummer ${entry} gibt es im Protokoll nicht.`,
  file_busy: 'Ein anderer Prozess schreibt in die Datendatei. Bitte danach noch einmal versuchen.',
  forgotten:
    'Dieser Eintrag ist endgültig vergessen. Es ist nichts mehr da, was sich ändern oder wiederherstellen ließe.',
  forgotten_field: 'Dieser Act wurde auf Wunsch der Person vergessen. Nur die Genres lassen sich ändern.',
  forgotten_name:
    'Das nennt einen Act, der auf Wunsch der Person vergessen wurde. Bitte den Namen verwenden, den der Katalog zeigt, oder ihn weglassen.',
  form: 'Das Formular ist unvollständig. Bitte seine Seite neu öffnen und von dort senden.',
  form_too_large: 'Das Formular ist zu groß. Bitte weniger Text oder eine kleinere Datei senden.',
  held_missing: 'Einer der Einträge wartet nicht mehr. Bitte die Seite neu laden.',
  id_format: 'Bitte Dienst und Kennung angeben, etwa discogs:28795.',
  in_use: (count) =>
    `${count} andere Einträge verwenden ihn. Bitte ihn mit dem richtigen zusammenführen oder zuerst jene entfernen.`,
  json: 'Der Text beginnt mit einer Klammer, ist aber kein gültiges JSON. Bitte Klammern und Anführungszeichen prüfen.',
  kinds_differ: 'Die Einträge sind von verschiedener Art. Bitte einen derselben Art angeben.',
  merged_since: (record) =>
    `Der Eintrag wurde seitdem mit ${record} zusammengeführt. Bitte das zuerst zurücknehmen.`,
  lease_lost:
    'Ein anderer Rechner des Dienstes hat inzwischen begonnen, den Katalog zu ändern, und nichts wurde gespeichert. Bitte noch einmal versuchen.',
  lease_taken:
    'Ein anderer Rechner des Dienstes ändert gerade den Katalog. Bitte in einer Minute noch einmal versuchen.',
  not_scheduled: 'Die Quelle hat keinen Zeitplan mehr. Bitte sie neu hinzufügen, damit sie gelesen wird.',
  no_edit:
    'Das Feld hat keine Änderung mehr: Eine andere Person hat sie zurückgesetzt. Bitte die Seite neu laden.',
  not_undoable: (entry) => `Nummer ${entry} lässt sich nicht zurücknehmen.`,
  nothing_left:
    'Von dem Eintrag ist nichts mehr da: Die Quellen, die ihn nannten, wurden mit allen Einträgen entfernt.',
  nothing_to_split: 'Nur eine Quelle nennt den Eintrag, also gibt es nichts zu trennen.',
  nothing_to_undo: 'Beim Trennen entstand kein Eintrag; es gibt nichts zurückzunehmen.',
  only_artists: 'Nur ein Act lässt sich vergessen. Andere Einträge bitte löschen.',
  pair_merged:
    'Die beiden sind jetzt ein Eintrag: Ein Import oder eine andere Person hat sie zusammengeführt.',
  pair_not_open: 'Dieses Paar ist nicht mehr zweifelhaft.',
  pair_postponed:
    'Dieses Paar ist zurückgestellt. Es kommt wieder, wenn sich einer seiner Quelleneinträge ändert.',
  pair_removed: 'Einer der beiden Einträge wurde inzwischen entfernt.',
  part_missing: 'Einer der Quelleneinträge gehört nicht mehr dazu. Bitte die Seite neu laden.',
  part_of_festival:
    'Eine Ausgabe gehört zu ihrem Festival. Bitte stattdessen die Festivals zusammenführen oder trennen.',
  part_of_podcast:
    'Eine Folge gehört zu ihrem Podcast. Bitte stattdessen die Podcasts zusammenführen oder trennen.',
  place_taken:
    'Geändert wurde nichts. Ein anderer Eintrag hat inzwischen den Platz dieses Eintrags. Bitte zuerst den anderen löschen.',
  place_missing: 'Keine Quelle sagt, wo dieser Ort liegt. Bitte auch Stadt und Land angeben.',
  record_ambiguous: (records) => `So heißen mehrere Einträge. Bitte einen davon angeben: ${records}.`,
  record_gone: 'Der Eintrag ist nicht mehr im Katalog.',
  record_missing:
    'Diesen Eintrag gibt es nicht. Bitte die Adresse seiner Seite, seine Kennung oder Art und Namen angeben: artist/ben-klock.',
  removed_again: 'Der Eintrag wurde seitdem wieder entfernt.',
  removed_with: (record) => `Er wurde zusammen mit ${record} entfernt. Bitte jenen wiederherstellen.`,
  required: 'Das darf nicht leer sein.',
  role_required: 'Die Rolle dieses Kontos erlaubt das nicht. Ein Betreiber kann sie ändern.',
  same_record: (record) => `Beides ist derselbe Eintrag, ${record}. Trennen lässt er sich auf seiner Seite.`,
  slow_address: 'Die Adresse antwortet zu langsam. Bitte später noch einmal versuchen.',
  source_missing: 'Diese Quelle gibt es nicht mehr.',
  stopped_before: 'Der Dienst hielt vorher an. Geändert wurde nichts. Bitte noch einmal senden.',
  stopped_during:
    'Der Dienst hielt währenddessen an. Bitte nachsehen, ob es ausgeführt wurde, und sonst noch einmal versuchen.',
  older_nodes:
    'Es laufen Rechner mit einer älteren Version des Programms. Bis sie aktualisiert sind, bitte die Änderung auf einem von ihnen machen: dort die Konsole öffnen.',
  split_since: (entry) =>
    `Nummer ${entry} hat den Eintrag seitdem geteilt. Bitte zuerst Nummer ${entry} zurücknehmen.`,
  stopping: 'Der Dienst hält an. Bitte gleich noch einmal versuchen.',
  too_many_actions: 'Zu viele Aktionen warten. Bitte in einer Minute noch einmal versuchen.',
  undo_forgotten: (entry) =>
    `Nummer ${entry} lässt sich nicht zurücknehmen: Der Act wurde vergessen, und seine Werte mit ihm.`,
  undone_already: (entry) => `Nummer ${entry} ist schon zurückgenommen.`,
  unexpected:
    'Das endete unerwartet. Eine Änderung geschieht ganz oder gar nicht: Bitte nachsehen, ob sie ausgeführt wurde, und sonst noch einmal versuchen. Der Grund steht im Log des Dienstes.',
  value_country: 'Bitte ein Land mit zwei Buchstaben angeben, etwa DE.',
  value_time: 'Bitte Datum und Uhrzeit angeben, etwa 2026-12-31T22:00.',
  value_timezone: 'Bitte eine Zeitzone angeben, etwa Europe/Berlin.',
  value_url: 'Bitte eine Adresse angeben, die mit https:// oder http:// beginnt.',
  venue_city_missing:
    'Der Ort liegt in einem anderen Land als die Veranstaltung. Bitte auch seine Stadt angeben.',
  venue_missing: (venue) =>
    `Den Ort ${venue} gibt es nicht. Bitte einen Namen angeben, oder venue/ und das Ende der Adresse seiner Seite.`,
};

export const consoleRefusals: Refusals = {
  slow: 'Das dauert länger',
  delayed: 'Die Änderung wartet',
  refused: 'Das wurde nicht ausgeführt',
  back: 'Zurück',
  missing: 'Nicht gefunden',
  failed: 'Das hat nicht geklappt',
  broken: 'Hier ist etwas schiefgegangen',
  brokenText:
    'Der Grund steht im Log des Dienstes, unter der unten genannten Anfrage. Bitte noch einmal versuchen; eine Änderung geschieht ganz oder gar nicht.',
  unavailable: 'Zurzeit nicht verfügbar',
  unavailableText:
    'Die Datendatei lässt sich zurzeit nicht verwenden. Bitte gleich noch einmal versuchen. Der Betreiber sieht den Grund im Log des Dienstes.',
  texts,
};
