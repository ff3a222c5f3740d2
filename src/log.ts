/** Logs to standard error, in JSON or readable on a terminal. Tells failures of files and disks from those of the program. */
type Level = 'info' | 'warn' | 'error';
export type Log = (level: Level, message: string, fields?: Record<string, unknown>) => void;

/** Writes a line to standard error: readable on a terminal, otherwise one JSON document. */
export const stderrLog: Log = (level, message, fields = {}) => {
  const write = process.stderr.isTTY ? formatText : formatJson;
  process.stderr.write(`${write(new Date(), level, message, fields)}\n`);
};

const throttleMs = 60_000;

/**
 * Returns a log that writes each kind of file error at most once a minute. The next line contains the number of
 * repetitions.
 * @param kindOf returns the kind of a line; undefined: it is always written
 */
export function throttleRepeats(
  log: Log,
  kindOf: (fields: Record<string, unknown>) => unknown = troubleOf,
): Log {
  const kinds = new Map<string, { since: number; withheld: number }>();
  return (level, message, fields = {}) => {
    const trouble = kindOf(fields);
    if (typeof trouble !== 'string') return log(level, message, fields);
    const now = performance.now();
    const kind = kinds.get(trouble);
    if (kind && now - kind.since < throttleMs) {
      kind.withheld++;
      return;
    }
    kinds.set(trouble, { since: now, withheld: 0 });
    log(level, message, kind && kind.withheld > 0 ? { ...fields, withheld: kind.withheld } : fields);
  };
}

const troubleOf = ({ trouble }: Record<string, unknown>): unknown => trouble;

/** Drops all lines. */
export const silentLog: Log = () => {};

type FormatLine = (time: Date, level: Level, message: string, fields: Record<string, unknown>) => string;

/** JSON escapes all control characters, so input cannot forge log lines. */
const formatJson: FormatLine = (time, level, message, fields) =>
  JSON.stringify({ time: time.toISOString(), level, message, ...fields });

const colours: Record<Level, string> = { info: '2', warn: '33', error: '31' };

/** `12:00:00 warn  a source was not read  source=tresor error="no answer"`, with a stack trace on the next lines. */
const formatText: FormatLine = (time, level, message, { stack, ...fields }) => {
  const painted = !process.env.NO_COLOR && process.env.TERM !== 'dumb';
  const paint = (text: string, colour: string) => (painted ? `\u001b[${colour}m${text}\u001b[0m` : text);
  const clock = time.toTimeString().slice(0, 8);
  const texts = Object.entries(fields)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => ` ${paint(`${name}=`, '2')}${formatValue(value)}`);
  const below = typeof stack === 'string' ? `\n${stack.split('\n').map(escapeControls).join('\n')}` : '';
  return `${paint(clock, '2')} ${paint(level.padEnd(5), colours[level])} ${escapeControls(message)}${texts.length > 0 ? ' ' : ''}${texts.join('')}${below}`;
};

const formatValue = (value: unknown): string =>
  escapeControls(typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value));

/** Escapes terminal control sequences and bidirectional characters, some of which JSON permits. */
const escapeControls = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (letter) => letter.split('').map(escapeUnit).join(''));

const escapeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** SQLite error codes of unreadable or unwritable files, which are not program errors. */
const fileErrorCodes =
  /^SQLITE_(BUSY|LOCKED|IOERR|FULL|READONLY|CANTOPEN|CORRUPT|NOTADB|PERM|PROTOCOL|NOLFS)(_|$)/;

/** Whether the file or its disk caused a failure. */
export const isFileError = (failure: unknown): failure is Error & { code: string } =>
  failure instanceof Error && 'code' in failure && fileErrorCodes.test(String(failure.code));

/** Whether the content of the data file is damaged. */
export const isCorruption = (failure: unknown): boolean =>
  isFileError(failure) && /^SQLITE_(CORRUPT|NOTADB)/.test(failure.code);

const corruptionAdvice =
  'the data file is damaged: stop the service, and restore a backup (cratebase restore FILE); until then requests are answered with 503. A node of a cluster replaces its copy by itself';

const fullDiskAdvice =
  'the disk of the data file is full: free space; until then requests that are counted are answered with 503, and nothing is lost';

/** PostgreSQL: the role lacks a right (`insufficient_privilege`). */
const missingRightCode = '42501';

/** Whether the role of a cluster lacks a right in PostgreSQL. */
export const isRightMissing = (failure: unknown): boolean =>
  failure instanceof Error && (failure as { code?: unknown }).code === missingRightCode;

/** What to do about a right that a role lacks. */
export const rightsAdvice = 'give the role of PostgreSQL the rights of docs/guides/several-machines.md';

/** Returns the log fields of an unexpected failure. File errors need no stack trace. */
export function describeFailure(failure: unknown): {
  error: string;
  stack?: string;
  trouble?: string;
  advice?: string;
} {
  if (!(failure instanceof Error)) return { error: String(failure) };
  if (isFileError(failure.cause)) return describeFailure(failure.cause);
  if (isRightMissing(failure))
    return { error: failure.message, trouble: missingRightCode, advice: rightsAdvice };
  if (isFileError(failure)) {
    const what = { error: failure.message, trouble: failure.code };
    if (isCorruption(failure)) return { ...what, advice: corruptionAdvice };
    return failure.code === 'SQLITE_FULL' ? { ...what, advice: fullDiskAdvice } : what;
  }
  return failure.stack === undefined
    ? { error: failure.message }
    : { error: failure.message, stack: failure.stack };
}
