/**
 * Turns the line-up or the title of a source record into acts. The result depends on the record alone, not on the
 * catalogue: the order of imports must not matter.
 */
import type { FeedLineupEntry } from '../contract/feed.ts';
import { isPlaceholderArtist } from './lineup/entry.ts';
import { parseLineupEntry } from './lineup/parse.ts';
import { isStageHeading } from './lineup/stage-headings.ts';
import { nameKey } from './name-similarity.ts';
import { normalizeText } from './normalize.ts';
import { filterActs } from './title/filter-acts.ts';
import { parseTitle } from './title/parse.ts';
import type { ParsedAct, TitleContext } from './types.ts';

/**
 * Splits the entries of a line-up into acts: "Âme b2b Dixon (live)" gives two, "TBA" none, and each act stands once per
 * stage. Every act of an entry keeps its billing, stage and set times. Acts of one entry that play together share a
 * `set`, a negative number. An entry with an id is one act; only marks are removed from its name.
 */
export function normalizeLineup(entries: readonly FeedLineupEntry[]): FeedLineupEntry[] {
  const seen = new Set<string>();
  return entries
    .flatMap((entry, index) => splitEntry(entry, index))
    .filter((entry) => {
      const key = `${entry.stage ?? ''}\u0000${entry.set_start_at ?? ''}\u0000${entry.external_id ?? ''}\u0000${nameKey(entry.name)}`;
      return !seen.has(key) && seen.add(key);
    });
}

/** A name and an annotation with a separator between them: "Ann | Label", "Bob // Label". */
const annotatedName =
  /^(?!\d{1,2}(?:[:.h]\d\d)?\s?[–-])([^|»◈]*?\S)\s*(\s[|–»◈-]|\s?\|{1,2}|\s\/\/)\s+(\S[^|»◈]*)$/u;
/** A sign separates names from annotations in at least this many entries, and in half of all. */
const minAnnotated = 3;

/** Removes annotations behind names where enough entries have the form "Ann | Label". */
export function stripAnnotations(entries: readonly FeedLineupEntry[]): readonly FeedLineupEntry[] {
  if (entries.length < minAnnotated) return entries;
  const matches = entries.map(({ name, external_id }) =>
    external_id == null && name.length < 100 && !name.includes(' / ') ? annotatedName.exec(name) : null,
  );
  const signs = new Map<string, number>();
  for (const match of matches)
    if (match) signs.set(separatorOf(match), (signs.get(separatorOf(match)) ?? 0) + 1);
  return entries.map((entry, at) => {
    const match = matches[at];
    if (!match) return entry;
    const count = signs.get(separatorOf(match)) as number;
    const isPattern = count >= minAnnotated && count * 2 >= entries.length;
    return isPattern ? { ...entry, name: match[1] as string } : entry;
  });
}
const separatorOf = (match: RegExpExecArray): string => (match[2] as string).trim();

/** Gives entries below a heading such as "Main Floor:" its stage, up to the next heading. */
export function assignStages(entries: readonly FeedLineupEntry[]): readonly FeedLineupEntry[] {
  if (!entries.some(isHeadingEntry)) return entries;
  let stage: string | null = null;
  return entries.flatMap((entry) => {
    if (isHeadingEntry(entry)) {
      const head = normalizeText(entry.name).replace(/\s*:\s*$/u, '');
      stage = isStageHeading(head) ? head : null;
      return [];
    }
    return stage !== null && entry.stage === undefined ? [{ ...entry, stage }] : [entry];
  });
}
const isHeadingEntry = ({ name, external_id, set_start_at }: FeedLineupEntry): boolean =>
  external_id == null && set_start_at == null && /[\p{L}\p{N})]\s*:\s*$/u.test(name) && name.length <= 60;

/** Words of placeholders with an id ("Headliner TBA", "Special Guests"); "live" is missing because a band is called so. */
const placeholderWord =
  /(?<![\p{L}\p{N}])(?:t\.?b\.?[acd]\.?|guests?|more|supports?|announced)(?![\p{L}\p{N}])/iu;

function splitEntry(entry: FeedLineupEntry, index: number): FeedLineupEntry[] {
  const acts = parseLineupEntry(entry.name);
  if (acts.length === 0 && (isPlaceholderArtist(entry.name) || placeholderWord.test(entry.name))) return [];
  if (entry.external_id != null) return [acts.length === 1 ? withAct(entry, acts[0] as ParsedAct) : entry];
  return acts.map((act) => {
    const one = withAct(entry, act);
    return act.group === null || entry.set != null ? one : { ...one, set: derivedSet(index, act.group) };
  });
}

/** Groups within one entry; more are counted as the last. */
const maxGroups = 1_000;

/** The number of a set that the entry at `index` names. It is negative: positive numbers are those of the source. */
export const derivedSet = (index: number, group: number): number =>
  -(index * maxGroups + Math.min(group, maxGroups - 1) + 1);

const withAct = (entry: FeedLineupEntry, act: ParsedAct): FeedLineupEntry => ({
  ...entry,
  name: act.name,
  ...(entry.billing == null && act.billing !== null ? { billing: act.billing } : {}),
  ...(entry.stage == null && act.stage !== null ? { stage: act.stage } : {}),
});

/** Signs that a title lists acts, and is not the name of one act or of a series. */
const listSign =
  /,|\sb[2-5]b|(?:^|\s)\/?w\s?\/|\sw\.|\bwith\s|\bmit\s|\bavec\s|\bcon\s|\bcom\s|\bmet\s|\bfeat\b|\bft\b|\bfeaturing\s|\bsupports?:|:\s[^:]+\s[+/•]\s|[([](?:live|dj[ -]?set|hybrid[^()[\]]*|all (?:night|day)(?: long)?|extended set|\d+ ?h(?:ours?)?(?: set)?)[)\]]|\s(?:&|\+|and|y|und|e|et|en)\s+(?:many |viele |muchos |molti )?(?:more|más|mas|mehr|altri|meer|mais)(?!\p{L})/iu;
/** "Ann + Bob + Cid", "Ann / Bob / Cid": three items are a list, two may be a series and its guest. */
const threeItemList = /^[^+]+(?:\s\+\s[^+]+){2,}$|^[^/]+(?:\s\/\s[^/]+){2,}$/u;
/** Occasions whose listings sell something other than the show, or whose titles name artists who do not play. */
const nonShowOccasions = new Set(['tribute', 'weekend ticket', 'day ticket', 'parking', 'workshop']);

/**
 * Extracts the line-up from a title whose source record has none. Returns acts only if the title certainly lists them,
 * because each becomes an artist of the catalogue.
 */
export function lineupFromTitle(title: string, context: TitleContext = {}): FeedLineupEntry[] {
  const text = normalizeText(title);
  if (!listSign.test(text) && !threeItemList.test(text)) return [];
  const { acts, series, presenter, occasion } = parseTitle(title, context);
  if (occasion.some((what) => nonShowOccasions.has(what))) return [];
  const several = acts.length > 1 || acts.some(({ alternatives }) => alternatives.length > 1);
  if (!several && series === null && presenter === null) return [];
  return filterActs(acts, series !== null || presenter !== null, occasion.length > 0, context).map(
    ({ name, billing, stage, group }) => ({
      name,
      ...(billing === null ? {} : { billing }),
      ...(stage === null ? {} : { stage }),
      ...(group === null ? {} : { set: derivedSet(0, group) }),
    }),
  );
}
