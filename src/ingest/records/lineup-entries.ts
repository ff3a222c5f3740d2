/** Who plays, as a statement has it: entries taken apart into acts, and what a title tells where there are no entries. */
import type { FeedLineupEntry } from '../../contract/feed.ts';
import { memoize } from '../../memoize.ts';
import { assignStages, lineupFromTitle, normalizeLineup, stripAnnotations } from '../../text/event-lineup.ts';
import { normalizeForSearch } from '../../text/fold.ts';
import { splitJointName } from '../../text/lineup/entry.ts';
import { hasBullet } from '../../text/lineup/line-noise.ts';
import { hasStyledLetters } from '../../text/normalize.ts';
import type { ReferenceResolver } from '../resolution/reference-resolver.ts';
import type { SourceRecord } from './survivorship.ts';

type Entries = readonly FeedLineupEntry[];

/**
 * The acts that a statement's own line-up lists.
 * @param isArtist whether a source knows an artist of this very name: "Casino Versus Japan" is one
 */
export function splitEntries(entries: Entries, isArtist: (name: string) => boolean): Entries {
  if (entries.every(({ name }) => isSingleAct(name))) return entries;
  const seen = new Set<string>();
  const bare = stripAnnotations(assignStages(entries));
  // "A (& B)" and "B (& A)" are two acts in all.
  const acts = bare.flatMap((entry) => {
    // A set with a time of its own is an entry of a timetable, and stays one as it is written, "TBA" too.
    const isSet = entry.set_start_at != null;
    const isOne = isSet || isSingleAct(entry.name) || (entry.external_id == null && isArtist(entry.name));
    return isOne ? [entry] : splitEntry(entry);
  });
  return acts.filter(({ external_id, name, stage, set_start_at }) => {
    const key = JSON.stringify([external_id ?? null, normalizeForSearch(name) || name, stage, set_start_at]);
    return !seen.has(key) && seen.add(key);
  });
}

/**
 * "A & B" as two acts where both are on record and it is not; an entry with an id of its own or a time is one as it is
 * written.
 */
export function splitKnownJoint(resolver: ReferenceResolver, entry: FeedLineupEntry): Entries {
  if (!isJointEntry(entry)) return [entry];
  const names = resolver.splitJointName(entry.name);
  return names.length < 2 ? [entry] : names.map((name) => ({ ...entry, name }));
}

/** Whether an entry may turn out to name two acts. */
export const isJointEntry = ({ name, external_id, set_start_at }: FeedLineupEntry): boolean =>
  external_id == null && set_start_at == null && splitJointName(name).length > 0;

/**
 * Of one show's line-ups, the entries that bill once more whom another source bills: "A & B" beside A and B. A duo that is
 * known as one (by an id, or a source that speaks of it) stands, unless the other source tells its parts apart by ids or
 * times of their own. One source that lists all three means all three.
 */
export function duplicateBillings(
  lists: readonly Entries[],
  isArtist: (name: string) => boolean,
): Set<FeedLineupEntry> {
  const hidden = new Set<FeedLineupEntry>();
  if (lists.length < 2) return hidden;
  for (const { name, external_id, set_start_at } of lists.flat()) {
    const parts = set_start_at == null ? splitJointName(name).map(entryKey) : [];
    if (parts.length < 2 || (external_id == null && !isArtist(name))) continue;
    const isDuo = (entry: FeedLineupEntry) =>
      entryKey(entry.name) === entryKey(name) && entry.set_start_at == null;
    const apart = lists.filter((one) => !one.some(isDuo)).flat();
    const singles = apart.filter((entry) => parts.includes(entryKey(entry.name)));
    const isIn = (entries: Entries) =>
      parts.every((part) => entries.some((one) => entryKey(one.name) === part));
    if (!isIn(singles) || lists.some((one) => one.some(isDuo) && isIn(one))) continue;
    const isTold = singles.some((one) => one.external_id != null || one.set_start_at != null);
    for (const one of isTold ? lists.flat().filter(isDuo) : singles) hidden.add(one);
  }
  return hidden;
}

const entryKey = (name: string): string => normalizeForSearch(name) || name;

/** Remembers an act that may turn out to be two. */
export function indexJointAct(resolver: ReferenceResolver, artist: number, entry: FeedLineupEntry): void {
  if (isJointEntry(entry)) resolver.jointArtistIndex?.index(artist, splitJointName(entry.name));
}

/** The names that were read in the place of an artist's, before a source said that it is one. */
export const misreadNames = (name: string): string[] =>
  isSingleAct(name) ? [] : splitEntry({ name }).map((act) => act.name);

/**
 * The acts that the title of a show names. For where no statement of the show has a line-up, or says that there is none;
 * empty where the title does not clearly list acts.
 */
export function actsFromTitle({ statement }: SourceRecord<'event'>): Entries {
  const { name, city, venue } = statement;
  const context = { venue: venue?.name ?? null, city: city ?? venue?.city ?? null };
  return readTitleLineup({ name, context });
}

type TitleWithPlace = { name: string; context: { venue: string | null; city: string | null } };
/** To read one title takes as long as ten events. */
const readTitleLineup = memoize(
  1_000,
  ({ name, context }: TitleWithPlace): Entries => lineupFromTitle(name, context),
  ({ name, context }) => JSON.stringify([name, context.venue, context.city]),
);

/** Whether a name stands for itself. */
const isSingleAct = memoize(30_000, (name: string): boolean => {
  const entry = { name };
  const [first, ...others] = splitEntry(entry);
  return first === entry && others.length === 0;
});

/** "Dance With The Dead", "Adam X & Function": sellers join acts by a small "with", and by an x between two names. */
const joinersWithinNames = /[a-z] With |\sX (?:&|\+|and)\s/;

/** One entry as acts; the entry itself where it is one act under the very name that is written. */
function splitEntry(entry: FeedLineupEntry): Entries {
  if (joinersWithinNames.test(entry.name)) return [entry];
  const acts = normalizeLineup([entry]);
  const isOne = acts.length === 1 && isAsWritten(acts[0] as FeedLineupEntry, entry);
  const short = acts.filter(({ name }) => isTooShort(name)).length;
  return isOne || (short > 0 && short * 3 >= acts.length) ? [entry] : acts;
}

/** Signs beside a name ("18+", "D’Julz") are its own way of writing it; bullets and styled letters are a seller's. */
const isAsWritten = (act: FeedLineupEntry, { name, billing }: FeedLineupEntry): boolean =>
  act.billing === billing &&
  normalizeForSearch(act.name) === normalizeForSearch(name) &&
  !hasBullet(name) &&
  !hasStyledLetters(name);

/** "I / Y", "Ø [Phase]": signs of a name rather than between names. A single Chinese character is a name, or a word. */
const isTooShort = (name: string): boolean =>
  (name.match(/[\p{L}\p{N}]/gu)?.length ?? 0) < 2 && !/[\p{Script=Han}\p{Script=Hangul}]/u.test(name);
