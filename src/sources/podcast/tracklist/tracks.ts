/** Converts entries of a tracklist to tracks. The whole list shows which part of a line is the label. */
import { stated } from '../../common/values.ts';
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

/** A track in the feed format (docs/spec/feed-format.md#members-by-kind); a null artist or title is unknown. */
export type Track = {
  position: number;
  start_seconds?: number;
  artist_name: string | null;
  title: string | null;
  label_name?: string;
};

/** Where a list puts its labels. */
type LabelStyle = { third: boolean; slash: boolean; round: boolean; titleFirst: boolean };

const squareAtEnd = /^(.*\S)\s*[[{]([^[\]{}]+)[\]}]\s*$/;
const roundAtEnd = /^(.*\S)\s*\(([^()]+)\)\s*$/;
const slashAtEnd = /^(.*\S)\s+\/{1,2}\s+([^/]+)$/;
const pipeAtEnd = /^(.*\S)\s*\|\s*([^|]+)$/;

const isTrueForMost = (entries: readonly TracklistLine[], test: (entry: TracklistLine) => boolean): boolean =>
  entries.length > 1 && entries.filter(test).length >= entries.length * 0.6;

/** Suffixes of tracks: "(2017)", tempo and key. */
const yearsAtEnd = /\s*[([](?:19|20)\d\d(?:\s*[/-]\s*(?:19|20)\d\d)?[)\]]\s*$/;
const tempoAtEnd = /\s*[([]\s*\d{2,3}(?:[.,]\d+)?\s*bpm\b[^()[\]]*[)\]]\s*$/i;

/** Returns the parts about the track itself, without shop links, source record, tempo and year. */
function relevantParts({ parts }: TracklistLine, dated: boolean): string[] {
  const relevant = parts.filter((part, index) => index < 2 || !sideNote.test(part));
  const last = (relevant.at(-1) ?? '').replace(tempoAtEnd, '');
  return relevant.length < 2
    ? relevant
    : [...relevant.slice(0, -1), dated ? last.replace(yearsAtEnd, '') : last];
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

/** Whether titles come first, as in "Title (Artist Remix) - Artist": only the first part has versions. */
function titleComesFirst(entries: readonly TracklistLine[]): boolean {
  const hasVersion = (part: string | undefined): boolean =>
    [...(part ?? '').matchAll(/\(([^()]*)\)/g)].some(([, inner = '']) => mixVersionEnd.test(inner));
  const count = (index: number) => entries.filter(({ parts }) => hasVersion(parts[index])).length;
  return count(0) >= Math.max(2, entries.length * 0.2) && count(1) === 0;
}

/**
 * Converts the lines of one list.
 * @param lines the lines in order
 * @param timed whether their times are starts
 */
export function toTracks(lines: readonly TracklistLine[], timed: boolean): Track[] {
  const several = lines.filter(({ parts }) => parts.length > 1);
  const dated = isTrueForMost(several, ({ parts }) => yearsAtEnd.test(parts.at(-1) as string));
  const entries = lines.map((entry) => ({ ...entry, parts: relevantParts(entry, dated) }));
  const style = detectLabelStyle(entries.filter(({ parts }) => parts.length > 1));
  const tracks: Track[] = [];
  let previous: number | null = null;
  for (const entry of entries) {
    const start: number | null = timed ? (entry.start ?? (entry.isLayered ? previous : null)) : null;
    for (const parts of splitLayers(entry.parts)) {
      if (!isTrack(parts)) continue;
      tracks.push({
        position: tracks.length + 1,
        ...stated({ start_seconds: start }),
        ...toTrack(parts, style),
      });
    }
    previous = start ?? previous;
  }
  return tracks;
}

const layerSeparator = /\s+(?:w\/|\(w\/|\/\/\s*w\/)\s*/i;

/** Splits "A - B w/ C - D" into two tracks; "A - B w/ C" is one. */
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
  style: LabelStyle,
): Pick<Track, 'artist_name' | 'title' | 'label_name'> {
  if (parts.length === 1) return { artist_name: null, title: null };
  const [artist = '', ...rest] = parts;
  const third = style.third && rest.length > 1 ? rest.pop() : undefined;
  const { title, label } = titleAndLabel(rest.join(' - '), style);
  const name = label ?? (third === undefined ? labelInTitle(rest.join(' - ')) : cleanLabel(third));
  const [by, what] = style.titleFirst ? [title, artist] : [artist, title];
  return {
    artist_name: cleanName(by),
    title: cleanName(what.replace(quotedTitleBefore, '$1')),
    ...stated({ label_name: name }),
  };
}

/** "“Title” from Record on Label (2024)" */
const quotedTitleBefore = /^(["“„][^"“”]+["”“])\s+(?:from|off|taken from|on)\s.*$/u;
const onLabel =
  /^["“„][^"“”]+["”“]\s+(?:(?:from|off|taken from)\s.*)?\bon\s+(\S.*?)\s*(?:\((?:19|20)\d\d\))?$/u;
function labelInTitle(title: string): string | null {
  const label = onLabel.exec(title)?.[1];
  return label === undefined || /^independent$/i.test(label) ? null : cleanLabel(label);
}

/** Removes labels and notes from the end of a title. */
function titleAndLabel(text: string, style: LabelStyle): { title: string; label: string | null } {
  let title = text;
  let label: string | null = null;
  for (let count = 0; count < 4; count++) {
    const square = squareAtEnd.exec(title);
    const round = square ? null : roundAtEnd.exec(title);
    const match = square ?? round ?? pipeAtEnd.exec(title) ?? (style.slash ? slashAtEnd.exec(title) : null);
    if (!match) break;
    const suffix = (match[2] as string).trim();
    const isNonLabel = nonLabel.test(suffix) && !unidentified.test(match[1] as string);
    if (!isNonLabel && (versionWord.test(suffix) || (round && !style.round && !labelWord.test(suffix))))
      break;
    if (label !== null && !isNonLabel) break;
    label ??=
      round && releaseWithYear.test(suffix)
        ? null
        : (cleanLabel(suffix)?.replace(round ? recordBeforeLabel : /$^/, '') ?? null);
    title = match[1] as string;
  }
  return { title, label };
}

/** "(Record 2018)": the record of a track. */
const releaseWithYear = /[^\s,/|-]\s+(?:19|20)\d\d$/;
/** "(Record - Label)" */
const recordBeforeLabel = /^.*\S\s[-–—]\s+\[?(?=\D)/;

/** Removes catalogue number, year and release notes from a label; null if nothing is left. */
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

/** Removes quotes around a name; null for "ID" and similar. */
function cleanName(text: string): string | null {
  let name = text.trim();
  for (const [quotes, inner] of quotePairs) name = name.replace(quotes, inner);
  name = name.replace(/^[\s:|,–—-]+|[\s:|,–—-]+$/gu, '');
  const bare = name.replace(/[([].*$/, '').trim();
  return name === '' || unidentified.test(name) || unidentified.test(bare) ? null : truncateName(name);
}

const truncateName = (name: string): string => name.slice(0, 500);
