/**
 * The parts of a record that is split: its source records, and the names of records that an operator merged into it.
 */

import type { FeedKind } from '../../contract/feed.ts';
import { Failure } from '../../failure.ts';
import type { SourceRecordKey } from '../../matching/clustering.ts';
import type { RecordIdentity } from '../../store/records/record-finder.ts';
import { parseMembers } from '../../store/resolution/record-content.ts';
import type { InheritedName } from '../../store/resolution/record-lookup.ts';
import { slugOf } from '../../text/slug.ts';
import type { WriteContext } from '../write-context.ts';

export type StatementPart = SourceRecordKey & { sourceId: number; statement: string; name: null };
export type MergedNamePart = SourceRecordKey & { name: InheritedName };
/** The original name of a record known by name only; it always stays. */
export type OwnNamePart = SourceRecordKey & { name: null };
export type RecordPart = StatementPart | MergedNamePart | OwnNamePart;

/** Whether a part is a source record. */
export const isStatementPart = (part: RecordPart): part is StatementPart => 'statement' in part;
/** Whether a part is the name of a record that was merged into this one. */
export const isMergedName = (part: RecordPart): part is MergedNamePart => part.name !== null;

/** All parts of a record; names are identified by their former slug. */
export function partsOf({ sources, lookup }: WriteContext, { id, slug }: RecordIdentity): RecordPart[] {
  const rows = sources.statementsOf(id);
  const statements = rows.map(
    (row): RecordPart => ({
      source: row.source_name,
      externalId: row.external_id,
      sourceId: row.source_id,
      statement: row.content,
      name: null,
    }),
  );
  const names = lookup
    .inheritedNamesWithPlace(id)
    .filter((name) => name.slug !== '')
    .map((name): RecordPart => ({ source: '', externalId: name.slug, name }));
  const own: RecordPart[] = rows.length === 0 ? [{ source: '', externalId: slug, name: null }] : [];
  return [...own, ...statements, ...names];
}

/** How a part is named on the command line. */
export const partText = ({ source, externalId }: SourceRecordKey): string =>
  source === '' ? externalId : `${source}:${externalId}`;

/**
 * Groups parts into records. The first group stays; it contains the part that the record began with, if it still
 * exists.
 * @param partTexts the parts that leave together; without any, each part is a group
 * @param record name of the record in messages
 * @param isGuest whether a part came with a record that an operator merged into this one
 */
export function groupParts(
  parts: RecordPart[],
  partTexts: readonly string[],
  { slug, record, isGuest }: { slug: string; record: string; isGuest: (part: RecordPart) => boolean },
): RecordPart[][] {
  if (parts.length < 2) {
    const has = parts.some(isStatementPart) ? 'one source record only' : 'no source record';
    throw new Failure(
      `${record} has ${has}: there is nothing to split. Use \`cratebase never-merge\` to keep it separate from another record.`,
      1,
      { code: 'nothing_to_split' },
    );
  }
  const groups = partTexts.length === 0 ? parts.map((part) => [part]) : splitInTwo(parts, partTexts, record);
  const isFirst = (part: RecordPart) => part.source === '' && part.externalId === slug;
  const rank = (group: RecordPart[]) => (group.some(isFirst) ? 0 : group.every(isGuest) ? 2 : 1);
  return groups.toSorted((one, two) => rank(one) - rank(two));
}

function splitInTwo(parts: RecordPart[], partTexts: readonly string[], record: string): RecordPart[][] {
  const texts = new Set(partTexts);
  const leavingParts = parts.filter((part) => texts.has(partText(part)));
  if (leavingParts.length < texts.size) {
    const allTexts = parts.map(partText);
    const unknownText = partTexts.find((text) => !allTexts.includes(text));
    throw new Failure(
      `${record} has no statement ${JSON.stringify(unknownText)}; it has ${allTexts.join(', ')}.`,
      1,
      { code: 'part_missing' },
    );
  }
  const stayingParts = parts.filter((part) => !leavingParts.includes(part));
  if (stayingParts.length === 0)
    throw new Failure(`These are all statements of ${record}. Leave out at least one, which stays.`, 1, {
      code: 'all_parts',
    });
  return [stayingParts, leavingParts];
}

/**
 * Removes and returns the redirecting slug that resembles the name of these source records, which was their record's
 * slug before it was merged.
 */
export function takeFormerSlug(kind: FeedKind, contents: readonly string[], former: string[]): string | null {
  for (const content of contents) {
    const stem = slugOf(parseMembers(content).name ?? '', kind);
    const at = former.findIndex((slug) => slug === stem || slug.startsWith(`${stem}-`));
    const [slug] = at < 0 ? [] : former.splice(at, 1);
    if (slug !== undefined) return slug;
  }
  return null;
}
