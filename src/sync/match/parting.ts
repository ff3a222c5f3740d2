/** The parts of a record that is split: what its sources say of it, and the names of what an operator merged into it. */
import { Failure } from '../../failure.ts';
import type { GivenName } from '../../store/lookup.ts';
import type { RecordName } from '../../store/record-names.ts';
import type { Anchor } from './cluster.ts';
import type { Desk } from './desk.ts';

export type SaidPart = Anchor & { sourceId: number; statement: string; name: null };
export type NamePart = Anchor & { name: GivenName };
/** A record known by name alone, as it was before anything was merged into it: it stays. */
export type OwnPart = Anchor & { name: null };
export type Part = SaidPart | NamePart | OwnPart;

export const isSaid = (part: Part): part is SaidPart => 'statement' in part;
export const isName = (part: Part): part is NamePart => part.name !== null;

/** All that a record can be parted into; a name under its slug, as it was known by. */
export function partsOf({ sources, context }: Desk, { id, slug }: RecordName): Part[] {
  const said = sources.said(id);
  const statements = said.map(
    (row): Part => ({
      source: row.source_name,
      externalId: row.external_id,
      sourceId: row.source_id,
      statement: row.statement,
      name: null,
    }),
  );
  const names = context.lookup
    .given(id)
    .filter((name) => name.slug !== '')
    .map((name): Part => ({ source: '', externalId: name.slug, name }));
  const own: Part[] = said.length === 0 ? [{ source: '', externalId: slug, name: null }] : [];
  return [...own, ...statements, ...names];
}

/** How a part is named on the command line. */
export const textOf = ({ source, externalId }: Anchor): string =>
  source === '' ? externalId : `${source}:${externalId}`;

/**
 * The groups that a record is parted into, first what stays: the part that the record began with, where it is there.
 * @param named the parts that leave together; without any, each part is a group
 * @param record what the record is called in messages
 * @param isGuest whether a part came with a record that an operator merged into this one
 */
export function groupsOf(
  parts: Part[],
  named: readonly string[],
  { slug, record, isGuest }: { slug: string; record: string; isGuest: (part: Part) => boolean },
): Part[][] {
  if (parts.length < 2) {
    const has = parts.some(isSaid) ? 'one statement only' : 'no statement';
    throw new Failure(
      `${record} has ${has}: there is nothing to part. \`cratebase never-merge\` keeps it apart from another.`,
    );
  }
  const groups = named.length === 0 ? parts.map((part) => [part]) : twoGroups(parts, named, record);
  const isFirst = (part: Part) => part.source === '' && part.externalId === slug;
  const rank = (group: Part[]) => (group.some(isFirst) ? 0 : group.every(isGuest) ? 2 : 1);
  return groups.toSorted((one, two) => rank(one) - rank(two));
}

function twoGroups(parts: Part[], named: readonly string[], record: string): Part[][] {
  const texts = new Set(named);
  const leaving = parts.filter((part) => texts.has(textOf(part)));
  if (leaving.length < texts.size) {
    const known = parts.map(textOf);
    const missing = named.find((text) => !known.includes(text));
    throw new Failure(`${record} has no statement ${JSON.stringify(missing)}; it has ${known.join(', ')}.`);
  }
  const staying = parts.filter((part) => !leaving.includes(part));
  if (staying.length === 0)
    throw new Failure(`That is all of ${record}: at least one statement has to stay.`);
  return [staying, leaving];
}
