/** Entries of one tracklist as tracks: the list as a whole shows which part of a line is the label. */
import { type Entry, isTrack } from './tracklist-line.ts';
import { catalogueNumber, noLabel, soon, surelyLabel, unidentified, version } from './tracklist-words.ts';

/** A track as the feed writes it (feed.md, episode); a null artist or title says that nobody knows it. */
export type Track = {
  position: number;
  start_seconds?: number;
  artist_name: string | null;
  title: string | null;
  label_name?: string;
};

/** How this list writes its labels. */
type Habit = { third: boolean; slash: boolean; round: boolean };

const squareAtEnd = /^(.*\S)\s*[[{]([^[\]{}]+)[\]}]\s*$/;
const roundAtEnd = /^(.*\S)\s*\(([^()]+)\)\s*$/;
const slashAtEnd = /^(.*\S)\s+\/{1,2}\s+([^/]+)$/;
const pipeAtEnd = /^(.*\S)\s*\|\s*([^|]+)$/;

const most = (entries: readonly Entry[], test: (entry: Entry) => boolean): boolean =>
  entries.length > 1 && entries.filter(test).length >= entries.length * 0.6;

function habitOf(entries: readonly Entry[]): Habit {
  const last = (entry: Entry) => entry.parts.at(-1) ?? '';
  return {
    third: most(entries, ({ parts }) => parts.length > 2 && !version.test(parts.at(-1) as string)),
    slash: most(entries, (entry) => slashAtEnd.test(last(entry))),
    round: most(entries, (entry) => {
      const inBrackets = roundAtEnd.exec(last(entry))?.[2];
      return inBrackets !== undefined && !version.test(inBrackets);
    }),
  };
}

/**
 * @param entries the lines of one list, in order
 * @param timed whether their times tell where they start
 */
export function tracksOf(entries: readonly Entry[], timed: boolean): Track[] {
  const habit = habitOf(entries.filter(({ parts }) => parts.length > 1));
  const tracks: Track[] = [];
  let previous: number | null = null;
  for (const entry of entries) {
    const start: number | null = timed ? (entry.start ?? (entry.layered ? previous : null)) : null;
    for (const parts of layersOf(entry.parts)) {
      if (!isTrack(parts)) continue;
      const track = trackOf(parts, habit);
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

const layer = /\s+(?:w\/|\(w\/|\/\/\s*w\/)\s*/i;

/** "A - B w/ C - D" are two tracks, "A - B w/ C" is one. */
function layersOf(parts: string[]): string[][] {
  const at = parts.findIndex((part, index) => index > 0 && index < parts.length - 1 && layer.test(part));
  if (at === -1) return [parts];
  const [before = '', after = ''] = (parts[at] as string).split(layer);
  const closed = parts.slice(at + 1).map((part) => part.replace(/^([^()]*)\)$/, '$1'));
  return [[...parts.slice(0, at), before], ...layersOf([after, ...closed])];
}

function trackOf(
  parts: readonly string[],
  habit: Habit,
): Pick<Track, 'artist_name' | 'title' | 'label_name'> {
  if (parts.length === 1) return { artist_name: null, title: null };
  const [artist = '', ...rest] = parts;
  const third = habit.third && rest.length > 1 ? rest.pop() : undefined;
  const { title, label } = titleAndLabel(rest.join(' - '), habit);
  const name = label ?? (third === undefined ? null : labelOf(third));
  return {
    artist_name: known(artist),
    title: known(title),
    ...(name === null ? {} : { label_name: name }),
  };
}

/** Takes labels and what is no label off the end of a title. */
function titleAndLabel(text: string, habit: Habit): { title: string; label: string | null } {
  let title = text;
  let label: string | null = null;
  for (let turn = 0; turn < 4; turn++) {
    const square = squareAtEnd.exec(title);
    const round = square ? null : roundAtEnd.exec(title);
    const match = square ?? round ?? pipeAtEnd.exec(title) ?? (habit.slash ? slashAtEnd.exec(title) : null);
    if (!match) break;
    const said = (match[2] as string).trim();
    const isNone = noLabel.test(said) && !unidentified.test(match[1] as string);
    if (!isNone && (version.test(said) || (round && !habit.round && !surelyLabel.test(said)))) break;
    if (label !== null && !isNone) break;
    label ??= labelOf(said);
    title = match[1] as string;
  }
  return { title, label };
}

/** A label's name without the number of the record, its year, or that it is yet to come; null where none is left. */
function labelOf(text: string): string | null {
  const name = text
    .replace(soon, '')
    .replace(/^(?:label|on)\s*:\s*/i, '')
    .replace(/[\s,/|-]+\(?(?:19|20)\d\d\)?$/, '')
    .replace(/[,/|–—:-]\s*(\S+(?: \d+)?)$/, (whole, last: string) =>
      catalogueNumber.test(last) ? '' : whole,
    )
    .replace(/\s+(\S+)$/, (whole, last: string) =>
      /\d/.test(last) && catalogueNumber.test(last) ? '' : whole,
    )
    .trim();
  return name === '' || noLabel.test(name) || unidentified.test(name) || catalogueNumber.test(name)
    ? null
    : clipped(name);
}

const pairs: [RegExp, string][] = [
  [/^["“„”](.+)["“”]$/u, '$1'],
  [/^[‘'](.+)['’]$/u, '$1'],
  [/^«(.+)»$/u, '$1'],
  [/^["“„]([^"“”]+)["”“](\s.*)$/u, '$1$2'],
  [/^[‘']([^'’]+)['’](\s*[([].*)$/u, '$1$2'],
];

/** A name without the quotes around it; null for "ID" and the like. */
function known(text: string): string | null {
  let name = text.trim();
  for (const [quotes, inner] of pairs) name = name.replace(quotes, inner);
  name = name.replace(/^[\s:|,–—-]+|[\s:|,–—-]+$/gu, '');
  const bare = name.replace(/[([].*$/, '').trim();
  return name === '' || unidentified.test(name) || unidentified.test(bare) ? null : clipped(name);
}

const clipped = (name: string): string => name.slice(0, 500);
