/** Parsing of call arguments: accepts unambiguous variants that clients send. */
import { oneLine } from './sanitize-text.ts';

/** Numbers and booleans that models send as strings. */
const textParsers: Record<string, (text: string) => unknown> = {
  limit: (text) => (/^\s*\+?\d{1,9}(?:\.0+)?\s*$/.test(text) ? Number(text) : text),
  include_past: (text) => ({ true: true, false: false })[text.trim().toLowerCase()] ?? text,
};

/**
 * Returns the members of `arguments` without those that are null; none if it is missing or null. If it is not an object,
 * returns an error message.
 */
export function parseArguments(args: unknown, inputs: readonly string[]): Record<string, unknown> | string {
  if (args === undefined || args === null) return {};
  if (typeof args !== 'object' || Array.isArray(args))
    return `arguments must be a JSON object of inputs by name (${inputs.join(', ')}), not ${Array.isArray(args) ? 'an array' : `a ${typeof args}`}.`;
  // Without a prototype, "__proto__" is a normal name.
  const members: Record<string, unknown> = Object.create(null);
  for (const [name, value] of Object.entries(args)) {
    if (value === null) continue;
    const parse =
      typeof value === 'string' && Object.hasOwn(textParsers, name) ? textParsers[name] : undefined;
    members[oneLine(name)] = parse ? parse(value) : value;
  }
  return members;
}
