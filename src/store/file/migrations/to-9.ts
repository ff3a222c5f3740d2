/** Schema 9, one step per line of this list. A step is SQL that changes tables of schema 8; earlier steps stay as they are. */
export const schema9: readonly string[] = [
  `CREATE INDEX schedules_states ON schedules (source_id, next_ts, last_success_ts, failures, ifnull(json_extract(last_report, '$.rejected_count'), 0))`,
];
