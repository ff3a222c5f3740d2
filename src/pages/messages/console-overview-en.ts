/** The texts of the console's first page in English. It is the pattern of the other languages, as `en.ts` is. */
import { formatsOf } from './formats.ts';

const { counted, number } = formatsOf({ language: 'en', dates: 'en-GB', keepsCommas: false });

export const consoleOverview = {
  /** Of numbers with decimals. */
  locale: 'en',
  title: 'Overview',
  figures: {
    events: 'Events',
    pairs: 'Possible duplicates',
    sources: 'Scheduled sources',
    failing: 'Sources failing',
    errors: 'Errors in 24 hours',
  },
  problems: {
    oneFails: 'A source fails: {names}',
    manyFail: (count: number | string) => `${number(Number(count))} sources fail: {names}`,
    more: (count: number) => `and ${number(count)} more`,
    backup: 'The last backup failed. {error}',
    exports: (count: number) =>
      `The last ${count === 1 ? 'export' : `${number(count)} exports`} of the catalogue failed. The log of the service has the reason.`,
    damage: 'The data file is damaged. Stop the service, and restore a backup: {command} ({damage})',
    traces:
      'Unused parts of the data file may hold what was forgotten. Stop the service, then run this command: {command}',
    samples: (count: number) =>
      `${counted(count, 'sample event is', 'sample events are')} in the catalogue. Visitors see them as events.`,
    samplesCommand: 'Remove them here, or with {command}',
    removeSamples: 'Remove the sample events',
    none: 'The service and its sources work.',
  },
  requests: 'Requests',
  sources: 'Sources',
  service: 'Service',
  noSource: 'No source is read regularly yet.',
  addSource: 'Add a source',
  nothingRead: 'No source was read yet.',
  lastRead: 'Last read: {date}',
  failed: (count: number) => `failed ${number(count)}×`,
  read: '{date}, next run {next}',
  notRead: 'not read yet, next run {next}',
  rejected: (count: number) => `${counted(count, 'record', 'records')} rejected`,
  allSources: 'All sources',
  facts: {
    version: 'Version',
    revision: 'Revision',
    file: 'Data file',
    checked: 'Last checked for damage',
    log: 'Write-ahead log',
    free: 'Free disk space',
    backups: 'Backups',
    exports: 'Exports',
    sqlite: 'SQLite, schema',
    accounts: 'Accounts, keys',
  },
  noBackups: 'none on schedule; {command} makes them',
  exportFacts: (revision: number, records: number) =>
    `revision ${number(revision)}, ${counted(records, 'record', 'records')}, in {folder}`,
  noSuccess: 'none has succeeded yet',
  copies: (count: number) => `${counted(count, 'copy', 'copies')} in {folder}`,
  statistics: 'Statistics of the catalogue',
  chart: {
    heading: 'Requests by hour, the last 24 hours',
    highest: (count: number) => `highest bar: ${number(count)}`,
    description: (requests: number, errors: number) =>
      `Requests by hour: ${number(requests)} requests above the line, ${number(errors)} errors below it. The figures follow as a table.`,
    hour: (time: string, requests: number, errors: number) =>
      `${time}: ${number(requests)} requests, ${number(errors)} errors`,
    above: (count: number) => `Requests, above: ${number(count)}`,
    below: (count: number) => `Errors of the server, below: ${number(count)}`,
    since: 'counted since the service started',
    caption: 'Requests by hour',
    columns: ['Hour', 'Requests', 'Errors'] as readonly [string, string, string],
  },
};
