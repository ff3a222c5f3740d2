/** Structured log: one JSON object a line, on standard error. */
export type Log = (
  level: 'info' | 'warn' | 'error',
  message: string,
  fields?: Record<string, unknown>,
) => void;

/** JSON escapes every control character, so nothing that a caller sends can forge a line. */
export const stderrLog: Log = (level, message, fields = {}) => {
  process.stderr.write(`${JSON.stringify({ time: new Date().toISOString(), level, message, ...fields })}\n`);
};

export const silentLog: Log = () => {};

/** What an unexpected failure leaves in the log. */
export function describeFailure(failure: unknown): { error: string; stack?: string } {
  if (!(failure instanceof Error)) return { error: String(failure) };
  return failure.stack === undefined
    ? { error: failure.message }
    : { error: failure.message, stack: failure.stack };
}
