/**
 * Tracklists written in show notes (docs/spec/imports.md#sources: podcast). Precision first: a list counts where it has a heading or
 * enough lines of one shape, and what talk shows, schedules and lists of links write does not.
 */
import { type Entry, isTrack, mannersOf, readEntry } from './tracklist-line.ts';
import { broken, headingOf, joined } from './tracklist-lines.ts';
import { accepted, type Block, type Shape, type TracklistHints } from './tracklist-list.ts';
import type { Track } from './tracklist-track.ts';
import { section, setHeading, unidentified } from './tracklist-words.ts';

export type { TracklistHints } from './tracklist-list.ts';
export type { Track } from './tracklist-track.ts';

/** More lines than this are no notes of one show. */
const mostLines = 3_000;
const mostTracks = 600;
/** What a line says behind this many letters is no track. */
const longestLine = 3_000;
const cut = (line: string): string => line.slice(0, longestLine);

/**
 * The tracks that show notes tell.
 * @param text show notes as text, one line for each that a reader sees
 * @returns the tracks in order; none where there is no tracklist
 */
export function readTracklist(text: string, hints: TracklistHints = {}): Track[] {
  const lists = continued(blocksOf(text.split('\n').slice(0, mostLines).map(cut), hints))
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
    const entry = readEntry(cut(title));
    return entry ? [{ ...entry, start: Math.floor(start) }] : [];
  });
  if (hints.talkShow || entries.length < chapters.length * 0.5) return [];
  return (accepted({ headed: false, shape: 'timed', entries, misses: 0 }, hints)?.tracks ?? []).slice(
    0,
    mostTracks,
  );
}

function blocksOf(lines: string[], hints: TracklistHints): Block[] {
  const blocks: Block[] = [];
  let block: Block | null = null;
  let blank = false;
  const end = () => {
    if (block && block.entries.length > 0) blocks.push(block);
    block = null;
  };
  const place = (line: string) => {
    if (block && (section.test(line) || setHeading.test(line))) return;
    const entry = readEntry(line);
    const shape = entry ? shapeIn(block, entry, hints) : null;
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
  for (const line of joined(lines.map((each) => each.trim()))) {
    if (line === '') {
      blank = true;
      continue;
    }
    const head = headingOf(line) ?? (block === null && setHeading.test(line) ? '' : null);
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

/** Numbered lists that go on behind what is said of a track are one. */
function continued(blocks: Block[]): Block[] {
  const whole: Block[] = [];
  let open: Block | null = null;
  for (const block of blocks) {
    const first = block.shape === 'numbered' ? block.entries[0]?.number : null;
    const last: number | null | undefined = open?.entries.findLast(({ number }) => number !== null)?.number;
    if (open && !block.headed && typeof first === 'number' && first === (last ?? -1) + 1) {
      open.entries.push(...block.entries);
      continue;
    }
    if (block.shape === 'numbered') open = block;
    whole.push(block);
  }
  return whole;
}

/** A line that is no track: a list goes on over one odd line without a gap. */
function missed(block: Block | null, line: string, blank: boolean): Block | null {
  if (block === null) return block;
  if (block.headed && block.entries.length === 0) return { ...block, misses: block.misses + 0.5 };
  block.misses += blank || line.length > 120 ? 2 : 1;
  return block;
}

/** Under a heading, lines that are parted otherwise than by dashes may be a list of their own; in a show about music by slashes. */
function looseShape(block: Block | null, entry: Entry, { music }: TracklistHints): Shape | null {
  const manners = mannersOf(entry);
  const counts = block?.headed
    ? (block.shape ?? 'loose') === 'loose' && manners.length > 0
    : music === true && manners.includes('slash');
  return counts ? 'loose' : null;
}

/** In a list that has no dashes, a line with another mark in it is one of them. */
function shapeIn(block: Block | null, entry: Entry, hints: TracklistHints): Shape | 'any' | null {
  const isLoose = block?.shape === 'loose' && mannersOf(entry).includes('slash');
  return isLoose ? 'loose' : (shapeOf(entry) ?? looseShape(block, entry, hints));
}

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
