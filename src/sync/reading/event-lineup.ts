/**
 * The line-up of a statement as acts, whoever wrote it (issue 5, part 2). What comes out depends on the statement alone,
 * not on what the catalogue holds: the order in which sources come must not matter.
 */
import type { LineupStatement } from '../../contract/feed.ts';
import type { Act, TitleContext } from './act.ts';
import { isNobody } from './entry.ts';
import { isFloor } from './floors.ts';
import { actNames } from './lineup.ts';
import { nameKey } from './names.ts';
import { plain } from './plain.ts';
import { readTitle } from './title.ts';
import { performing } from './title-acts.ts';

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

/** "Ann | Label", "Bob // Label": a sign with something before and behind it. */
const annotated =
  /^(?!\d{1,2}(?:[:.h]\d\d)?\s?[–-])([^|»◈]*?\S)\s*(\s[|–»◈-]|\s?\|{1,2}|\s\/\/)\s+(\S[^|»◈]*)$/u;
/** So many entries at least, and half of all, show that a sign parts names from what is told of them. */
const fewestAnnotated = 3;

/** Where line after line is "Ann | Label", what stands behind the sign is told of who plays, and plays not. */
export function unannotated(entries: readonly LineupStatement[]): readonly LineupStatement[] {
  if (entries.length < fewestAnnotated) return entries;
  const found = entries.map(({ name, external_id }) =>
    external_id == null && name.length < 100 && !name.includes(' / ') ? annotated.exec(name) : null,
  );
  const signs = new Map<string, number>();
  for (const match of found) if (match) signs.set(signOf(match), (signs.get(signOf(match)) ?? 0) + 1);
  return entries.map((entry, at) => {
    const match = found[at];
    if (!match) return entry;
    const count = signs.get(signOf(match)) as number;
    const isPattern = count >= fewestAnnotated && count * 2 >= entries.length;
    return isPattern ? { ...entry, name: match[1] as string } : entry;
  });
}
const signOf = (match: RegExpExecArray): string => (match[2] as string).trim();

/** "Main Floor:" in a line of its own: who is listed below plays there, up to the next such line. */
export function underFloors(entries: readonly LineupStatement[]): readonly LineupStatement[] {
  if (!entries.some(isHead)) return entries;
  let stage: string | null = null;
  return entries.flatMap((entry) => {
    if (isHead(entry)) {
      const head = plain(entry.name).replace(/\s*:\s*$/u, '');
      stage = isFloor(head) ? head : null;
      return [];
    }
    return stage !== null && entry.stage === undefined ? [{ ...entry, stage }] : [entry];
  });
}
const isHead = ({ name, external_id, set_start_at }: LineupStatement): boolean =>
  external_id == null && set_start_at == null && /[\p{L}\p{N})]\s*:\s*$/u.test(name) && name.length <= 60;

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
  ...(entry.stage == null && act.floor !== null ? { stage: act.floor } : {}),
});

/** Signs that a title lists acts, rather than being the name of one or of a night. */
const lists =
  /,|\sb[2-5]b|(?:^|\s)\/?w\s?\/|\sw\.|\bwith\s|\bmit\s|\bavec\s|\bcon\s|\bcom\s|\bmet\s|\bfeat\b|\bft\b|\bfeaturing\s|\bsupports?:|:\s[^:]+\s[+/•]\s|[([](?:live|dj[ -]?set|hybrid[^()[\]]*|all (?:night|day)(?: long)?|extended set|\d+ ?h(?:ours?)?(?: set)?)[)\]]|\s(?:&|\+|and|y|und|e|et|en)\s+(?:many |viele |muchos |molti )?(?:more|más|mas|mehr|altri|meer|mais)(?!\p{L})/iu;
/** "Ann + Bob + Cid", "Ann / Bob / Cid": three are a list, two may be a night and its guest. */
const three = /^[^+]+(?:\s\+\s[^+]+){2,}$|^[^/]+(?:\s\/\s[^/]+){2,}$/u;
/** Listings that sell something beside the show, or whose title names somebody who does not play. */
const others = new Set(['tribute', 'weekend ticket', 'day ticket', 'parking', 'workshop']);

/**
 * The line-up that a title gives where its source gives none: only where the title surely lists acts, since what is
 * taken for an act becomes an artist of the catalogue.
 */
export function titleLineup(title: string, context: TitleContext = {}): LineupStatement[] {
  const text = plain(title);
  if (!lists.test(text) && !three.test(text)) return [];
  const { acts, series, presenter, occasion } = readTitle(title, context);
  if (occasion.some((what) => others.has(what))) return [];
  const several = acts.length > 1 || acts.some(({ alternatives }) => alternatives.length > 1);
  if (!several && series === null && presenter === null) return [];
  return performing(acts, series !== null || presenter !== null, occasion.length > 0, context).map(
    ({ name, billing, floor }) => ({
      name,
      ...(billing === null ? {} : { billing }),
      ...(floor === null ? {} : { stage: floor }),
    }),
  );
}
