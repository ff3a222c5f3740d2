/**
 * Covers for records without a picture: a square of one colour with a pattern and the initials of the name. The same name
 * has the same cover everywhere. All that is drawn is in the path, so a cover needs no look-up and never changes.
 */
import { hash } from 'node:crypto';
import { escapeXml } from '../escape-xml.ts';
import { wellFormed } from '../well-formed.ts';

/** What a cover shows: a step of the colour circle, a number that selects the pattern, and up to two letters. */
export type Cover = { tone: number; seed: number; letters: string };

/** Steps of the colour circle. */
const tones = 12;
const maxSeed = 4_096;
/** Changes with the drawing, because browsers keep covers for ever. */
const version = 1;

const numberOf = (text: string): number => Number.parseInt(hash('sha256', text, 'hex').slice(0, 8), 16);

/**
 * Describes the cover of a record.
 * @param genre the name of its first genre, which gives the colour; null: the name gives it
 */
export function coverOf(name: string, genre: string | null = null): Cover {
  return {
    tone: numberOf(`tone ${genre ?? name}`.toLowerCase()) % tones,
    seed: numberOf(name) % maxSeed,
    letters: initialsOf(name),
  };
}

const letter = /[\p{L}\p{N}]\p{M}{0,2}/u;

/** The first letters of the first two words: "Ben Klock" is BK. */
function initialsOf(name: string): string {
  const words = name.slice(0, 100).split(/[\s/&+,.()-]+/u);
  const letters = words.flatMap((word) => letter.exec(word)?.[0] ?? []);
  // Half of a character cannot be in a path.
  return wellFormed(letters.slice(0, 2).join('').toUpperCase().normalize('NFC').slice(0, 6));
}

/** The path of a cover below the site URL. */
export const coverPath = ({ tone, seed, letters }: Cover): string =>
  `/media/cover/${version}-${tone}-${seed}-${encodeURIComponent(letters)}.svg`;

/** Parses the path of a cover; null if it is not one. */
export function parseCoverPath(path: string): Cover | null {
  const match = /^\/media\/cover\/1-(\d{1,2})-(\d{1,4})-([^/]{0,60})\.svg$/.exec(path);
  if (match === null) return null;
  const [, tone, seed, encoded = ''] = match;
  try {
    const letters = decodeURIComponent(encoded);
    const isValid = /^(?:[\p{L}\p{N}\p{M}]{1,6})?$/u.test(letters);
    const cover = { tone: Number(tone), seed: Number(seed), letters };
    return isValid && cover.tone < tones && cover.seed < maxSeed ? cover : null;
  } catch {
    return null;
  }
}

const side = 120;

/** Rings around a corner, as the grooves of a record. */
const grooves = (seed: number): string => {
  const [x, y] = [(seed & 1) * side, ((seed >> 1) & 1) * 40];
  const step = 9 + ((seed >> 2) & 3) * 3;
  const count = Math.ceil(150 / step);
  return Array.from(
    { length: count },
    (_, at) => `<circle cx="${x}" cy="${y}" r="${(at + 1) * step}"/>`,
  ).join('');
};

/** Bars of different heights from the top, as levels. */
const levels = (seed: number): string => {
  const bars = 8 + (seed & 3) * 2;
  const width = side / bars;
  return Array.from({ length: bars }, (_, at) => {
    const height = 16 + (((seed + 7) * (at * at + 3)) % 53);
    return `<path d="M${round((at + 0.5) * width)} 0v${height}"/>`;
  }).join('');
};

/** Waves one below the other. */
const waves = (seed: number): string => {
  const [step, rise] = [10 + (seed & 3) * 2, 6 + ((seed >> 2) & 7)];
  const count = Math.ceil(80 / step);
  return Array.from(
    { length: count },
    (_, at) => `<path d="M-10 ${at * step + 4}q35 ${-rise} 70 0t70 0"/>`,
  ).join('');
};

/** Parallel lines across. */
const slants = (seed: number): string => {
  const [step, lean] = [8 + (seed & 3) * 3, 30 + ((seed >> 2) & 3) * 30];
  const count = Math.ceil((side + lean) / step);
  return Array.from({ length: count }, (_, at) => `<path d="M${at * step} 0l${-lean} 84"/>`).join('');
};

const patterns = [grooves, levels, waves, slants];
const round = (value: number): number => Math.round(value * 10) / 10;

/** The natural size of a cover that stands for a picture: the page sees by it that there is no picture (`site-script.ts`). */
export const substituteSide = 1;

/**
 * Draws a cover as SVG, in the light or dark scheme of the visitor.
 * @param natural its natural width and height in pixels
 */
export function drawCover({ tone, seed, letters }: Cover, natural = side): string {
  const hue = Math.round((tone * 360) / tones) + 12;
  const pattern = (patterns[seed % patterns.length] as (seed: number) => string)(seed >> 2);
  const width = 2 + (seed % 3);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" width="${natural}" height="${natural}"><style>
rect{fill:hsl(${hue} 24% 84%)}g{fill:none;stroke:hsl(${hue} 26% 74%);stroke-width:${width}}text{fill:hsl(${hue} 40% 25%);font:700 38px system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue','Noto Sans','DejaVu Sans',sans-serif;letter-spacing:-1.5px}
@media(prefers-color-scheme:dark){rect{fill:hsl(${hue} 16% 16%)}g{stroke:hsl(${hue} 18% 25%)}text{fill:hsl(${hue} 32% 78%)}}</style><rect width="${side}" height="${side}"/><g>${pattern}</g><text x="10" y="108">${escapeXml(letters)}</text></svg>`;
}
