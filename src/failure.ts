/** The details of a `Failure` that programs read. Its message is for people. */
export type FailureDetails = {
  /** The field of the input that is wrong; a form shows the message there. */
  field?: string;
  /** What was asked for does not exist; pages answer 404. */
  isMissing?: boolean;
  /** The kind of mistake, by which pages find its text in their language. */
  code?: string;
  /** A number, a date or a name in that text. */
  value?: string | number;
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
  /** The message of a process that works on a copy of a cluster's catalogue, which is not published then. */
  readonly unpublished: string;
  /** @param message the state of the work, and how to complete it */
  constructor(signal: keyof typeof exitStatusOf, message = `Ended by ${signal}.`, unpublished = message) {
    super(message, exitStatusOf[signal]);
    this.signal = signal;
    this.unpublished = unpublished;
  }
}
