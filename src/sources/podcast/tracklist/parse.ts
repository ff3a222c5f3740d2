/**
 * Tracklists written in show notes (docs/spec/imports.md#sources: podcast). Precision first: a list counts where it has a heading or
 * enough lines of one shape, and what talk shows, schedules and lists of links write does not.
 */

import { acceptTracklist, type BlockShape, type LineBlock, type TracklistHints } from './classify.ts';
import { joinBrokenLines, parseHeading, splitTracks } from './layout.ts';
import { isTrack, parseTracklistLine, possibleStyles, type TracklistLine } from './line.ts';
import { sectionHeading, setHeading, unidentified } from './patterns.ts';
import type { Track } from './tracks.ts';

export type { TracklistHints } from './classify.ts';
export type { Track } from './tracks.ts';

/** More lines than this are no notes of one show. */
const maxLines = 3_000;
const maxTracks = 600;
/** What a line says behind this many letters is no track. */
const maxLineLength = 3_000;
const truncate = (line: string): string => line.slice(0, maxLineLength);

/**
 * The tracks that show notes tell.
 * @param text show notes as text, one line for each that a reader sees
 * @returns the tracks in order; none where there is no tracklist
 */
export function parseTracklist(text: string, hints: TracklistHints = {}): Track[] {
  const lists = joinContinuedBlocks(splitBlocks(text.split('\n').slice(0, maxLines).map(truncate), hints))
    .map((block) => acceptTracklist(block, hints))
    .filter((list) => list !== null);
  const headed = lists.filter((list) => list.hasHeading);
  const chosen = headed.length > 0 ? headed : lists;
  return chosen
    .flatMap(({ tracks }) => tracks)
    .slice(0, maxTracks)
    .map((track, index) => ({ ...track, position: index + 1 }));
}

/** A chapter of an episode: where it starts, in seconds, and what it is called. */
export type Chapter = { start: number; title: string };

/** Chapters as tracks, where they are tracks: those of talk shows are not. */
export function chaptersToTracks(chapters: readonly Chapter[], hints: TracklistHints = {}): Track[] {
  const entries = chapters.slice(0, maxLines).flatMap(({ start, title }) => {
    const entry = parseTracklistLine(truncate(title));
    return entry ? [{ ...entry, start: Math.floor(start) }] : [];
  });
  if (hints.isTalkShow || entries.length < chapters.length * 0.5) return [];
  return (
    acceptTracklist({ hasHeading: false, shape: 'timed', entries, misses: 0 }, hints)?.tracks ?? []
  ).slice(0, maxTracks);
}

function splitBlocks(lines: string[], hints: TracklistHints): LineBlock[] {
  const blocks: LineBlock[] = [];
  let block: LineBlock | null = null;
  let blank = false;
  const end = () => {
    if (block && block.entries.length > 0) blocks.push(block);
    block = null;
  };
  const place = (line: string) => {
    if (block && (sectionHeading.test(line) || setHeading.test(line))) return;
    const entry = parseTracklistLine(line);
    const shape = entry ? shapeInBlock(block, entry, hints) : null;
    if (!entry || shape === null) {
      block = countMiss(block, line, blank);
      if (block === null) return;
      if (block.misses > 1) end();
      return;
    }
    if (block && !isSameShape(block, shape)) end();
    block ??= { hasHeading: false, shape: null, entries: [], misses: 0 };
    block.entries.push(entry);
    block.misses = 0;
    if (shape !== 'any') block.shape ??= shape;
  };
  for (const line of joinBrokenLines(lines.map((each) => each.trim()))) {
    if (line === '') {
      blank = true;
      continue;
    }
    const head = parseHeading(line) ?? (block === null && setHeading.test(line) ? '' : null);
    if (head !== null) {
      end();
      block = { hasHeading: true, shape: null, entries: [], misses: 0 };
      // "Tracklist: TBA"
      if (!unidentified.test(head)) for (const part of splitTracks(head, true)) place(part);
    } else for (const part of splitTracks(line, block !== null)) place(part);
    blank = false;
    // What was collected ends where something else begins; the block itself is handed over there.
    if (block && (block as LineBlock).misses > 1) end();
  }
  end();
  return blocks;
}

/** Numbered lists that go on behind what is said of a track are one. */
function joinContinuedBlocks(blocks: LineBlock[]): LineBlock[] {
  const whole: LineBlock[] = [];
  let open: LineBlock | null = null;
  for (const block of blocks) {
    const first = block.shape === 'numbered' ? block.entries[0]?.number : null;
    const last: number | null | undefined = open?.entries.findLast(({ number }) => number !== null)?.number;
    if (open && !block.hasHeading && typeof first === 'number' && first === (last ?? -1) + 1) {
      open.entries.push(...block.entries);
      continue;
    }
    if (block.shape === 'numbered') open = block;
    whole.push(block);
  }
  return whole;
}

/** A line that is no track: a list goes on over one odd line without a gap. */
function countMiss(block: LineBlock | null, line: string, blank: boolean): LineBlock | null {
  if (block === null) return block;
  if (block.hasHeading && block.entries.length === 0) return { ...block, misses: block.misses + 0.5 };
  block.misses += blank || line.length > 120 ? 2 : 1;
  return block;
}

/** Under a heading, lines that are parted otherwise than by dashes may be a list of their own; in a show about music by slashes. */
function looseShape(
  block: LineBlock | null,
  entry: TracklistLine,
  { isMusicShow: music }: TracklistHints,
): BlockShape | null {
  const manners = possibleStyles(entry);
  const counts = block?.hasHeading
    ? (block.shape ?? 'loose') === 'loose' && manners.length > 0
    : music === true && manners.includes('slash');
  return counts ? 'loose' : null;
}

/** In a list that has no dashes, a line with another mark in it is one of them. */
function shapeInBlock(
  block: LineBlock | null,
  entry: TracklistLine,
  hints: TracklistHints,
): BlockShape | 'any' | null {
  const isLoose = block?.shape === 'loose' && possibleStyles(entry).includes('slash');
  return isLoose ? 'loose' : (lineShape(entry) ?? looseShape(block, entry, hints));
}

/** How a line is told from others; "any" goes with all, null is no line of a list. */
function lineShape(entry: TracklistLine): BlockShape | 'any' | null {
  if (entry.start !== null || entry.bracketed !== null) return 'timed';
  if (entry.number !== null && !entry.isNumberUncertain) return 'numbered';
  if (entry.isLayered) return 'any';
  if (entry.isNumberUncertain || entry.hasRecordSide) return entry.partsWithNumber.length > 1 ? 'any' : null;
  return isTrack(entry.parts) ? 'bare' : null;
}

const isSameShape = (block: LineBlock, shape: BlockShape | 'any'): boolean =>
  shape === 'any' || block.shape === null || block.shape === shape;
