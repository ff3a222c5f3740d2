/** Writes the values of fields as texts of a form, and reads them back (docs/guides/correcting.md). */
import type { FieldState } from '../../contract/record-details.ts';
import { Failure } from '../../failure.ts';

/** Types whose value the form writes as JSON: lists of objects with many members. */
const jsonTypes = new Set(['ids', 'acts', 'artists', 'tickets', 'tracks', 'place', 'edition', 'name']);

/** Types that refer to another record: by its name, or as JSON. */
const referenceTypes = new Set(['place', 'edition', 'name']);

/** The type of lists whose lines are texts or objects. */
const objectLines = 'links';

/** Whether the form writes the value as JSON. */
export const isJson = ({ type }: Pick<FieldState, 'type'>): boolean => jsonTypes.has(type);

/** Whether the form writes the value in an input of several lines. */
export const isMultiline = ({ type, is_list }: FieldState): boolean =>
  is_list || type === 'text' || jsonTypes.has(type);

/** Returns the value of a field as it stands in the form. */
export function toInputText({
  value,
  type,
  is_list,
}: Pick<FieldState, 'value' | 'type' | 'is_list'>): string {
  if (value === null || value === undefined) return '';
  if (is_list && Array.isArray(value) && !jsonTypes.has(type))
    return value.map((entry) => (typeof entry === 'string' ? entry : JSON.stringify(entry))).join('\n');
  return typeof value === 'object' ? JSON.stringify(value, null, 1) : String(value);
}

/** Returns a value in short, for people. @param none the word for no value */
export function toShortText(value: unknown, none: string): string {
  if (value === null || value === undefined || value === '') return none;
  if (Array.isArray(value))
    return value.length === 0 ? none : value.map((one) => toShortText(one, none)).join(', ');
  if (typeof value !== 'object') return String(value);
  const { name, url, city, country, festival, edition, title, artist_name } = value as Record<
    string,
    unknown
  >;
  if (festival !== undefined) return `${toShortText(festival, none)}/${String(edition)}`;
  if (typeof title === 'string') return [artist_name, title].filter(Boolean).join(' – ');
  const named = [name ?? url, city, country].filter((part) => typeof part === 'string');
  if (named.length > 0) return named.join(', ');
  const members = Object.entries(value);
  return members.length === 0
    ? none
    : members.map(([member, one]) => `${member}: ${toShortText(one, none)}`).join(', ');
}

/** Parses a field of the form. Throws a `Failure` (wrong usage) that names the field. */
export function fromInputText(field: Pick<FieldState, 'name' | 'type' | 'is_list'>, text: string): unknown {
  const { name, type, is_list } = field;
  const content = text.replaceAll('\r\n', '\n').trim();
  if (content === '') return is_list ? [] : null;
  // A name may be a number, as that of the label "1605".
  if (referenceTypes.has(type)) return content.startsWith('{') ? parseReference(content) : content;
  // A name or a description may begin with a bracket: "[SOLD OUT] Techno night".
  if (jsonTypes.has(type) || (type === objectLines && content.startsWith('[')))
    return parseJson(name, content);
  if (!is_list) return content;
  const lines = content.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
  return type === objectLines
    ? lines.map((line) => (line.startsWith('{') ? parseJson(name, line) : line))
    : lines;
}

const notJson = (field: string): Failure =>
  new Failure(`${field} is not valid JSON. Change only the values between the quotes.`, 2, {
    field,
    code: 'not_json',
  });

/** Parses the JSON of a field. Throws a `Failure` that names the field. */
function parseJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw notJson(name);
  }
}

/** Parses a reference that is written as JSON; a name that only begins like it stays a text. */
function parseReference(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
