/**
 * A queue in which the waiting tasks of several callers take turns, so that a caller with many tasks does not delay
 * others.
 */
export class FairQueue<Task> {
  /** Per caller, the tasks in their order. The first entry is the caller whose turn is next. */
  readonly #tasks = new Map<string, Task[]>();
  #size = 0;

  /** The number of tasks that wait. */
  get size(): number {
    return this.#size;
  }

  /** The number of tasks that wait under one key. */
  sizeOf(key: string): number {
    return this.#tasks.get(key)?.length ?? 0;
  }

  /**
   * Adds a task.
   * @param key the caller: a network, a credential
   * @param isFirst whether it precedes the other tasks of its caller
   */
  push(key: string, task: Task, isFirst = false): void {
    const tasks = this.#tasks.get(key);
    if (tasks === undefined) this.#tasks.set(key, [task]);
    else if (isFirst) tasks.unshift(task);
    else tasks.push(task);
    this.#size += 1;
  }

  /**
   * Removes and returns the first task of the next caller; undefined if the queue is empty. The caller then moves to
   * the end.
   */
  shift(): Task | undefined {
    for (const [key, tasks] of this.#tasks) {
      const task = tasks.shift();
      this.#tasks.delete(key);
      if (tasks.length > 0) this.#tasks.set(key, tasks);
      this.#size -= 1;
      return task;
    }
    return undefined;
  }
}
