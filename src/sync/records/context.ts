/** What working out a record needs: where to read, where to write, who is meant. */
import type { FeedKind, Statement } from '../../contract/feed.ts';
import type { Kind } from '../../contract/fields.ts';
import { fold } from '../../store/fold.ts';
import type { Lookup, Shown } from '../../store/lookup.ts';
import type { Names } from '../../store/names.ts';
import type { Writer } from '../../store/writer.ts';
import { type Said, stated, unionOf } from '../merge.ts';
import type { Resolver, Speaker } from '../resolver.ts';

export type Context = {
  writer: Writer;
  names: Names;
  lookup: Lookup;
  resolver: Resolver;
  /** ms since 1970. */
  now: number;
  /** The run of the source that speaks; 0 outside of imports. */
  run: number;
};

/** Where a source lists a record. */
export type Listing = { name: string; external_id: string; url: string | null };

/** The one whose reference is followed: the source that made the statement. */
export const speakerOf = (context: Context, said: { sourceId: number }): Speaker => ({
  sourceId: said.sourceId,
  run: context.run,
});

/** The name of a record as its owner gives it, ready for a row. */
export function namedRow<K extends Exclude<FeedKind, 'edition'>>(
  said: Said<K>[],
): { name: string; folded: string } {
  const name = stated(said as never[], 'name' as never) as unknown as string;
  return { name, folded: fold(name) };
}

/** All aliases that differ from the name, each once, in order of trust; names of lesser sources are aliases too. */
export function aliasesOf<K extends 'artist' | 'venue' | 'city' | 'genre' | 'label' | 'festival' | 'podcast'>(
  said: Said<K>[],
  name: string,
): string[] {
  const names = said.map(({ statement }) => (statement as { name: string }).name);
  const aliases = unionOf(said as never[], 'aliases' as never, (alias: string) => alias) as string[];
  return [...new Set([...names, ...aliases])].filter((alias) => alias !== name);
}

/** Links of all statements, each once. */
export function linksOf(
  said: { statement: { links?: { type: string; url: string }[] | null | undefined } }[],
): string {
  const links = new Map<string, { type: string; url: string }>();
  for (const { statement } of said)
    for (const link of statement.links ?? []) links.set(`${link.type}\0${link.url}`, link);
  return JSON.stringify([...links.values()]);
}

/** Has everything that shows this record worked out again, when what it shows of it changed. */
export function staleDependents(
  context: Context,
  kind: Shown,
  id: number,
  differing: Set<string>,
  shown: readonly string[],
): void {
  if (differing.has('slug') || !shown.some((column) => differing.has(column))) return;
  context.lookup.markDependents(kind, id);
}

/** Saves a record's row and names; says which columns differ. */
export function saveNamed(
  context: Context,
  kind: Kind,
  id: number,
  row: Record<string, string | number | null>,
  listed: string[],
  slugs: () => string[],
): Set<string> {
  const before = context.writer.row(kind, id);
  const given = before === undefined ? [] : context.lookup.givenNames(id);
  const aliases =
    given.length === 0 ? listed : [...new Set([...listed, ...given])].filter((one) => one !== row.name);
  const differing = context.writer.save(
    kind,
    id,
    { ...row, aliases: JSON.stringify(aliases) },
    slugs,
    context.now,
  );
  if (differing.has('name') || differing.has('aliases')) {
    const isNew = before === undefined;
    const rank = { prominence: isNew ? 0 : context.names.prominence(kind, id) };
    context.names.write(kind, id, row.name as string, aliases, rank, '', isNew);
    // A name that was found, or not found, may now mean something else.
    if (before !== undefined) context.resolver.forget();
  }
  return differing;
}

export type { FeedKind, Statement };
