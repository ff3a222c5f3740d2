/** Entries of one tracklist as tracks: the list as a whole shows which part of a line is the label. */
import { isTrack, type TracklistLine } from './line.ts';
import {
  catalogueNumber,
  forthcomingPrefix,
  labelWord,
  mixVersionEnd,
  nonLabel,
  sideNote,
  unidentified,
  versionWord,
} from './patterns.ts';

/** A track as the feed writes it (docs/spec/feed-format.md#members-by-kind); a null artist or title says that nobody knows it. */
export type Track = {
  position: number;
  start_seconds?: number;
  artist_name: string | null;
  title: string | null;
  label_name?: string;
};

/** How this list writes its labels. */
type LabelStyle = { third: boolean; slash: boolean; round: boolean; titleFirst: boolean };

const squareAtEnd = /^(.*\S)\s*[[{]([^[\]{}]+)[\]}]\s*$/;
const roundAtEnd = /^(.*\S)\s*\(([^()]+)\)\s*$/;
const slashAtEnd = /^(.*\S)\s+\/{1,2}\s+([^/]+)$/;
const pipeAtEnd = /^(.*\S)\s*\|\s*([^|]+)$/;

const isTrueForMost = (entries: readonly TracklistLine[], test: (entry: TracklistLine) => boolean): boolean =>
  entries.length > 1 && entries.filter(test).length >= entries.length * 0.6;

/** "(2017)" behind all tracks; the tempo and the key of one. */
const yearsAtEnd = /\s*[([](?:19|20)\d\d(?:\s*[/-]\s*(?:19|20)\d\d)?[)\]]\s*$/;
const tempoAtEnd = /\s*[([]\s*\d{2,3}(?:[.,]\d+)?\s*bpm\b[^()[\]]*[)\]]\s*$/i;

/** The parts that tell of the track: not where to buy it, which record it is from, its tempo, its year. */
function relevantParts({ parts }: TracklistLine, dated: boolean): string[] {
  const told = parts.filter((part, index) => index < 2 || !sideNote.test(part));
  const last = (told.at(-1) ?? '').replace(tempoAtEnd, '');
  return told.length < 2 ? told : [...told.slice(0, -1), dated ? last.replace(yearsAtEnd, '') : last];
}

function detectLabelStyle(entries: readonly TracklistLine[]): LabelStyle {
  const last = (entry: TracklistLine) => entry.parts.at(-1) ?? '';
  return {
    third: isTrueForMost(
      entries,
      ({ parts }) => parts.length > 2 && !versionWord.test(parts.at(-1) as string),
    ),
    slash: isTrueForMost(entries, (entry) => slashAtEnd.test(last(entry))),
    round: isTrueForMost(entries, (entry) => {
      const inBrackets = roundAtEnd.exec(last(entry))?.[2];
      return inBrackets !== undefined && !versionWord.test(inBrackets);
    }),
    titleFirst: titleComesFirst(entries),
  };
}

/** "Title (Artist Remix) - Artist": versions belong to titles, and here they are behind the first name, never the second. */
function titleComesFirst(entries: readonly TracklistLine[]): boolean {
  const hasVersion = (part: string | undefined): boolean =>
    [...(part ?? '').matchAll(/\(([^()]*)\)/g)].some(([, inner = '']) => mixVersionEnd.test(inner));
  const count = (index: number) => entries.filter(({ parts }) => hasVersion(parts[index])).length;
  return count(0) >= Math.max(2, entries.length * 0.2) && count(1) === 0;
}

/**
 * @param read the lines of one list, in order
 * @param timed whether their times tell where they start
 */
export function toTracks(read: readonly TracklistLine[], timed: boolean): Track[] {
  const several = read.filter(({ parts }) => parts.length > 1);
  const dated = isTrueForMost(several, ({ parts }) => yearsAtEnd.test(parts.at(-1) as string));
  const entries = read.map((entry) => ({ ...entry, parts: relevantParts(entry, dated) }));
  const habit = detectLabelStyle(entries.filter(({ parts }) => parts.length > 1));
  const tracks: Track[] = [];
  let previous: number | null = null;
  for (const entry of entries) {
    const start: number | null = timed ? (entry.start ?? (entry.isLayered ? previous : null)) : null;
    for (const parts of splitLayers(entry.parts)) {
      if (!isTrack(parts)) continue;
      const track = toTrack(parts, habit);
      tracks.push({
        position: tracks.length + 1,
        ...(start === null ? {} : { start_seconds: start }),
        ...track,
      });
    }
    previous = start ?? previous;
  }
  return tracks;
}

const layerSeparator = /\s+(?:w\/|\(w\/|\/\/\s*w\/)\s*/i;

/** "A - B w/ C - D" are two tracks, "A - B w/ C" is one. */
function splitLayers(parts: string[]): string[][] {
  const at = parts.findIndex(
    (part, index) => index > 0 && index < parts.length - 1 && layerSeparator.test(part),
  );
  if (at === -1) return [parts];
  const [before = '', after = ''] = (parts[at] as string).split(layerSeparator);
  const closed = parts.slice(at + 1).map((part) => part.replace(/^([^()]*)\)$/, '$1'));
  return [[...parts.slice(0, at), before], ...splitLayers([after, ...closed])];
}

function toTrack(
  parts: readonly string[],
  habit: LabelStyle,
): Pick<Track, 'artist_name' | 'title' | 'label_name'> {
  if (parts.length === 1) return { artist_name: null, title: null };
  const [artist = '', ...rest] = parts;
  const third = habit.third && rest.length > 1 ? rest.pop() : undefined;
  const { title, label } = titleAndLabel(rest.join(' - '), habit);
  const name = label ?? (third === undefined ? labelInTitle(rest.join(' - ')) : cleanLabel(third));
  const [by, what] = habit.titleFirst ? [title, artist] : [artist, title];
  return {
    artist_name: cleanName(by),
    title: cleanName(what.replace(quotedTitleBefore, '$1')),
    ...(name === null ? {} : { label_name: name }),
  };
}

/** "“Title” from Record on Label (2024)" */
const quotedTitleBefore = /^(["“„][^"“”]+["”“])\s+(?:from|off|taken from|on)\s.*$/u;
const onLabel =
  /^["“„][^"“”]+["”“]\s+(?:(?:from|off|taken from)\s.*)?\bon\s+(\S.*?)\s*(?:\((?:19|20)\d\d\))?$/u;
function labelInTitle(title: string): string | null {
  const said = onLabel.exec(title)?.[1];
  return said === undefined || /^independent$/i.test(said) ? null : cleanLabel(said);
}

/** Takes labels and what is no label off the end of a title. */
function titleAndLabel(text: string, habit: LabelStyle): { title: string; label: string | null } {
  let title = text;
  let label: string | null = null;
  for (let turn = 0; turn < 4; turn++) {
    const square = squareAtEnd.exec(title);
    const round = square ? null : roundAtEnd.exec(title);
    const match = square ?? round ?? pipeAtEnd.exec(title) ?? (habit.slash ? slashAtEnd.exec(title) : null);
    if (!match) break;
    const said = (match[2] as string).trim();
    const isNone = nonLabel.test(said) && !unidentified.test(match[1] as string);
    if (!isNone && (versionWord.test(said) || (round && !habit.round && !labelWord.test(said)))) break;
    if (label !== null && !isNone) break;
    label ??=
      round && releaseWithYear.test(said)
        ? null
        : (cleanLabel(said)?.replace(round ? recordBeforeLabel : /$^/, '') ?? null);
    title = match[1] as string;
  }
  return { title, label };
}

/** "(Record 2018)": the record that a track is from. */
const releaseWithYear = /[^\s,/|-]\s+(?:19|20)\d\d$/;
/** "(Record - Label)" */
const recordBeforeLabel = /^.*\S\s[-–—]\s+\[?(?=\D)/;

/** A label's name without the number of the record, its year, or that it is yet to come; null where none is left. */
function cleanLabel(text: string): string | null {
  const name = text
    .trim()
    .replace(/^\((.*)\)$/, '$1')
    .replace(forthcomingPrefix, '')
    .replace(/^(?:label|on)\s*:\s*/i, '')
    .replace(/[\s,/|-]+\(?(?:19|20)\d\d\)?$/, '')
    .replace(/[,/|–—:-]\s*(\S+(?: \d+)?)$/, (whole, last: string) =>
      catalogueNumber.test(last) ? '' : whole,
    )
    .replace(/\s+(\S+)$/, (whole, last: string) =>
      /\d/.test(last) && catalogueNumber.test(last) ? '' : whole,
    )
    .trim();
  return name === '' || nonLabel.test(name) || unidentified.test(name) || catalogueNumber.test(name)
    ? null
    : truncateName(name);
}

const quotePairs: [RegExp, string][] = [
  [/^["“„”](.+)["“”]$/u, '$1'],
  [/^[‘'](.+)['’]$/u, '$1'],
  [/^«(.+)»$/u, '$1'],
  [/^["“„]([^"“”]+)["”“](\s.*)$/u, '$1$2'],
  [/^[‘']([^'’]+)['’](\s*[([].*)$/u, '$1$2'],
];

/** A name without the quotes around it; null for "ID" and the like. */
function cleanName(text: string): string | null {
  let name = text.trim();
  for (const [quotes, inner] of quotePairs) name = name.replace(quotes, inner);
  name = name.replace(/^[\s:|,–—-]+|[\s:|,–—-]+$/gu, '');
  const bare = name.replace(/[([].*$/, '').trim();
  return name === '' || unidentified.test(name) || unidentified.test(bare) ? null : truncateName(name);
}

const truncateName = (name: string): string => name.slice(0, 500);
