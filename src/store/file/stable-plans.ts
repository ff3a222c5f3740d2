/**
 * Connections whose statements are compiled once. SQLite marks parameters whose value could change the plan of a
 * statement (any column compared for equality that the index does not have, a limit), and compiles the statement
 * again when such a parameter is bound or cleared. better-sqlite3 clears the parameters after each run, so many
 * statements would be compiled for each run. SQLite does not mark a parameter behind a unary plus, which changes no
 * value (docs/decisions/74-stable-plans.md).
 */
import type Database from 'better-sqlite3';

/** Parts of SQL: texts, quoted names and comments, which may contain anything, and parameters. */
const sqlParts =
  /'[^']*(?:'|$)|"[^"]*(?:"|$)|--[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$)|\?\d*|[:@$][A-Za-z_]\w*/g;

/** Returns the SQL with a plus before each parameter. */
export const withStablePlan = (text: string): string =>
  text.replace(sqlParts, (part) => (/^[?:@$]/.test(part) ? `+${part}` : part));

/** Makes the connection compile each prepared statement once, with a plan for any values. */
export function stabilizePlans(sqlite: Database.Database): void {
  const prepare = sqlite.prepare.bind(sqlite) as (text: string) => Database.Statement;
  Object.assign(sqlite, { prepare: (text: string) => prepare(withStablePlan(text)) });
}
