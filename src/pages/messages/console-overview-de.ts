/** The texts of the console's first page in German; their style is that of `de.ts`. */

import { formatsOf } from './formats.ts';
import type { Messages } from './pattern.ts';

const { counted, number } = formatsOf({ language: 'de', dates: 'de-DE', keepsCommas: true });

export const consoleOverview: Messages['consoleOverview'] = {
  locale: 'de',
  title: 'Übersicht',
  figures: {
    events: 'Events',
    pairs: 'Mögliche Dubletten',
    sources: 'Quellen im Zeitplan',
    failing: 'Fehlschlagende Quellen',
    errors: 'Fehler in 24 Stunden',
  },
  problems: {
    oneFails: 'Eine Quelle schlägt fehl: {names}',
    manyFail: (count) => `${number(Number(count))} Quellen schlagen fehl: {names}`,
    more: (count) => `und ${number(count)} weitere`,
    backup: 'Die letzte Sicherung ist fehlgeschlagen. {error}',
    exports: (count) =>
      `${count === 1 ? 'Der letzte Export des Katalogs ist' : `Die letzten ${number(count)} Exporte des Katalogs sind`} fehlgeschlagen. Den Grund nennt das Protokoll des Dienstes.`,
    damage:
      'Die Datendatei ist beschädigt. Bitte den Dienst anhalten und eine Sicherung wiederherstellen: {command} ({damage})',
    traces:
      'Unbenutzte Teile der Datendatei können noch enthalten, was vergessen werden sollte. Bitte den Dienst anhalten und diesen Befehl ausführen: {command}',
    samples: (count) =>
      `${counted(count, 'Beispiel-Event ist', 'Beispiel-Events sind')} im Katalog. Besucher sehen sie als Events.`,
    samplesCommand: 'Sie lassen sich hier entfernen, oder mit {command}',
    removeSamples: 'Beispiel-Events entfernen',
    none: 'Der Dienst und seine Quellen arbeiten.',
  },
  requests: 'Anfragen',
  sources: 'Quellen',
  service: 'Dienst',
  noSource: 'Noch wird keine Quelle regelmäßig gelesen.',
  addSource: 'Quelle hinzufügen',
  nothingRead: 'Es wurde noch keine Quelle gelesen.',
  lastRead: 'Zuletzt gelesen: {date}',
  failed: (count) => `${number(count)}× fehlgeschlagen`,
  read: '{date}, nächste Lesung {next}',
  notRead: 'noch nicht gelesen, nächste Lesung {next}',
  rejected: (count) => `${counted(count, 'Eintrag', 'Einträge')} abgelehnt`,
  allSources: 'Alle Quellen',
  facts: {
    version: 'Version',
    revision: 'Revision',
    file: 'Datendatei',
    checked: 'Zuletzt auf Schäden geprüft',
    log: 'Write-Ahead-Log',
    free: 'Freier Speicherplatz',
    backups: 'Sicherungen',
    exports: 'Exporte',
    sqlite: 'SQLite, Schema',
    accounts: 'Konten, Schlüssel',
  },
  noBackups: 'keine im Zeitplan; {command} legt sie an',
  exportFacts: (revision, records) =>
    `Revision ${number(revision)}, ${counted(records, 'Eintrag', 'Einträge')}, in {folder}`,
  noSuccess: 'noch keine gelungen',
  copies: (count) => `${counted(count, 'Kopie', 'Kopien')} in {folder}`,
  statistics: 'Statistik des Katalogs',
  chart: {
    heading: 'Anfragen je Stunde, die letzten 24 Stunden',
    highest: (count) => `höchster Balken: ${number(count)}`,
    description: (requests, errors) =>
      `Anfragen je Stunde: ${number(requests)} Anfragen über der Linie, ${number(errors)} Fehler darunter. Die Zahlen folgen als Tabelle.`,
    hour: (time, requests, errors) => `${time}: ${number(requests)} Anfragen, ${number(errors)} Fehler`,
    above: (count) => `Anfragen, oben: ${number(count)}`,
    below: (count) => `Fehler des Servers, unten: ${number(count)}`,
    since: 'gezählt seit dem Start des Dienstes',
    caption: 'Anfragen je Stunde',
    columns: ['Stunde', 'Anfragen', 'Fehler'],
  },
};
