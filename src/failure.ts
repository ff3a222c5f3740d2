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
