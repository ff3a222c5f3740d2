/** Refuses edits and records by hand that would bring back what was forgotten (docs/guides/privacy-requests.md). */
import type { FeedKind } from '../../contract/feed.ts';
import { Failure } from '../../failure.ts';
import type { RecordIdentity } from '../../store/records/record-finder.ts';
import type { ParsedRecord } from '../import/parse-record.ts';
import { editorsSourceName } from '../schedule/source-config.ts';
import type { WriteSession } from '../write-session.ts';
import { type FieldEdits, toStored } from './change-set.ts';

/** The fields of a forgotten artist that are not about the person. */
const editableFields: ReadonlySet<string> = new Set(['genres']);
const namesOne =
  'This names an artist who was forgotten at the request of the person. Use the name that the catalogue shows, or leave it out.';

const namesForgotten = (): Failure => new Failure(namesOne, 1, { code: 'forgotten_name' });

/** Throws a `Failure` for an edit of a forgotten artist's person, or one that names a forgotten artist. */
export function assertEditable(
  session: WriteSession,
  record: RecordIdentity,
  edits: ReadonlyMap<string, FieldEdits>,
): void {
  const { forgotten } = session.lookup;
  forgotten.reload();
  if (forgotten.isEmpty) return;
  const refused = [...edits.keys()].find((field) => !editableFields.has(field));
  if (forgotten.has(record.id) && refused !== undefined)
    throw new Failure(
      `${record.kind}/${record.slug} was forgotten at the request of the person: ${refused} cannot be edited any more, only ${[...editableFields].join(', ')}.`,
      1,
      { field: refused, code: 'forgotten_field' },
    );
  // An entry that is taken away shows nothing.
  for (const [field, edit] of edits)
    for (const row of toStored(record.kind as FeedKind, field, edit))
      if (!row.field.endsWith('-')) assertNotNaming(session, field, row.value);
}

/** Throws a `Failure` for a record that is or names a forgotten artist. */
export function assertAddable(session: WriteSession, record: ParsedRecord): void {
  session.lookup.forgotten.reload();
  const scrubber = session.scrubber();
  if (scrubber.isIdle) return;
  if (scrubber.scrub(record, editorsSourceName) !== record) throw namesForgotten();
  for (const [field, value] of Object.entries(record.statement)) assertNotNaming(session, field, value);
}

function assertNotNaming(session: WriteSession, field: string, value: unknown): void {
  const scrubber = session.scrubber();
  if (field === 'lineup' || field === 'artists' || field === 'tracklist') {
    const statement = { [field]: value } as object;
    if (scrubber.scrubMembers(statement, editorsSourceName) !== statement) throw namesForgotten();
  }
  // One word may mean anything.
  for (const text of stringsOf(value)) if (scrubber.scrubText(text, 2) !== text) throw namesForgotten();
}

function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(stringsOf);
}
