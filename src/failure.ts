/** An expected failure. The terminal shows its one-line message, which says what to do, without a stack trace. */
export class Failure extends Error {
  readonly exitStatus: number;
  /**
   * Creates a failure.
   * @param exitStatus 1 for a failure, 2 for wrong usage, 128 plus the signal number after a signal
   */
  constructor(message: string, exitStatus = 1) {
    super(message);
    this.exitStatus = exitStatus;
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
