/** What callers may decide by, besides the message for people. */
export type FailureDetails = {
  /** The refused input, by its name in forms and actions: `every`, `country`. */
  field?: string;
  /** What is wrong: the subject does not exist, or the name is in use. */
  reason?: 'missing' | 'taken';
};

/** An expected failure. The terminal shows its one-line message, which says what to do, without a stack trace. */
export class Failure extends Error {
  readonly exitStatus: number;
  readonly details: FailureDetails;
  /**
   * Creates a failure.
   * @param exitStatus 1 for a failure, 2 for wrong usage, 128 plus the signal number after a signal
   */
  constructor(message: string, exitStatus = 1, details: FailureDetails = {}) {
    super(message);
    this.exitStatus = exitStatus;
    this.details = details;
  }
}

const exitStatusOf = { SIGINT: 130, SIGTERM: 143 } as const;

/** A signal asked the process to end. Committed work is kept. */
export class Interrupted extends Failure {
  readonly signal: keyof typeof exitStatusOf;
  /** @param message the state of the work, and how to complete it */
  constructor(signal: keyof typeof exitStatusOf, message = `Ended by ${signal}.`) {
    super(message, exitStatusOf[signal]);
    this.signal = signal;
  }
}
