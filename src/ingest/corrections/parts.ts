/** The parts of a record that is split: what its sources say of it, and the names of what an operator merged into it. */
import { Failure } from '../../failure.ts';
import type { SourceRecordKey } from '../../matching/clustering.ts';
import type { RecordIdentity } from '../../store/records/record-finder.ts';
import type { InheritedName } from '../../store/resolution/record-lookup.ts';
import type { ResolutionContext } from '../resolution/resolution-context.ts';

export type StatementPart = SourceRecordKey & { sourceId: number; statement: string; name: null };
export type MergedNamePart = SourceRecordKey & { name: InheritedName };
/** A record known by name alone, as it was before anything was merged into it: it stays. */
export type OwnNamePart = SourceRecordKey & { name: null };
export type RecordPart = StatementPart | MergedNamePart | OwnNamePart;

export const isStatementPart = (part: RecordPart): part is StatementPart => 'statement' in part;
export const isMergedName = (part: RecordPart): part is MergedNamePart => part.name !== null;

/** All that a record can be parted into; a name under its slug, as it was known by. */
export function partsOf({ sources, context }: ResolutionContext, { id, slug }: RecordIdentity): RecordPart[] {
  const said = sources.statementsOf(id);
  const statements = said.map(
    (row): RecordPart => ({
      source: row.source_name,
      externalId: row.external_id,
      sourceId: row.source_id,
      statement: row.content,
      name: null,
    }),
  );
  const names = context.lookup
    .inheritedNamesWithPlace(id)
    .filter((name) => name.slug !== '')
    .map((name): RecordPart => ({ source: '', externalId: name.slug, name }));
  const own: RecordPart[] = said.length === 0 ? [{ source: '', externalId: slug, name: null }] : [];
  return [...own, ...statements, ...names];
}

/** How a part is named on the command line. */
export const partText = ({ source, externalId }: SourceRecordKey): string =>
  source === '' ? externalId : `${source}:${externalId}`;

/**
 * The groups that a record is parted into, first what stays: the part that the record began with, where it is there.
 * @param named the parts that leave together; without any, each part is a group
 * @param record what the record is called in messages
 * @param isGuest whether a part came with a record that an operator merged into this one
 */
export function groupParts(
  parts: RecordPart[],
  named: readonly string[],
  { slug, record, isGuest }: { slug: string; record: string; isGuest: (part: RecordPart) => boolean },
): RecordPart[][] {
  if (parts.length < 2) {
    const has = parts.some(isStatementPart) ? 'one statement only' : 'no statement';
    throw new Failure(
      `${record} has ${has}: there is nothing to part. \`cratebase never-merge\` keeps it apart from another.`,
    );
  }
  const groups = named.length === 0 ? parts.map((part) => [part]) : splitInTwo(parts, named, record);
  const isFirst = (part: RecordPart) => part.source === '' && part.externalId === slug;
  const rank = (group: RecordPart[]) => (group.some(isFirst) ? 0 : group.every(isGuest) ? 2 : 1);
  return groups.toSorted((one, two) => rank(one) - rank(two));
}

function splitInTwo(parts: RecordPart[], named: readonly string[], record: string): RecordPart[][] {
  const texts = new Set(named);
  const leaving = parts.filter((part) => texts.has(partText(part)));
  if (leaving.length < texts.size) {
    const known = parts.map(partText);
    const missing = named.find((text) => !known.includes(text));
    throw new Failure(`${record} has no statement ${JSON.stringify(missing)}; it has ${known.join(', ')}.`);
  }
  const staying = parts.filter((part) => !leaving.includes(part));
  if (staying.length === 0)
    throw new Failure(`That is all of ${record}: at least one statement has to stay.`);
  return [staying, leaving];
}
