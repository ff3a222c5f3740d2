/** Texts of audit entries. */
import type { Messages } from '../../pages/messages/messages.ts';
import type { AuditEntry } from '../../store/audit-log.ts';
import { toShortText } from '../records/values.ts';

/** Returns an action in plain words. One of a later version is shown by its name: `record.hide` as "Record: hide". */
export function describeAction(action: string, texts: Readonly<Record<string, string>>): string {
  const text = Object.hasOwn(texts, action) ? texts[action] : undefined;
  if (text !== undefined) return text;
  const [subject = '', verb = ''] = action.split('.', 2);
  return `${subject.charAt(0).toUpperCase()}${subject.slice(1)}: ${verb.replaceAll('-', ' ')}`;
}

/** Returns the page of an entry's subject in the console; null if it has none. */
export function subjectPath({ subjectKind, subject, recordId }: AuditEntry): string | null {
  if (subjectKind === 'account') return subject.startsWith('acc_') ? `/admin/accounts/${subject}` : null;
  if (subjectKind === 'source') return `/admin/source?name=${encodeURIComponent(subject)}`;
  return recordId !== null && subject.length <= 150 && /^[a-z0-9-]+$/.test(subject)
    ? `/admin/records/${subjectKind}~${subject}`
    : null;
}

const maxTextLength = 300;

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a source has if nothing else was chosen (docs/guides/filling.md#options-of-a-source). */
const sourceDefaults: Readonly<Record<string, unknown>> = {
  every: '24h',
  trust: 50,
  clock: 'instant',
  on_missing: 'cancel',
};

/** Whether a value says no more than that nothing was chosen. */
const isDefault = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  value === false ||
  (Array.isArray(value) && value.length === 0) ||
  (isFields(value) && Object.keys(value).length === 0);

/** Fields whose numbers are no counts. */
const plainNumbers = new Set(['revision', 'undoes', 'founded_year', 'latitude', 'longitude']);
/** Fields whose values are codes; the empty name is that of a value without fields. */
const codeNames = new Set(['', 'role', 'by', 'state']);

/** "5 Dec 2026, 14:05 UTC". @param at in ms since 1970 */
const momentText = ({ formats, controls }: Messages, at: number): string =>
  controls.moment(formats.shortDate(new Date(at).toISOString().slice(0, 10)), formats.timeOfDay(at));

function toText(name: string, value: unknown, messages: Messages): string {
  const words = messages.consoleRecords.audit;
  if (value === null || value === undefined || value === '') return words.empty;
  if (typeof value === 'boolean') return value ? words.on : words.off;
  if (name.endsWith('_ts') && typeof value === 'number') return momentText(messages, value);
  if (typeof value === 'number' && !plainNumbers.has(name)) return words.number(value);
  if (typeof value === 'string' && codeNames.has(name) && Object.hasOwn(words.values, value))
    return words.values[value] as string;
  const text = toShortText(value, words.empty);
  return text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text;
}

/** A line of an entry: a field, and its values. */
export type ShownChange = { name: string; text: string };

/**
 * Returns what an entry changed: `before → after` of each field, then its other details. What was added without a value
 * before is shown by its value alone; fields of it that are not set are apart, in `defaults`.
 */
export function describeChanges(
  details: Record<string, unknown>,
  messages: Messages,
): { changes: ShownChange[]; defaults: ShownChange[] } {
  const { audit: words, fields } = messages.consoleRecords;
  const { before, after, ...rest } = details;
  const changes: ShownChange[] = [];
  const defaults: ShownChange[] = [];
  const nameOf = (name: string) => words.names[name] ?? fields[name] ?? name.replaceAll('_', ' ');
  const show = (name: string, value: unknown) => toText(name, value, messages);
  if (isFields(before) && isFields(after)) {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      if (JSON.stringify(before[name]) === JSON.stringify(after[name])) continue;
      changes.push({
        name: nameOf(name),
        text: `${show(name, before[name])} → ${show(name, after[name])}`,
      });
    }
  } else if (isFields(before) || isFields(after)) {
    // An addition or a removal: one side is the whole.
    for (const [name, value] of Object.entries((after ?? before) as Record<string, unknown>))
      (isDefault(value) || sourceDefaults[name] === value ? defaults : changes).push({
        name: nameOf(name),
        text: show(name, value),
      });
  } else if (before !== undefined || after !== undefined) {
    changes.push({ name: words.value, text: `${show('', before)} → ${show('', after)}` });
  }
  for (const [name, value] of Object.entries(rest)) {
    if ((typeof value !== 'object' || value === null) && !(isDefault(value) && value !== false))
      changes.push({ name: nameOf(name), text: show(name, value) });
  }
  return { changes, defaults };
}
