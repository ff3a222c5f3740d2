/** Parses tables of text: CSV (RFC 4180), with commas, semicolons or tabs. */

/** Rows of a table that are read, its first one included. */
export const maxRows = 100_000;
const maxCells = 200;

/** A row, and the line of a quote in it that is not closed where its cell ends. */
export type TableRow = { line: number; cells: string[]; openQuoteLine: number | null };

/** Returns the separator of a table by its first line: the most frequent one outside quotes. */
export function separatorOf(text: string): string {
  const [first = ''] = text.split(/\r?\n/, 1);
  const bare = first.replace(/"[^"]*"/g, '');
  const counts = [',', ';', '\t'].map((sign) => [sign, bare.split(sign).length] as const);
  return counts.toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? ',';
}

/**
 * Yields the rows of a table that are not blank. A quoted cell may contain separators, line breaks and doubled quotes.
 * A quote without its end takes the lines below it into its cell, up to the next quote or the end of the table.
 * The row after the last one that is read (`maxRows`) is yielded too, so that the caller knows of it.
 */
export function* parseTable(text: string, separator: string): Generator<TableRow> {
  let cells: string[] = [];
  /** The quoted part of the cell, the start of the part that is read, and whether the cell has more than spaces. */
  let [quoted, from, hasText] = ['', 0, false];
  let [isQuoted, line, start, count] = [false, 1, 1, 0];
  let quoteLine = 0;
  let openQuoteLine: number | null = null;
  // Cells are cut out as a whole: joined sign by sign, one of 20 MB takes 900 MB.
  const take = (to: number): void => {
    const part = text.slice(from, to);
    const cell = isQuoted ? unescapeQuotes(part) : quoted + part.replaceAll('\r', '');
    if (cells.length < maxCells) cells.push(cell.trim());
    [quoted, from, hasText] = ['', to + 1, false];
  };
  for (let at = 0; at <= text.length && count <= maxRows; at++) {
    const sign = text[at];
    if (isQuoted && sign !== undefined) {
      if (sign === '\n') line++;
      if (sign !== '"') continue;
      if (text[at + 1] === '"') at++;
      else {
        isQuoted = false;
        quoted = unescapeQuotes(text.slice(from, at));
        [from, hasText] = [at + 1, quoted.trim() !== ''];
        // A cell of several lines ends within a line: its last quote opens the next cell.
        if (line > quoteLine && !endsCell(text, at + 1, separator)) openQuoteLine ??= quoteLine;
      }
    } else if (sign === '"' && !hasText) [isQuoted, quoted, from, quoteLine] = [true, '', at + 1, line];
    else if (sign === separator) take(at);
    else if (sign === undefined || sign === '\n') {
      take(at);
      if (isQuoted) openQuoteLine ??= quoteLine;
      if (cells.some((one) => one !== '')) {
        count++;
        yield { line: start, cells, openQuoteLine };
      }
      [cells, line, openQuoteLine] = [[], line + 1, null];
      start = line;
    } else hasText ||= sign.trim() !== '';
  }
}

const unescapeQuotes = (text: string): string => text.replace(/""/g, '"');

/** Whether a cell ends at a position: a separator, a line break or the end follows. */
function endsCell(text: string, at: number, separator: string): boolean {
  const next = text[at];
  // Spaces behind the quote are left out.
  const after = next === ' ' ? text.slice(at, at + maxSpaces).trimStart()[0] : next;
  return after === undefined || after === separator || after === '\r' || after === '\n';
}
const maxSpaces = 20;
