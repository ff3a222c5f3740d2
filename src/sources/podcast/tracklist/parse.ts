/**
 * Parses tracklists in show notes (docs/spec/imports.md#sources: podcast), with priority on precision. A list counts if
 * it has a heading or enough lines of one shape. Talk shows, schedules and lists of links are excluded.
 */

import { acceptTracklist, type BlockShape, type LineBlock, type TracklistHints } from './classify.ts';
import { joinBrokenLines, parseHeading, splitTracks } from './layout.ts';
import { isTrack, parseTracklistLine, possibleStyles, type TracklistLine } from './line.ts';
import { sectionHeading, setHeading, unidentified } from './patterns.ts';
import type { Track } from './tracks.ts';

export type { TracklistHints } from './classify.ts';
export type { Track } from './tracks.ts';

/** Max lines of show notes. */
const maxLines = 3_000;
const maxTracks = 600;
/** Max length of a line in UTF-16 units; the rest is ignored. */
const maxLineLength = 3_000;
const truncate = (line: string): string => line.slice(0, maxLineLength);

/**
 * Parses show notes.
 * @param text show notes as text, one line for each visible line
 * @returns the tracks in order; empty without a tracklist
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

/** A chapter of an episode: its start in seconds, and its title. */
export type Chapter = { start: number; title: string };

/** Converts chapters to tracks; empty if they are not tracks, as in talk shows. */
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
    // A block ends after two misses.
    if (block && (block as LineBlock).misses > 1) end();
  }
  end();
  return blocks;
}

/** Joins numbered lists that are interrupted by comments on a track. */
function joinContinuedBlocks(blocks: LineBlock[]): LineBlock[] {
  const joined: LineBlock[] = [];
  let open: LineBlock | null = null;
  for (const block of blocks) {
    const first = block.shape === 'numbered' ? block.entries[0]?.number : null;
    const last: number | null | undefined = open?.entries.findLast(({ number }) => number !== null)?.number;
    if (open && !block.hasHeading && typeof first === 'number' && first === (last ?? -1) + 1) {
      open.entries.push(...block.entries);
      continue;
    }
    if (block.shape === 'numbered') open = block;
    joined.push(block);
  }
  return joined;
}

/** Counts a line that is no track. A list continues after one such line without a gap. */
function countMiss(block: LineBlock | null, line: string, blank: boolean): LineBlock | null {
  if (block === null) return block;
  if (block.hasHeading && block.entries.length === 0) return { ...block, misses: block.misses + 0.5 };
  block.misses += blank || line.length > 120 ? 2 : 1;
  return block;
}

/** Returns the shape of a line without dashes. Under a heading every style counts; in a music show only slashes. */
function looseShape(
  block: LineBlock | null,
  entry: TracklistLine,
  { isMusicShow }: TracklistHints,
): BlockShape | null {
  const styles = possibleStyles(entry);
  const isLoose = block?.hasHeading
    ? (block.shape ?? 'loose') === 'loose' && styles.length > 0
    : isMusicShow === true && styles.includes('slash');
  return isLoose ? 'loose' : null;
}

/** Returns the shape of a line in its block. In a list without dashes, a line with a slash belongs to the list. */
function shapeInBlock(
  block: LineBlock | null,
  entry: TracklistLine,
  hints: TracklistHints,
): BlockShape | 'any' | null {
  const isLoose = block?.shape === 'loose' && possibleStyles(entry).includes('slash');
  return isLoose ? 'loose' : (lineShape(entry) ?? looseShape(block, entry, hints));
}

/** Returns the shape of a line; "any" fits every list, null is no list line. */
function lineShape(entry: TracklistLine): BlockShape | 'any' | null {
  if (entry.start !== null || entry.bracketed !== null) return 'timed';
  if (entry.number !== null && !entry.isNumberUncertain) return 'numbered';
  if (entry.isLayered) return 'any';
  if (entry.isNumberUncertain || entry.hasRecordSide) return entry.partsWithNumber.length > 1 ? 'any' : null;
  return isTrack(entry.parts) ? 'bare' : null;
}

const isSameShape = (block: LineBlock, shape: BlockShape | 'any'): boolean =>
  shape === 'any' || block.shape === null || block.shape === shape;
