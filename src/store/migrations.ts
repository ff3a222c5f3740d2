/**
 * How a data file of an older schema is brought to this one, step by step. schema.sql is what a new file gets; a test
 * compares what both lead to.
 */

/** The schema that this program reads and writes; stands in the file as `user_version`. */
export const schemaVersion = 2;

/** How to bring a file of the version before to `to`. Each runs in one transaction with the new version number. */
export type Migration = { to: number; sql: string };

/** What people, their sessions and their apps need. */
const access = `
`;

/** What sources, matching and the change log need. */
const feeds = `
`;

export const migrations: readonly Migration[] = [{ to: 2, sql: access + feeds }];
