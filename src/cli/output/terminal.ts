/** Terminal output and input: tables, progress, questions. Only results go to standard output. */
import { createInterface } from 'node:readline';
import { Failure } from '../../failure.ts';

/** Prints a result to standard output, with a line feed at its end and without unsafe characters of sources. */
export function print(text: string): void {
  printDocument(stripAroundBold(text));
}

/** Prints a document of the program, such as a script, to standard output as it is, with a line feed at its end. */
export function printDocument(text: string): void {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
}

/** Prints a value as JSON to standard output. Control characters are escaped: JSON itself leaves U+007F to U+009F. */
export function printJson(value: unknown, indent = 0): void {
  const json = JSON.stringify(value, null, indent);
  printDocument(json.replace(/[\u007f-\u009f]/g, (one) => `\\u00${one.charCodeAt(0).toString(16)}`));
}

/** Prints a message to standard error, without unsafe characters of sources. */
export function note(text: string): void {
  process.stderr.write(`${stripAroundBold(text)}\n`);
}

/** Returns bold text if standard output is a terminal and NO_COLOR (no-color.org) is not set. */
export function bold(text: string): string {
  const plain = !process.stdout.isTTY || process.env.NO_COLOR || process.env.TERM === 'dumb';
  return plain ? text : `\u001b[1m${text}\u001b[22m`;
}

/** Characters of two terminal columns: East Asian scripts with punctuation and full-width forms, and emoji. */
const wideCharacters =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f1e6}-\u{1f1ff}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]|\p{Emoji}\ufe0f/u;
const zeroWidthCharacters = /^[\p{M}\p{Cf}]+$/u;
let segmenter: Intl.Segmenter | null = null;

/** Divides a text into the characters that a reader sees. */
function graphemesOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter();
  return segmenter.segment(text);
}

/** Returns the terminal columns of a text. */
function displayWidth(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemesOf(text)) {
    width += zeroWidthCharacters.test(segment) ? 0 : wideCharacters.test(segment) ? 2 : 1;
  }
  return width;
}

function truncate(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let start = '';
  let usedWidth = 0;
  for (const { segment } of graphemesOf(text)) {
    usedWidth += displayWidth(segment);
    if (usedWidth > width - 1) break;
    start += segment;
  }
  return `${start}…`;
}

/** Invisible characters and bidi controls: they make one name look like another. */
const hiddenCharacters = /[\p{Cf}\u115f\u1160\u3164\uffa0]+/gu;
/** Control characters: they let a name move the cursor or colour the terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: this pattern removes them
const controlCharacters = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029]+/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: this pattern finds them
const boldMarks = /(\u001b\[(?:1|22)m)/;
/** Removes invisible characters, and replaces control characters other than line feeds. */
export const stripUnsafeCharacters = (text: string): string =>
  text.replace(hiddenCharacters, '').replace(controlCharacters, ' ');

/** Removes unsafe characters, except the marks of `bold`. */
export const stripAroundBold = (text: string): string =>
  text
    .split(boldMarks)
    .map((part, at) => (at % 2 === 0 ? stripUnsafeCharacters(part) : part))
    .join('');

export type Cell = string | number | boolean | null | undefined;
const formatCell = (cell: Cell): string =>
  cell === null || cell === undefined ? '–' : stripUnsafeCharacters(String(cell)).replaceAll('\n', ' ');

/** Width of the terminal; output to a file or a pipe is never cut. */
const terminalWidth = (): number => (process.stdout.isTTY ? process.stdout.columns || 80 : Infinity);

/** Columns that are never cut: values that people copy, and dates. */
const fixedWidthColumns = new Set(['ID', 'SLUG', 'URL', 'EMAIL', 'KEY', 'WHEN']);
/** Minimum width of the other columns; the preferred one applies if the last column can have its own line. */
const minColumnWidth = 12;
const preferredColumnWidth = 24;
const columnGap = 2;

/** Formats a table with bold titles. On a terminal the widest columns are cut until it fits. Numbers are right-aligned. */
export function formatTable(titles: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const limit = terminalWidth();
  const texts = rows.map((row) => row.map(formatCell));
  const widths = titles.map((title, i) =>
    texts.reduce((width, row) => Math.max(width, displayWidth(row[i] ?? '')), displayWidth(title)),
  );
  const right = titles.map((_, i) => isNumeric(rows.map((row) => row[i])));
  const last = titles.length - 1;
  if (
    fixedWidthColumns.has(titles[last] as string) &&
    !shrinkToFit(titles, [...widths], limit, preferredColumnWidth)
  ) {
    const firsts = widths.slice(0, last);
    shrinkToFit(titles, firsts, limit, minColumnWidth);
    const both = (row: readonly string[]) => [formatRow(row.slice(0, last), firsts, right), `  ${row[last]}`];
    return [...both(titles).map(bold), ...texts.flatMap(both)].join('\n');
  }
  shrinkToFit(titles, widths, limit, minColumnWidth);
  return [bold(formatRow(titles, widths, right)), ...texts.map((row) => formatRow(row, widths, right))].join(
    '\n',
  );
}

/** Narrows the widest columns until the table fits or all have `minWidth`; returns whether it fits. */
function shrinkToFit(titles: readonly string[], widths: number[], limit: number, minWidth: number): boolean {
  const isShrinkable = widths.map((_, i) => !fixedWidthColumns.has(titles[i] as string));
  for (;;) {
    if (widths.reduce((sum, width) => sum + width + columnGap, -columnGap) <= limit) return true;
    const widest = Math.max(0, ...widths.filter((_, i) => isShrinkable[i]));
    if (widest <= minWidth) return false;
    widths[widths.findIndex((width, i) => width === widest && isShrinkable[i])] = widest - 1;
  }
}

const isNumeric = (cells: readonly Cell[]): boolean =>
  cells.some((cell) => typeof cell === 'number') &&
  cells.every((cell) => cell === null || typeof cell === 'number');

const formatRow = (cells: readonly string[], widths: readonly number[], right: readonly boolean[]): string =>
  cells
    .map((cell, i) => {
      const text = truncate(cell, widths[i] as number);
      const padding = ' '.repeat((widths[i] as number) - displayWidth(text));
      return right[i] ? padding + text : text + padding;
    })
    .join(' '.repeat(columnGap))
    .trimEnd();

/** Formats names and values one per line, without empty values. On a terminal long values are wrapped. */
export function formatFields(pairs: readonly (readonly [string, Cell])[]): string {
  const fields = pairs.filter(([, cell]) => cell !== null && cell !== undefined && cell !== '');
  const width = Math.max(0, ...fields.map(([name]) => name.length)) + 2;
  const room = Math.max(minColumnWidth, terminalWidth() - width);
  return fields
    .map(([name, cell]) => {
      const lines = stripUnsafeCharacters(String(cell))
        .split('\n')
        .flatMap((line) => wrapLine(line, room));
      return bold(name.padEnd(width)) + lines.join(`\n${' '.repeat(width)}`);
    })
    .join('\n');
}

/** Wraps a line between words. A word that does not fit stays whole, so that it can be copied. */
function wrapLine(line: string, width: number): string[] {
  if (displayWidth(line) <= width) return [line];
  const lines: string[] = [];
  let current = '';
  for (const word of line.split(' ')) {
    const longer = current === '' ? word : `${current} ${word}`;
    if (current !== '' && displayWidth(longer) > width) lines.push(current);
    current = current !== '' && displayWidth(longer) > width ? word : longer;
  }
  return [...lines, current];
}

const formatDuration = (seconds: number): string => {
  const whole = Math.ceil(seconds);
  return whole < 60
    ? `${whole} s`
    : whole < 3600
      ? `${Math.floor(whole / 60)} min ${whole % 60} s`
      : `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
};

/** Progress of a task: `done` of `total` (null: unknown) in any unit, and the count that is shown. */
export type ProgressState = { done: number; total: number | null; count: number };

/** A progress line for tasks of more than a second: count, rate, time left. Only on a terminal. */
export class Progress {
  readonly #unit: string;
  readonly #started = performance.now();
  readonly #isEnabled = process.stderr.isTTY === true;
  #drawn = 0;

  /** @param what unit of the count, in the plural ("lines") */
  constructor(what: string) {
    this.#unit = what;
  }

  /** Draws the line again, at most ten times a second. */
  update({ done, total, count }: ProgressState): void {
    const now = performance.now();
    if (!this.#isEnabled || now - this.#started < 1000 || now - this.#drawn < 100) return;
    this.#drawn = now;
    const seconds = (now - this.#started) / 1000;
    const parts = [
      `${count.toLocaleString('en')} ${this.#unit}`,
      `${Math.round(count / seconds).toLocaleString('en')}/s`,
    ];
    if (total !== null && total > 0 && done > 0 && done <= total) {
      parts.push(
        `${Math.floor((done / total) * 100)} %`,
        `${formatDuration((seconds / done) * (total - done))} left`,
      );
    }
    process.stderr.write(`\r\u001b[2K${truncate(parts.join('  '), (process.stderr.columns || 80) - 1)}`);
  }

  /** Erases the line. */
  end(): void {
    if (this.#drawn > 0) process.stderr.write('\r\u001b[2K');
    this.#drawn = 0;
  }
}

/** Whether a person can be asked: standard input and standard error are terminals. */
export const isInteractive = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

/** Asks for yes or no; Enter means no. */
export async function confirm(question: string): Promise<boolean> {
  const answer = await promptUser(`${question} [y/N] `, false);
  return /^y(es)?$/i.test(answer.trim());
}

/** Asks for a secret without echo. */
export const askSecret = (question: string): Promise<string> => promptUser(question, true);

function promptUser(question: string, hidden: boolean): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: true, prompt: '' });
  // Turns off the echo of readline.
  if (hidden) Object.assign(lines, { _writeToOutput: () => {} });
  process.stderr.write(stripUnsafeCharacters(question));
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      if (hidden) process.stderr.write('\n');
      settle();
      lines.close();
    };
    lines.once('line', (line) => end(() => resolve(line)));
    lines.once('SIGINT', () => end(() => reject(new Failure('Interrupted. Nothing was changed.'))));
    lines.once('close', () => reject(new Failure('No input. Nothing was changed.')));
  });
}

/** Reads the first line of standard input; throws a `Failure` if it is empty. */
export async function readLine(what: string): Promise<string> {
  let text = '';
  process.stdin.setEncoding('utf8');
  for await (const chunk of process.stdin) {
    text += chunk;
    if (text.includes('\n') || text.length > 10_000) break;
  }
  const [line = ''] = text.split(/\r?\n/, 1);
  if (line === '') throw new Failure(`Standard input contains no ${what}.`, 2);
  return line;
}
