/** Reads line-ups: splits entries into artists, and reads the title of an event without a line-up. */
import type { FeedLineupEntry } from '../../contract/feed.ts';
import { memoize } from '../../memoize.ts';
import { lineupFromDescription } from '../../text/description-lineup.ts';
import { wordsKey } from '../../text/emoji-words.ts';
import {
  assignStages,
  derivedSet,
  lineupFromTitle,
  normalizeLineup,
  stripAnnotations,
} from '../../text/event-lineup.ts';
import { splitJointName } from '../../text/lineup/entry.ts';
import { hasBullet } from '../../text/lineup/line-noise.ts';
import { hasStyledLetters } from '../../text/normalize.ts';
import type { ReferenceResolver } from '../resolution/reference-resolver.ts';
import type { SourceRecord } from './survivorship.ts';

type Entries = readonly FeedLineupEntry[];

/**
 * Splits the entries of one line-up into artists.
 * @param isArtist whether a source lists an artist of exactly this name, such as "Casino Versus Japan"
 */
export function splitEntries(entries: Entries, isArtist: (name: string) => boolean): Entries {
  if (entries.every(({ name }) => isSingleAct(name))) return entries;
  const seenKeys = new Set<string>();
  const bare = stripAnnotations(assignStages(entries));
  // "A (& B)" and "B (& A)" name two artists in all.
  const acts = bare.flatMap((entry, index) => {
    // An entry with a set time belongs to a timetable and stays as it is written, even "TBA".
    const isSet = entry.set_start_at != null;
    const isOne = isSet || isSingleAct(entry.name) || (entry.external_id == null && isArtist(entry.name));
    return isOne ? [entry] : splitEntry(entry, index);
  });
  return acts.filter(({ external_id, name, stage, set_start_at }) => {
    const key = JSON.stringify([external_id ?? null, wordsKey(name), stage, set_start_at]);
    return !seenKeys.has(key) && seenKeys.add(key);
  });
}

/** Splits "A & B" if both parts exist and the whole does not. An entry with an id or a set time is not split. */
export function splitKnownJoint(resolver: ReferenceResolver, entry: FeedLineupEntry): Entries {
  if (!isJointEntry(entry)) return [entry];
  const names = resolver.splitJointName(entry.name);
  return names.length < 2 ? [entry] : names.map((name) => ({ ...entry, name }));
}

/** Whether an entry may name two artists. */
export const isJointEntry = ({ name, external_id, set_start_at }: FeedLineupEntry): boolean =>
  external_id == null && set_start_at == null && splitJointName(name).length > 0;

/**
 * Finds entries that bill artists again whom another source bills separately: "A & B" beside A and B. A known duo (one
 * with an id or a source record of its own) stays, unless the other source gives its members ids or set times. If one
 * source lists all three, all three stay.
 */
export function duplicateBillings(
  lists: readonly Entries[],
  isArtist: (name: string) => boolean,
): Set<FeedLineupEntry> {
  const hidden = new Set<FeedLineupEntry>();
  if (lists.length < 2) return hidden;
  for (const { name, external_id, set_start_at } of lists.flat()) {
    const parts = set_start_at == null ? splitJointName(name).map(wordsKey) : [];
    if (parts.length < 2 || (external_id == null && !isArtist(name))) continue;
    const isDuo = (entry: FeedLineupEntry) =>
      wordsKey(entry.name) === wordsKey(name) && entry.set_start_at == null;
    const apart = lists.filter((one) => !one.some(isDuo)).flat();
    const singles = apart.filter((entry) => parts.includes(wordsKey(entry.name)));
    const isIn = (entries: Entries) =>
      parts.every((part) => entries.some((one) => wordsKey(one.name) === part));
    if (!isIn(singles) || lists.some((one) => one.some(isDuo) && isIn(one))) continue;
    const isTold = singles.some((one) => one.external_id != null || one.set_start_at != null);
    for (const one of isTold ? lists.flat().filter(isDuo) : singles) hidden.add(one);
  }
  return hidden;
}

/** Indexes an artist that may turn out to be two. */
export function indexJointAct(resolver: ReferenceResolver, artist: number, entry: FeedLineupEntry): void {
  if (isJointEntry(entry)) resolver.indexes.jointArtistIndex.index(artist, splitJointName(entry.name));
}

/** The names that were read instead of an artist's name before it was known to be one artist. */
export const misreadNames = (name: string): string[] =>
  isSingleAct(name) ? [] : splitEntry({ name }).map((act) => act.name);

/** A line-up that no source states, and the text of a source record that lists it. */
export type DerivedLineup = {
  record: SourceRecord<'event'>;
  from: 'description' | 'title';
  entries: Entries;
};

/**
 * Reads the artists of an event without a line-up in any source from the first description with a labelled list, and
 * from the title of that record, otherwise from the first title that clearly lists artists (docs/decisions/36-descriptions.md).
 * @param records in order of trust
 */
export function deriveLineup(records: readonly SourceRecord<'event'>[]): DerivedLineup | null {
  for (const record of records) {
    const described = actsFromDescription(record);
    if (described.length === 0) continue;
    const keys = new Set(described.map(({ name }) => wordsKey(name)));
    const titled = actsFromTitle(record).filter(({ name }) => !keys.has(wordsKey(name)));
    return { record, from: 'description', entries: [...described, ...titled] };
  }
  for (const record of records) {
    const entries = actsFromTitle(record);
    if (entries.length > 0) return { record, from: 'title', entries };
  }
  return null;
}

const placeOf = ({ statement: { city, venue } }: SourceRecord<'event'>): TitleWithPlace['context'] => ({
  venue: venue?.name ?? null,
  city: city ?? venue?.city ?? null,
});

const actsFromTitle = (record: SourceRecord<'event'>): Entries =>
  readTitleLineup({ name: record.statement.name, context: placeOf(record) });

const actsFromDescription = (record: SourceRecord<'event'>): Entries =>
  lineupFromDescription(record.statement.description ?? '', placeOf(record));

type TitleWithPlace = { name: string; context: { venue: string | null; city: string | null } };
/** Reading one title takes as long as importing ten events. */
const readTitleLineup = memoize(
  1_000,
  ({ name, context }: TitleWithPlace): Entries => lineupFromTitle(name, context),
  ({ name, context }) => JSON.stringify([name, context.venue, context.city]),
);

/** Whether a name is a single artist. */
const isSingleAct = memoize(30_000, (name: string): boolean => {
  const entry = { name };
  const [first, ...others] = splitEntry(entry);
  return first === entry && others.length === 0;
});

/** Reads the names of a line-up once, so that a transaction that stores it finds the results. */
export function readNamesAhead(entries: Entries): void {
  for (const { name } of entries) isSingleAct(name);
}

/**
 * "Dance With The Dead", "Adam X & Function": sellers join artists by a lower-case "with", or an x between two names.
 */
const joinersWithinNames = /[a-z] With |\sX (?:&|\+|and)\s/;

/**
 * Splits one entry; returns it unchanged if it is one artist with exactly the written name.
 * @param index its place in the line-up, which makes the numbers of its sets unique
 */
function splitEntry(entry: FeedLineupEntry, index = 0): Entries {
  if (joinersWithinNames.test(entry.name)) return [entry];
  const acts = actsOfEntry(entry);
  const isOne = acts.length === 1 && isAsWritten(acts[0] as FeedLineupEntry, entry);
  const short = acts.filter(({ name }) => isTooShort(name)).length;
  if (isOne || (short > 0 && short * 3 >= acts.length)) return [entry];
  return acts.map((act) =>
    act.set == null || act.set > 0 ? { ...act } : { ...act, set: derivedSet(index, -act.set - 1) },
  );
}

/** The acts of one entry. Each entry is read for every source record and rebuild of its event. */
const actsOfEntry = memoize(
  2_000,
  (entry: FeedLineupEntry): Entries => normalizeLineup([entry]),
  (entry) => JSON.stringify(entry),
);

/** Signs in a name ("18+", "D’Julz") belong to it; bullets and styled letters are added by sellers. */
const isAsWritten = (act: FeedLineupEntry, { name, billing }: FeedLineupEntry): boolean =>
  act.billing === billing &&
  wordsKey(act.name) === wordsKey(name) &&
  !hasBullet(name) &&
  !hasStyledLetters(name);

/** "I / Y", "Ø [Phase]": the sign is part of the name. A single Chinese character may be a name or a word. */
const isTooShort = (name: string): boolean =>
  (name.match(/[\p{L}\p{N}]/gu)?.length ?? 0) < 2 && !/[\p{Script=Han}\p{Script=Hangul}]/u.test(name);
