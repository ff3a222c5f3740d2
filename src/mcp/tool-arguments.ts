/** The arguments of a call as clients send them: made what the tools' inputs take, where what is meant is plain. */
import { oneLine } from './sanitize-text.ts';

/** Numbers and truth values that models write as texts. */
const textParsers: Record<string, (text: string) => unknown> = {
  limit: (text) => (/^\s*\+?\d{1,9}(?:\.0+)?\s*$/.test(text) ? Number(text) : text),
  include_past: (text) => ({ true: true, false: false })[text.trim().toLowerCase()] ?? text,
};

/**
 * The members of `arguments`: none where it is absent or null; a member that is null asks for nothing and is left out.
 * Where it is no object, the sentence that says so.
 */
export function parseArguments(given: unknown, inputs: readonly string[]): Record<string, unknown> | string {
  if (given === undefined || given === null) return {};
  if (typeof given !== 'object' || Array.isArray(given))
    return `arguments is a JSON object of inputs by name (${inputs.join(', ')}), not ${Array.isArray(given) ? 'an array' : `a ${typeof given}`}.`;
  // Without a prototype "__proto__" is a name like others.
  const members: Record<string, unknown> = Object.create(null);
  for (const [name, value] of Object.entries(given)) {
    if (value === null) continue;
    const read =
      typeof value === 'string' && Object.hasOwn(textParsers, name) ? textParsers[name] : undefined;
    members[oneLine(name)] = read ? read(value) : value;
  }
  return members;
}
