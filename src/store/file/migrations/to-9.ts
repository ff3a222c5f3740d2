/** Schema 9, one step per line of this list. A step is SQL that changes tables of schema 8; earlier steps stay as they are. */
export const schema9: readonly string[] = [];
