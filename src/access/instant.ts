/** Parses dates and timestamps that people write on the command line and in forms. */

const pattern = /^(\d{4})-(\d{2})-(\d{2})(?:T([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?(Z|[+-]\d{2}:\d{2}))?$/;

/**
 * Parses a date (`2027-01-01`, which means 00:00 UTC) or a timestamp with an offset (`2027-01-01T12:00Z`). Returns ms
 * since 1970, or undefined if it is invalid.
 */
export function parseInstant(text: string): number | undefined {
  const match = pattern.exec(text.trim());
  if (match === null) return undefined;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  // Date.parse accepts 30 February as 2 March.
  const date = new Date(Date.UTC(year, month - 1, day));
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  const time = Date.parse(text.trim());
  return Number.isNaN(time) ? undefined : time;
}
