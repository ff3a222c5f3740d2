/** Schema 9, one step per line of this list. A step is SQL that changes tables of schema 8; earlier steps stay as they are. */
export const schema9: readonly string[] = [
  `CREATE INDEX schedules_states ON schedules (source_id, next_ts, last_success_ts, failures, ifnull(json_extract(last_report, '$.rejected_count'), 0))`,
  // Events with several titles get the best one, and the others as search aliases (docs/decisions/25-titles.md).
  `INSERT OR IGNORE INTO stale_records (record_id)
   SELECT s.record_id FROM source_records s JOIN (
     SELECT record_id FROM source_records WHERE kind = 'event' AND content IS NOT NULL GROUP BY record_id HAVING count(*) > 1
   ) m ON m.record_id = s.record_id JOIN events e ON e.id = s.record_id
   WHERE s.content IS NOT NULL GROUP BY s.record_id
   HAVING min(json_extract(s.content, '$.name')) <> max(json_extract(s.content, '$.name')) ORDER BY s.record_id`,
];
