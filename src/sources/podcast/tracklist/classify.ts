/** Decides whether a block of lines is a tracklist, and resolves what only the whole list can tell. */
import { isTrack, possibleStyles, type SeparatorStyle, splitByStyle, type TracklistLine } from './line.ts';
import { showFraming, talkSegment, unidentified, versionWord } from './patterns.ts';
import { type Track, toTracks } from './tracks.ts';

export type TracklistHints = {
  /** Duration of the recording; later times do not belong to tracks. */
  durationSeconds?: number | null | undefined;
  /** Whether the show is not about music: only a list under a heading counts. */
  isTalkShow?: boolean;
  /** Whether the show is about music: lines of artist and title are tracks without a heading, too. */
  isMusicShow?: boolean;
};

export type BlockShape = 'timed' | 'numbered' | 'bare' | 'loose';
/** Consecutive lines of one shape. */
export type LineBlock = {
  hasHeading: boolean;
  shape: BlockShape | null;
  entries: TracklistLine[];
  misses: number;
};

type AcceptedList = { hasHeading: boolean; tracks: Track[] };

/** Converts a block to a list of tracks; null if it is not a tracklist. */
export function acceptTracklist(block: LineBlock, hints: TracklistHints): AcceptedList | null {
  if (hints.isTalkShow && !block.hasHeading) return null;
  const style = chooseStyle(block, hints);
  const entries = resolveEntries(block, style);
  const timed = block.shape === 'timed';
  const tracks = entries.filter(({ parts }) => isTrack(parts));
  const others = entries.filter(({ parts }) => !isTrack(parts));
  const framingCount = others.filter(
    ({ parts }) => parts.length === 1 && showFraming.test(parts[0] ?? ''),
  ).length;
  // Up to three intro and outro lines do not count against a list.
  const share = tracks.length / (entries.length - Math.min(framingCount, 3));
  const talkCount = tracks.filter(({ parts }) =>
    parts.slice(0, 2).some((part) => talkSegment.test(part)),
  ).length;
  if (talkCount > tracks.length * 0.25 || share < (block.hasHeading ? 0.6 : 0.75)) return null;
  if (!block.hasHeading && tracks.every(({ parts }) => parts.length === 1)) return null;
  const timeKind = timed ? classifyTimes(entries, hints) : 'none';
  if (timeKind === 'schedule' && !block.hasHeading) return null;
  if (block.shape === 'loose' && (share < (style === 'slash' ? 0.8 : 1) || tracks.length < 3)) return null;
  const isTracklist = block.hasHeading ? tracks.length >= 2 : isTracklistByShape(block, tracks, share, hints);
  return isTracklist
    ? { hasHeading: block.hasHeading, tracks: toTracks(entries, timeKind === 'starts') }
    : null;
}

/** Whether lines without a heading are a tracklist by their shape. */
function isTracklistByShape(
  block: LineBlock,
  tracks: TracklistLine[],
  share: number,
  { isMusicShow: music }: TracklistHints,
): boolean {
  if (tracks.length < 3) return false;
  const first = tracks.map(({ parts }) => parts[0]);
  // The same name in every line is a list about that name.
  if (tracks.length > 3 && new Set(first).size === 1) return false;
  if (block.shape === 'timed') return true;
  const numbers = tracks.filter(({ isLayered: layered }) => !layered).map(({ number }) => number);
  if (numbers.every((number) => number !== null))
    return isMostlyConsecutive(numbers) || isNonDecreasing(numbers);
  if (tracks.length >= 4 && tracks.filter(hasEvidence).length >= tracks.length * 0.5) return true;
  return music === true && share >= 0.9 && isTrackSequence(tracks);
}

/** Dates, as in a list of tour dates. */
const datePattern =
  /\b\d{1,2}[./]\d{1,2}(?:[./]\d{2,4})?(?!\d)|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b/i;

/** Whether most artists differ, as in the tracks of a music show. */
function isTrackSequence(tracks: TracklistLine[]): boolean {
  const names = tracks.map(({ parts }) => parts[0] as string).filter((name) => /\p{L}{2}/u.test(name));
  const dated = tracks.filter(({ parts }) => parts.some((part) => datePattern.test(part))).length;
  return (
    dated < tracks.length * 0.3 &&
    tracks.length >= 5 &&
    names.length >= tracks.length * 0.9 &&
    new Set(names).size >= tracks.length * 0.6
  );
}

/** Returns how a list separates artist and title where most lines have no dash. */
function chooseStyle(
  { entries, hasHeading: headed }: LineBlock,
  { isMusicShow: music }: TracklistHints,
): SeparatorStyle | null {
  const whole = entries.filter(
    ({ parts }) =>
      parts.length === 1 && !unidentified.test(parts[0] ?? '') && !showFraming.test(parts[0] ?? ''),
  );
  if (whole.length < 3 || whole.length < entries.length * 0.6) return null;
  const allowed: SeparatorStyle[] = headed ? ['slash', 'by', 'colon'] : music === true ? ['slash', 'by'] : [];
  const most = (style: SeparatorStyle) =>
    whole.filter((entry) => possibleStyles(entry).includes(style)).length >= whole.length * 0.8;
  return allowed.find(most) ?? null;
}

/** Whether a line has a label, version or guest, which other lists do not have. */
const hasEvidence = ({ parts }: TracklistLine): boolean =>
  /\[[^\]]+\]\s*$/.test(parts.at(-1) ?? '') ||
  parts.some((part) => /\b(?:feat|ft)\b/i.test(part)) ||
  (/\(([^()]*)\)/.test(parts.at(-1) ?? '') &&
    versionWord.test(/\(([^()]*)\)/.exec(parts.at(-1) ?? '')?.[1] ?? ''));

const isNonDecreasing = (numbers: readonly number[]): boolean =>
  numbers.length > 3 &&
  numbers.every((number, index) => index === 0 || number >= (numbers[index - 1] as number));

const isMostlyConsecutive = (numbers: readonly number[]): boolean => {
  const steps = numbers.slice(1).filter((number, index) => number === (numbers[index] as number) + 1).length;
  return steps >= (numbers.length - 1) * 0.7;
};

/** Resolves entries by the whole list: whether uncertain numbers, record sides and brackets count. */
function resolveEntries({ entries: read }: LineBlock, style: SeparatorStyle | null): TracklistLine[] {
  const entries =
    style === null ? read : read.map((entry) => ({ ...entry, parts: splitByStyle(style, entry) }));
  const weak = entries.flatMap(({ number, isNumberUncertain: weak }) =>
    weak && number !== null ? [number] : [],
  );
  const counted = weak.length >= entries.length * 0.6 && (isMostlyConsecutive(weak) || isNonDecreasing(weak));
  const sided = entries.filter(({ hasRecordSide: side }) => side).length >= entries.length * 0.6;
  const bracketed = entries.flatMap(({ bracketed }) => (bracketed === null ? [] : [bracketed]));
  const minutes = !isMostlyConsecutive(bracketed) || bracketed.length < 2 || bracketed[0] === 0;
  const trailing = entries.map((entry) => entry.trailing);
  const startsBehind =
    entries.length > 2 &&
    trailing[0] !== null &&
    (trailing[0] as number) < 60 &&
    trailing.every((time, index) => time !== null && (index === 0 || time > (trailing[index - 1] as number)));
  return entries.map((entry, index) => ({
    ...entry,
    number: sided ? index + 1 : entry.isNumberUncertain && !counted ? null : entry.number,
    parts:
      (entry.isNumberUncertain && !counted) || (entry.hasRecordSide && !sided)
        ? entry.partsWithNumber
        : entry.parts,
    start:
      entry.start ??
      (startsBehind
        ? entry.trailing
        : minutes && entry.bracketed !== null && entry.bracketed >= 0
          ? entry.bracketed * 60
          : null),
  }));
}

/** Classifies the times of a list: starts of tracks, a schedule, or unusable. */
function classifyTimes(
  entries: readonly TracklistLine[],
  { durationSeconds }: TracklistHints,
): 'starts' | 'schedule' | 'none' {
  const starts = entries.flatMap(({ start }) => (start === null ? [] : [start]));
  if (starts.length === 0) return 'none';
  const [first = 0] = starts;
  const last = Math.max(...starts);
  const falls = starts.slice(1).filter((start, index) => start < (starts[index] as number)).length;
  const onQuarters = starts.every((start) => [0, 15, 30, 45].includes(start % 60));
  if (first >= 300 && (onQuarters || first >= 1_200)) return 'schedule';
  if (durationSeconds && last > durationSeconds + 60) return 'none';
  return falls > 0 ? 'none' : 'starts';
}
