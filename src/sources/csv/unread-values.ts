/** Values of a table that have no meaning here. The event of the row is imported without them. */

/** A value, what is wrong with it, and what to write instead. */
export type UnreadValue = { problem: string; value: string; advice: string };

/** Collects the values that were not read, by problem: a column of 1,000 such values is one line of a report. */
export class UnreadValues {
  readonly #byProblem = new Map<string, { first: UnreadValue; line: number; rows: number }>();

  /** @param line the line of the row, from 1 */
  add(line: number, values: readonly UnreadValue[]): void {
    for (const first of values) {
      const group = this.#byProblem.get(first.problem);
      if (group === undefined) this.#byProblem.set(first.problem, { first, line, rows: 1 });
      else group.rows++;
    }
  }

  /** Yields the first value of each problem with its line, and the number of further rows. */
  *toReport(): Generator<{ line: number; reason: string }> {
    for (const { first, line, rows } of this.#byProblem.values()) {
      const value = first.value.replace(/\s/g, ' ').slice(0, 60);
      const more =
        rows === 1 ? '' : ` (and ${(rows - 1).toLocaleString('en')} more ${rows === 2 ? 'row' : 'rows'})`;
      yield { line, reason: `has ${first.problem}: ${value}${more}, which is left out; ${first.advice}` };
    }
  }
}
