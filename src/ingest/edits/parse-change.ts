/** The form in which a person writes the change of a field. */
import { Failure } from '../../failure.ts';

/** A change of one field. `value` is text as a person types it, or the value as the feed format has it. */
export type FieldChange = { field: string; operation: 'set' | 'add' | 'remove'; value: unknown };

const changePattern = /^\s*(\w+(?:-\w+)*)\s*(\+|-)?=(.*)$/s;

/** Parses `country=FR`, `alias+=NAME` and `link-=URL`. Throws a `Failure` for another form. */
export function parseChange(text: string): FieldChange {
  const [, field, sign, value] = changePattern.exec(text) ?? [];
  if (field === undefined || value === undefined)
    throw new Failure(
      `${JSON.stringify(text.slice(0, 100))} is not FIELD=VALUE. Write country=FR to set a field, country= for none, alias+=NAME to add to a list, alias-=NAME to take away.`,
      2,
    );
  return { field, operation: sign === '+' ? 'add' : sign === '-' ? 'remove' : 'set', value };
}
