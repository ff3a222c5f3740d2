/** Writes words as people type them in a shell, for commands in messages. */

/** Quotes a word in single quotes, for any shell. */
export const singleQuote = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** Returns a word as a person types it in a shell: quoted if necessary. */
export const shellQuote = (word: string): string => (/^[\w./:@-]+$/.test(word) ? word : singleQuote(word));
