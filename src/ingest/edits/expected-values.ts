/** Detects that a field changed since an editor saw it: another editor or a source changed it first. */
import type { FeedKind } from '../../contract/feed.ts';
import type { FieldState } from '../../contract/record-details.ts';
import { Failure } from '../../failure.ts';
import { fieldOf } from './field-values.ts';

/** A field that changed since the editor saw it. */
export type ConflictingField = {
  field: string;
  expected: unknown;
  value: unknown;
  by: string | null;
  at: string | null;
};

/** Rejects an edit because another editor or a source changed a field first. The whole edit is rejected. */
export class ConflictingEdit extends Failure {
  readonly conflicts: readonly ConflictingField[];

  constructor(conflicts: readonly ConflictingField[]) {
    const parts = conflicts.map(({ field, expected, value, by, at }) => {
      const who = by === null ? 'by a source' : `by ${by} at ${String(at)}`;
      return `${field} was changed ${who}, from ${JSON.stringify(expected)} to ${JSON.stringify(value)}`;
    });
    super(`${parts.join('; ')}. Your change was not saved. Look at the new value, then save again.`, 1, {
      ...(conflicts[0] === undefined ? {} : { field: conflicts[0].field }),
      code: 'conflict',
    });
    this.conflicts = conflicts;
  }
}

/**
 * Throws a `ConflictingEdit` if a field differs from the value that an editor saw.
 * @param expected the values that `fields` gave; an empty text, list or object means "none"
 */
export function assertExpected(
  kind: FeedKind,
  states: readonly FieldState[],
  expected: Readonly<Record<string, unknown>>,
): void {
  const conflicts = Object.entries(expected).flatMap(([name, seen]): ConflictingField[] => {
    const field = fieldOf(kind, name);
    const state = states.find((one) => one.name === field) as FieldState;
    if (canonical(noneAsNull(seen)) === canonical(noneAsNull(state.value))) return [];
    return [
      { field, expected: seen, value: state.value, by: state.edit?.by ?? null, at: state.edit?.at ?? null },
    ];
  });
  if (conflicts.length > 0) throw new ConflictingEdit(conflicts);
}

const noneAsNull = (value: unknown): unknown => {
  const isEmpty =
    value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
  return isEmpty ? null : value;
};

/** JSON with sorted members. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
