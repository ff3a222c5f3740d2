/** A failure that is told to the person at the terminal in one line that says what to do; never with a stack trace. */
export class Failure extends Error {
  readonly exitStatus: 1 | 2;
  /** @param exitStatus 1 where something failed, 2 where the command was used wrongly */
  constructor(message: string, exitStatus: 1 | 2 = 1) {
    super(message);
    this.exitStatus = exitStatus;
  }
}
