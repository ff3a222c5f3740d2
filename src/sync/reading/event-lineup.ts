/**
 * The line-up of a statement as acts, whoever wrote it (issue 5, part 2). What comes out depends on the statement alone,
 * not on what the catalogue holds: the order in which sources come must not matter.
 */
import type { LineupStatement } from '../../contract/feed.ts';
import type { Act, TitleContext } from './act.ts';
import { isNobody } from './entry.ts';
import { actNames } from './lineup.ts';
import { nameKey } from './names.ts';
import { plain } from './plain.ts';
import { readTitle } from './title.ts';

/**
 * A source's line-up with its entries taken apart: "Âme b2b Dixon (live)" gives two, "TBA" none, each act stands once per
 * stage. Billing, stage and set times stay with every act of an entry. An entry with an id of its own is one act, or a
 * duo that the source knows as such, and keeps its name but for marks.
 */
export function writtenLineup(entries: readonly LineupStatement[]): LineupStatement[] {
  const seen = new Set<string>();
  return entries.flatMap(takeApart).filter((entry) => {
    const key = `${entry.stage ?? ''}\u0000${entry.set_start_at ?? ''}\u0000${entry.external_id ?? ''}\u0000${nameKey(entry.name)}`;
    return !seen.has(key) && seen.add(key);
  });
}

/** Sellers have ids for "Headliner TBA" and "Special Guests" as well; a band may be called "Live". */
const announced = /(?<![\p{L}\p{N}])(?:t\.?b\.?[acd]\.?|guests?|more|supports?|announced)(?![\p{L}\p{N}])/iu;

function takeApart(entry: LineupStatement): LineupStatement[] {
  const acts = actNames(entry.name);
  if (acts.length === 0 && (isNobody(entry.name) || announced.test(entry.name))) return [];
  if (entry.external_id != null) return [acts.length === 1 ? named(entry, acts[0] as Act) : entry];
  return acts.map((act) => named(entry, act));
}

const named = (entry: LineupStatement, act: Act): LineupStatement => ({
  ...entry,
  name: act.name,
  ...(entry.billing == null && act.billing !== null ? { billing: act.billing } : {}),
});

/** Signs that a title lists acts, rather than being the name of one or of a night. */
const lists = /,|\sb[2-5]b\s|(?:^|\s)w\/|\bwith\s|\bmit\s|\bfeat\b/iu;
/** Listings that sell something beside the show, or whose title names somebody who does not play. */
const others = new Set(['tribute', 'weekend ticket', 'day ticket', 'parking', 'workshop']);

/**
 * The line-up that a title gives where its source gives none: only where the title surely lists acts, since what is
 * taken for an act becomes an artist of the catalogue.
 */
export function titleLineup(title: string, context: TitleContext = {}): LineupStatement[] {
  if (!lists.test(plain(title))) return [];
  const { acts, series, presenter, occasion } = readTitle(title, context);
  if (occasion.some((what) => others.has(what))) return [];
  const several = acts.length > 1 || acts.some(({ alternatives }) => alternatives.length > 1);
  if (!several && series === null && presenter === null) return [];
  return acts.map(({ name, billing, floor }) => ({
    name,
    ...(billing === null ? {} : { billing }),
    ...(floor === null ? {} : { stage: floor }),
  }));
}
