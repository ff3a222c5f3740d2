/**
 * The labelled pairs of songs (Structured iTunes-Amazon, ditto's format), compared with the product's functions for names:
 * the song's title (without featured guests, "[Explicit]" and kinds of edition), the version in brackets (remix, live,
 * acoustic), the artists, the album and the time. Genre, price, copyright and date of release are left out, because the two
 * shops fill them differently. The thresholds were chosen by reading; none is trained on the labels.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { extractBrackets } from '../src/text/brackets.ts';
import { parseLineupEntry } from '../src/text/lineup/parse.ts';
import { isSameName, latinize, nameKey, nameSimilarity } from '../src/text/name-similarity.ts';
import type { ParsedAct } from '../src/text/types.ts';
import type { Judged } from './matching-figures.ts';

const folder = fileURLToPath(new URL('../../shared/data/matching/', import.meta.url));

type Song = Record<string, string>;

/** The pairs of all files there; null where the folder is not. */
export function readSongPairs(): Judged[] | null {
  if (!existsSync(folder)) return null;
  return readdirSync(folder)
    .filter((name) => name.endsWith('.txt'))
    .sort()
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
    .filter((line) => line.trim() !== '')
    .map(readPair);
}

function readPair(line: string): Judged {
  const [left = '', right = '', label = ''] = line.split('\t');
  const [a, b] = [readSong(left), readSong(right)];
  const same = label.trim() === '1';
  return { tag: 'songs', same, found: isSameSong(a, b), describe: () => `${written(a)}\n  ${written(b)}` };
}

function readSong(text: string): Song {
  const fields = text.split(/\bCOL /).slice(1);
  return Object.fromEntries(
    fields.map((field) => {
      const [name = '', value = ''] = field.split(/ VAL ?/);
      return [name.trim(), joined(value)];
    }),
  );
}

/** The files part words from signs: "Do n't ( feat . X )" is "Don't (feat. X)". */
const joined = (text: string): string =>
  text
    .replace(/ (n't|'\w+)(?= |$)/g, '$1')
    .replace(/ ([,.)\]])/g, '$1')
    .replace(/([([]) /g, '$1')
    .trim();

const written = (song: Song): string =>
  `${song.Artist_Name} – ${song.Song_Name} (${song.Album_Name}, ${song.Time}, ${song.Price})`;

/** Kinds of edition and marks of the shop: they tell no song from another. */
const shopWords =
  /\b(?:explicit|clean|edited|album|version|main|original|amazon|exclusive|deluxe|bonus|track|video|digital|booklet|edition|ep|single|amended|fan|remaster(?:ed)?|the|and|with|feat|ft|featuring|\d{4})\b/g;
const featured = /^(?:feat\.?|ft\.?|featuring|with)\s/i;

function readTitle(text: string): { core: string; version: string[] } {
  const { outside, contents } = extractBrackets(text.replace(/\s+-\s+(?:EP|Single)$/i, ''));
  const core = latinize(outside.replace(/\s(?:feat|ft)\.?\s.*$/i, '') || text);
  const version = contents
    .filter((content) => !featured.test(content))
    .flatMap((content) => latinize(content).replace(shopWords, ' ').split(' '))
    .filter((word) => word !== '');
  return { core, version: [...new Set(version)].sort() };
}

/** Versions that are other recordings than the song itself. */
const otherRecording =
  /^(?:remix|remixes|mix|live|acoustic|instrumental|karaoke|demo|edit|dub|reprise|cover|tribute|rework|bootleg|unplugged|a|cappella|acapella|interlude|intro|outro|skit|remixed|club|extended|radio|session|sessions|spanish|orchestral|stripped|pt|part|vol)$/;

function isSameSong(a: Song, b: Song): boolean {
  const [one, other] = [readTitle(a.Song_Name ?? ''), readTitle(b.Song_Name ?? '')];
  const likeness = nameSimilarity(one.core, other.core);
  if (likeness < 0.75) return false;
  const apart = differing(one.version, other.version);
  const seconds = Math.abs(secondsOf(a.Time) - secondsOf(b.Time));
  // Two remixes are two recordings, and so are a song and its remix; their times agree where only the wording differs.
  const isRecording = [...one.version, ...other.version].some((word) => otherRecording.test(word));
  if (isRecording && apart.length > 0 && !(seconds <= 2)) return false;
  if (!haveSharedAct(actsOf(a), actsOf(b))) return false;
  // A title with damaged letters needs all else to agree.
  if (likeness < 0.9 && (apart.length > 0 || !(seconds <= 1))) return false;
  const albums = alike(albumWords(a.Album_Name ?? ''), albumWords(b.Album_Name ?? ''));
  if (Number.isNaN(seconds)) return albums >= 0.5;
  // The same recording on another album has the same time, give or take a fade; a hit's other versions seldom have.
  return albums >= 0.5 ? seconds <= 32 : seconds <= 1 && albums > 0;
}

/** Whether two line-ups share an act, whatever their order; an act written "A & B" meets A, B and "A and B". */
function haveSharedAct(a: readonly ParsedAct[], b: readonly ParsedAct[]): boolean {
  const names = a.flatMap((act) => namesToCompare(act, b));
  const others = b.flatMap((act) => namesToCompare(act, a));
  return names.some((name) =>
    others.some((other) => nameKey(other) === nameKey(name) || isSameName(other, name)),
  );
}

/** The names of an act: both alternatives of "A & B" where the other line-up lists one of them alone. */
function namesToCompare(act: ParsedAct, others: readonly ParsedAct[]): string[] {
  const apart = act.alternatives.some((name) => others.some((other) => isSameName(other.name, name)));
  return apart ? act.alternatives : [act.name];
}

const actsOf = (song: Song): ParsedAct[] =>
  parseLineupEntry((song.Artist_Name ?? '').replace(/ & /g, ', ').replace(/ and /g, ', '));

const differing = (a: string[], b: string[]): string[] => [
  ...a.filter((word) => !b.includes(word)),
  ...b.filter((word) => !a.includes(word)),
];

function albumWords(text: string): string[] {
  const words = latinize(text).replace(shopWords, ' ').split(' ');
  return [...new Set(words.filter((word) => word !== ''))];
}

/** Words in common, of those of the shorter title. */
function alike(a: string[], b: string[]): number {
  if (a.length === 0 || b.length === 0) return a.length === b.length ? 1 : 0;
  return a.filter((word) => b.includes(word)).length / Math.min(a.length, b.length);
}

function secondsOf(time: string | undefined): number {
  const match = /^(?:(\d+):)?(\d+):(\d\d)$/.exec(time ?? '');
  return match ? Number(match[1] ?? 0) * 3_600 + Number(match[2]) * 60 + Number(match[3]) : Number.NaN;
}
