/** The log, on standard error: one JSON object a line; where that is a terminal, one line for people. */
type Level = 'info' | 'warn' | 'error';
export type Log = (level: Level, message: string, fields?: Record<string, unknown>) => void;

export const stderrLog: Log = (level, message, fields = {}) => {
  const write = process.stderr.isTTY ? forPeople : forMachines;
  process.stderr.write(`${write(new Date(), level, message, fields)}\n`);
};

export const silentLog: Log = () => {};

type Write = (time: Date, level: Level, message: string, fields: Record<string, unknown>) => string;

/** JSON escapes every control character, so nothing that a caller sends can forge a line. */
const forMachines: Write = (time, level, message, fields) =>
  JSON.stringify({ time: time.toISOString(), level, message, ...fields });

const colours: Record<Level, string> = { info: '2', warn: '33', error: '31' };

/** `12:00:00 warn  a source was not read  source=tresor error="no answer"`; a stack stands below it. */
const forPeople: Write = (time, level, message, { stack, ...fields }) => {
  const painted = !process.env.NO_COLOR && process.env.TERM !== 'dumb';
  const paint = (text: string, colour: string) => (painted ? `\u001b[${colour}m${text}\u001b[0m` : text);
  const clock = time.toTimeString().slice(0, 8);
  const shown = Object.entries(fields)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => ` ${paint(`${name}=`, '2')}${shownValue(value)}`);
  const below = typeof stack === 'string' ? `\n${stack.split('\n').map(escaped).join('\n')}` : '';
  return `${paint(clock, '2')} ${paint(level.padEnd(5), colours[level])} ${escaped(message)}${shown.length > 0 ? ' ' : ''}${shown.join('')}${below}`;
};

const shownValue = (value: unknown): string =>
  escaped(typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value));

/** Without what moves a terminal's cursor or turns the text around it, which JSON lets stand in part. */
const escaped = (text: string): string =>
  text.replace(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** What an unexpected failure leaves in the log. */
export function describeFailure(failure: unknown): { error: string; stack?: string } {
  if (!(failure instanceof Error)) return { error: String(failure) };
  return failure.stack === undefined
    ? { error: failure.message }
    : { error: failure.message, stack: failure.stack };
}
