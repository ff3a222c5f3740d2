/** The sample events of the starter catalogue, as the file has them: told apart by their source. */
import type Database from 'better-sqlite3';

/** The name of the source that lists the sample events and nothing else. */
export const sampleSource = 'sample';

/** Whether nobody but the sample source lists an event. */
export const isSampleEvent = (sources: readonly { name: string }[]): boolean =>
  sources.length > 0 && sources.every(({ name }) => name === sampleSource);

/** The same of the record `e.id`, within a statement. */
export const isSampleEventSql = `(
  EXISTS (SELECT 1 FROM source_records WHERE record_id = e.id
          AND source_id = (SELECT id FROM sources WHERE name = '${sampleSource}'))
  AND NOT EXISTS (SELECT 1 FROM source_records WHERE record_id = e.id
                  AND source_id <> (SELECT id FROM sources WHERE name = '${sampleSource}')))`;

/** How many sample events the file has that are not withdrawn. */
export const countSampleEvents = (sqlite: Database.Database): number =>
  sqlite
    .prepare(
      `SELECT count(*) FROM source_records WHERE withdrawn_ts IS NULL AND kind = 'event'
       AND source_id = (SELECT id FROM sources WHERE name = ?)`,
    )
    .pluck()
    .get(sampleSource) as number;
