/** Identifies the sample events of the starter catalogue, by their source. */
import type Database from 'better-sqlite3';
import { prepareValue } from '../statement.ts';

/** The name of the source with only the sample events. */
export const sampleSource = 'sample';

/** Whether the sample source is the only one that lists an event. */
export const isSampleEvent = (sources: readonly { name: string }[]): boolean =>
  sources.length > 0 && sources.every(({ name }) => name === sampleSource);

/** The same as an SQL condition on the record `e.id`. */
export const isSampleEventSql = `(
  EXISTS (SELECT 1 FROM source_records WHERE record_id = e.id
          AND source_id = (SELECT id FROM sources WHERE name = '${sampleSource}'))
  AND NOT EXISTS (SELECT 1 FROM source_records WHERE record_id = e.id
                  AND source_id <> (SELECT id FROM sources WHERE name = '${sampleSource}')))`;

/** The number of sample events that are not withdrawn. */
export const countSampleEvents = (sqlite: Database.Database): number =>
  prepareValue<number>(
    sqlite,
    `SELECT count(*) FROM source_records WHERE withdrawn_ts IS NULL AND kind = 'event'
       AND source_id = (SELECT id FROM sources WHERE name = ?)`,
  ).get(sampleSource) ?? 0;

/** Whether the catalogue has an event, past or upcoming. */
export const hasEvents = (sqlite: Database.Database): boolean =>
  sqlite.prepare('SELECT 1 FROM events LIMIT 1').get() !== undefined;
