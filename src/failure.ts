/** A failure that is told to the person at the terminal in one line that says what to do; never with a stack trace. */
export class Failure extends Error {
  readonly exitStatus: number;
  /**
   * @param exitStatus 1 where something failed, 2 where the command was used wrongly, 128 and the number of a signal where
   * that ended it
   */
  constructor(message: string, exitStatus = 1) {
    super(message);
    this.exitStatus = exitStatus;
  }
}

const exitStatusOf = { SIGINT: 130, SIGTERM: 143 } as const;

/** Somebody asked the work to end, by a signal to its process; what was committed until then stays. */
export class Interrupted extends Failure {
  readonly signal: keyof typeof exitStatusOf;
  /** @param message what became of the work, and what to do to have it whole */
  constructor(signal: keyof typeof exitStatusOf, message = `Ended by ${signal}.`) {
    super(message, exitStatusOf[signal]);
    this.signal = signal;
  }
}
