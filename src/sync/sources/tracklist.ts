/**
 * Tracklists written in show notes (feed.md, Sources: podcast). Precision first: a list counts where it has a heading or
 * enough lines of one shape, and what talk shows, schedules and lists of links write does not.
 */
import { type Entry, isTrack, looseParts, readEntry } from './tracklist-line.ts';
import { broken, headingOf } from './tracklist-lines.ts';
import { type Track, tracksOf } from './tracklist-track.ts';
import { framing, section, talk, unidentified, version } from './tracklist-words.ts';

export type { Track } from './tracklist-track.ts';

export type TracklistHints = {
  /** Length of the recording; a time beyond it is none of a track. */
  durationSeconds?: number | null | undefined;
  /** The show is known not to be about music: only a list under a heading counts. */
  talkShow?: boolean;
};

type Shape = 'timed' | 'numbered' | 'bare' | 'loose';
/** Lines that stand together. */
type Block = { headed: boolean; shape: Shape | null; entries: Entry[]; misses: number };

/** More lines than this are no notes of one show. */
const mostLines = 3_000;
const mostTracks = 600;

/**
 * The tracks that show notes tell.
 * @param text show notes as text, one line for each that a reader sees
 * @returns the tracks in order; none where there is no tracklist
 */
export function readTracklist(text: string, hints: TracklistHints = {}): Track[] {
  const lists = blocksOf(text.split('\n').slice(0, mostLines))
    .map((block) => accepted(block, hints))
    .filter((list) => list !== null);
  const headed = lists.filter((list) => list.headed);
  const chosen = headed.length > 0 ? headed : lists;
  return chosen
    .flatMap(({ tracks }) => tracks)
    .slice(0, mostTracks)
    .map((track, index) => ({ ...track, position: index + 1 }));
}

/** A chapter of an episode: where it starts, in seconds, and what it is called. */
export type Chapter = { start: number; title: string };

/** Chapters as tracks, where they are tracks: those of talk shows are not. */
export function tracksOfChapters(chapters: readonly Chapter[], hints: TracklistHints = {}): Track[] {
  const entries = chapters.slice(0, mostLines).flatMap(({ start, title }) => {
    const entry = readEntry(title);
    return entry ? [{ ...entry, start: Math.floor(start) }] : [];
  });
  if (hints.talkShow || entries.length < chapters.length * 0.5) return [];
  return (accepted({ headed: false, shape: 'timed', entries, misses: 0 }, hints)?.tracks ?? []).slice(
    0,
    mostTracks,
  );
}

function blocksOf(lines: string[]): Block[] {
  const blocks: Block[] = [];
  let block: Block | null = null;
  let blank = false;
  const end = () => {
    if (block && block.entries.length > 0) blocks.push(block);
    block = null;
  };
  const place = (line: string) => {
    if (block && section.test(line)) return;
    const entry = readEntry(line);
    const shape = entry ? (shapeOf(entry) ?? looseShape(block, entry)) : null;
    if (!entry || shape === null) {
      block = missed(block, line, blank);
      if (block === null) return;
      if (block.misses > 1) end();
      return;
    }
    if (block && !fits(block, shape)) end();
    block ??= { headed: false, shape: null, entries: [], misses: 0 };
    block.entries.push(entry);
    block.misses = 0;
    if (shape !== 'any') block.shape ??= shape;
  };
  for (const line of lines.map((each) => each.trim())) {
    if (line === '') {
      blank = true;
      continue;
    }
    const head = headingOf(line);
    if (head !== null) {
      end();
      block = { headed: true, shape: null, entries: [], misses: 0 };
      // "Tracklist: TBA"
      if (!unidentified.test(head)) for (const part of broken(head, true)) place(part);
    } else for (const part of broken(line, block !== null)) place(part);
    blank = false;
    // What was collected ends where something else begins; the block itself is handed over there.
    if (block && (block as Block).misses > 1) end();
  }
  end();
  return blocks;
}

/** A line that is no track: a list goes on over one odd line without a gap. */
function missed(block: Block | null, line: string, blank: boolean): Block | null {
  if (block === null) return block;
  if (block.headed && block.entries.length === 0) return { ...block, misses: block.misses + 0.5 };
  block.misses += blank || line.length > 120 ? 2 : 1;
  return block;
}

/** Under a heading, lines parted by a colon may be a list of their own. */
const looseShape = (block: Block | null, entry: Entry): Shape | null =>
  block?.headed && (block.shape ?? 'loose') === 'loose' && looseParts(entry.parts) !== null ? 'loose' : null;

/** How a line is told from others; "any" goes with all, null is no line of a list. */
function shapeOf(entry: Entry): Shape | 'any' | null {
  if (entry.start !== null || entry.bracketed !== null) return 'timed';
  if (entry.number !== null && !entry.weak) return 'numbered';
  if (entry.layered) return 'any';
  if (entry.weak || entry.side) return entry.unnumbered.length > 1 ? 'any' : null;
  return isTrack(entry.parts) ? 'bare' : null;
}

const fits = (block: Block, shape: Shape | 'any'): boolean =>
  shape === 'any' || block.shape === null || block.shape === shape;

type List = { headed: boolean; tracks: Track[] };

/** A block as a list of tracks, or null where it is none. */
function accepted(block: Block, hints: TracklistHints): List | null {
  if (hints.talkShow && !block.headed) return null;
  const entries = settled(block);
  const timed = block.shape === 'timed';
  const tracks = entries.filter(({ parts }) => isTrack(parts));
  const others = entries.filter(({ parts }) => !isTrack(parts));
  const framed = others.filter(({ parts }) => parts.length === 1 && framing.test(parts[0] ?? '')).length;
  // A few words around the tracks do not count against them.
  const share = tracks.length / (entries.length - Math.min(framed, 3));
  const spoken = tracks.filter(({ parts }) => parts.slice(0, 2).some((part) => talk.test(part))).length;
  if (spoken > tracks.length * 0.25 || share < (block.headed ? 0.6 : 0.75)) return null;
  if (!block.headed && tracks.every(({ parts }) => parts.length === 1)) return null;
  const clocks = timed ? clocksOf(entries, hints) : 'none';
  if (clocks === 'schedule' && !block.headed) return null;
  if (block.shape === 'loose' && (share < 1 || tracks.length < 3)) return null;
  const enough = block.headed ? tracks.length >= 2 : plain(block, tracks);
  return enough ? { headed: block.headed, tracks: tracksOf(entries, clocks === 'starts') } : null;
}

/** Whether lines without a heading are a tracklist by their shape alone. */
function plain(block: Block, tracks: Entry[]): boolean {
  if (tracks.length < 3) return false;
  const first = tracks.map(({ parts }) => parts[0]);
  // One name in front of every line is a list about that name.
  if (tracks.length > 3 && new Set(first).size === 1) return false;
  if (block.shape === 'timed') return true;
  const numbers = tracks.filter(({ layered }) => !layered).map(({ number }) => number);
  if (numbers.every((number) => number !== null)) return rising(numbers as number[]);
  return tracks.length >= 4 && tracks.filter(hasEvidence).length >= tracks.length * 0.5;
}

/** Labels, versions and guests in brackets: what a list of anything else does not have. */
const hasEvidence = ({ parts }: Entry): boolean =>
  /\[[^\]]+\]\s*$/.test(parts.at(-1) ?? '') ||
  parts.some((part) => /\b(?:feat|ft)\b/i.test(part)) ||
  (/\(([^()]*)\)/.test(parts.at(-1) ?? '') &&
    version.test(/\(([^()]*)\)/.exec(parts.at(-1) ?? '')?.[1] ?? ''));

const rising = (numbers: readonly number[]): boolean => {
  const steps = numbers.slice(1).filter((number, index) => number === (numbers[index] as number) + 1).length;
  return steps >= (numbers.length - 1) * 0.7;
};

/** The entries with what only the whole list can tell: whether a bare number, a side, a bracket counts. */
function settled({ entries: read, shape }: Block): Entry[] {
  const entries = read.map((entry) =>
    shape === 'loose' ? { ...entry, parts: looseParts(entry.parts) ?? entry.parts } : entry,
  );
  const weak = entries.flatMap(({ number, weak }) => (weak && number !== null ? [number] : []));
  const counted = weak.length >= entries.length * 0.6 && rising(weak);
  const sided = entries.filter(({ side }) => side).length >= entries.length * 0.6;
  const bracketed = entries.flatMap(({ bracketed }) => (bracketed === null ? [] : [bracketed]));
  const minutes = !rising(bracketed) || bracketed.length < 2 || bracketed[0] === 0;
  const trailing = entries.map((entry) => entry.trailing);
  const startsBehind =
    entries.length > 2 &&
    trailing[0] !== null &&
    (trailing[0] as number) < 60 &&
    trailing.every((time, index) => time !== null && (index === 0 || time > (trailing[index - 1] as number)));
  return entries.map((entry, index) => ({
    ...entry,
    number: sided ? index + 1 : entry.weak && !counted ? null : entry.number,
    parts: (entry.weak && !counted) || (entry.side && !sided) ? entry.unnumbered : entry.parts,
    start:
      entry.start ??
      (startsBehind
        ? entry.trailing
        : minutes && entry.bracketed !== null && entry.bracketed >= 0
          ? entry.bracketed * 60
          : null),
  }));
}

/** What the times of a list are: starts of tracks, a schedule's hours, or nothing that could be used. */
function clocksOf(
  entries: readonly Entry[],
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
