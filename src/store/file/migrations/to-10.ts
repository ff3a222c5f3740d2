/** Schema 10, one step per line of this list. A step is SQL that changes tables of schema 9; earlier steps stay as they are. */
export const schema10: readonly string[] = [
  'CREATE INDEX events_by_venue_text ON events (venue_name) WHERE venue_id IS NULL AND venue_name IS NOT NULL',
];
