/** Parses tables of text: CSV (RFC 4180), with commas, semicolons or tabs. */

const maxRows = 100_000;
const maxCells = 200;

export type TableRow = { line: number; cells: string[] };

/** Returns the separator of a table by its first line: the most frequent one outside quotes. */
export function separatorOf(text: string): string {
  const [first = ''] = text.split(/\r?\n/, 1);
  const bare = first.replace(/"[^"]*"/g, '');
  const counts = [',', ';', '\t'].map((sign) => [sign, bare.split(sign).length] as const);
  return counts.toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? ',';
}

/** Yields the rows of a table that are not blank. A quoted cell may contain separators, line breaks and doubled quotes. */
export function* parseTable(text: string, separator: string): Generator<TableRow> {
  let [cells, cell]: [string[], string] = [[], ''];
  let [isQuoted, line, start, count] = [false, 1, 1, 0];
  const take = (): void => {
    if (cells.length < maxCells) cells.push(cell.trim());
    cell = '';
  };
  for (let at = 0; at <= text.length && count < maxRows; at++) {
    const sign = text[at];
    if (isQuoted && sign !== undefined) {
      if (sign === '\n') line++;
      if (sign !== '"') cell += sign;
      else if (text[at + 1] === '"') cell += text[++at];
      else isQuoted = false;
    } else if (sign === '"' && cell.trim() === '') [isQuoted, cell] = [true, ''];
    else if (sign === separator) take();
    else if (sign === undefined || sign === '\n') {
      take();
      if (cells.some((one) => one !== '')) {
        count++;
        yield { line: start, cells };
      }
      [cells, line] = [[], line + 1];
      start = line;
    } else if (sign !== '\r') cell += sign;
  }
}
