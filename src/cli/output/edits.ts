/** Shared texts of the commands about edits and the audit log. */

import type { Command } from 'commander';
import type { AuditEntry, EditedField } from '../../app.ts';
import { formatUtc } from '../../clock.ts';
import type { RecordSummary } from '../../contract/review-items.ts';
import { followUpCommand } from '../command.ts';
import { recordLabel } from './matching.ts';
import { stripUnsafeCharacters } from './terminal.ts';

/** Characters and list entries of a value that are shown. */
const maxLength = 200;
const maxEntries = 12;

/** Returns a value of a field as one line of text. */
export function formatValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none';
  if (Array.isArray(value)) {
    const text = value.slice(0, maxEntries).map(formatEntry).join(', ');
    return value.length > maxEntries ? `${text} and ${value.length - maxEntries} more` : text;
  }
  return formatEntry(value);
}

function formatEntry(entry: unknown): string {
  if (typeof entry !== 'object' || entry === null) return shorten(String(entry));
  const { name, city, url, festival, edition, title, artist_name } = entry as Record<string, unknown>;
  if (festival !== undefined) return `${formatEntry(festival)}/${String(edition)}`;
  if (name !== undefined) return shorten([name, city].filter(Boolean).join(', '));
  if (url !== undefined) return shorten(String(url));
  if (title !== undefined) return shorten([artist_name, title].filter(Boolean).join(' – '));
  return Object.entries(entry)
    .map(([key, one]) => `${key}:${shorten(String(one))}`)
    .join(', ');
}

function shorten(text: string): string {
  const line = stripUnsafeCharacters(text).replaceAll('\n', ' ');
  const letters = [...line];
  return letters.length > maxLength ? `${letters.slice(0, maxLength).join('')}…` : line;
}

/** Returns the values of the changed fields before and after. */
export const describeFields = (fields: readonly EditedField[]): [string, string][] =>
  fields.map(({ field, before, after }) => [
    field,
    JSON.stringify(before) === JSON.stringify(after)
      ? `${formatValue(after)} (as before; imports do not change it any more)`
      : `${formatValue(before)} → ${formatValue(after)}`,
  ]);

/** Returns the records that a change created because it names them: among them are typing errors. */
export const describeCreated = (created: readonly RecordSummary[]): [string, string][] => {
  const labels = created.slice(0, maxEntries).map((record) => recordLabel(record));
  const more = created.length - maxEntries;
  return labels.length === 0 ? [] : [['also new', labels.join(', ') + (more > 0 ? ` and ${more} more` : '')]];
};

/** Returns the advice for a clock time that is not shown. */
export const describeTimezone = (lacksTimezone: boolean): [string, string][] =>
  lacksTimezone
    ? [
        [
          'note',
          'The clock time is not shown, because no time zone is known. Set timezone=Europe/Berlin, a city, or a venue.',
        ],
      ]
    : [];

/** Returns the command that undoes an entry of the audit log. */
export const undoCommand = (command: Command, id: number | null): string =>
  id === null ? '' : followUpCommand(command, `undo ${id}`);

/** Returns what an entry of the audit log says besides its action and subject. */
export function describeDetails(details: Record<string, unknown>, action = ''): string {
  const { reason, undone, other, record, parts, outcome } = details as {
    reason?: unknown;
    undone?: number;
    other?: { slug?: string };
    record?: unknown;
    parts?: { slug?: string }[];
    outcome?: string;
  };
  const changes = action.startsWith('plan.') ? describePlanChange(details, action) : describeValues(details);
  const slugs = [other, ...(Array.isArray(parts) && record !== undefined ? parts : [])];
  return [
    ...changes,
    ...slugs.flatMap((one) => (one?.slug === undefined ? [] : [one.slug])),
    ...(outcome === undefined ? [] : [outcome]),
    ...(undone === undefined ? [] : [`undoes ${undone}`]),
    ...(typeof reason === 'string' ? [`“${shorten(reason)}”`] : []),
  ].join('; ');
}

/** Returns the values before and after: those of fields, or the one of a setting. */
function describeValues({ before, after }: Record<string, unknown>): string[] {
  if (isObject(before) && isObject(after))
    return Object.keys(after).map((field) => {
      const show = field.endsWith('_ts') ? formatMoment : formatValue;
      return `${field.replace(/_ts$/, '')} ${show(before[field])} → ${show(after[field])}`;
    });
  const isOneSided = isObject(before) || isObject(after) || (before === undefined && after === undefined);
  return isOneSided ? [] : [`${formatValue(before)} → ${formatValue(after)}`];
}

/** Returns the limits that a change of a plan has, or had before it was cancelled, and the time they hold from. */
function describePlanChange(details: Record<string, unknown>, action: string): string[] {
  const { before, after, from, note } = details;
  if (!isObject(before) || !isObject(after)) return [];
  const fields = Object.keys(after).filter((field) => before[field] !== after[field]);
  const changes = describeValues({
    before,
    after: Object.fromEntries(fields.map((field) => [field, after[field]])),
  });
  const text = [...changes, ...(typeof from === 'string' ? [`from ${from}`] : [])].join(', ');
  const quote = typeof note === 'string' && note !== '' ? [`“${shorten(note)}”`] : [];
  return [action === 'plan.cancel' ? `cancelled: ${text}` : text, ...quote];
}

/** @param at ms since 1970 */
const formatMoment = (at: unknown): string => (typeof at === 'number' ? formatUtc(at) : formatValue(at));

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns an entry of the audit log for --json. */
export const toJsonEntry = ({
  id,
  createdTs,
  actor,
  action,
  subjectKind,
  subject,
  details,
  undoneBy,
}: AuditEntry) => ({
  id,
  at: formatUtc(createdTs),
  actor,
  action,
  subject_kind: subjectKind,
  subject,
  details,
  undone_by: undoneBy,
});
