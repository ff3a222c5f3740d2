/**
 * Contrast of colours (WCAG 2.2, success criterion 1.4.3), and the shades of an accent colour that are readable on the
 * papers of the pages. No colour is readable on both papers: one dark enough for the light paper is too dark for the
 * dark one. Hue and saturation stay; lightness moves until the shade is readable.
 */

/** Red, green and blue from 0 to 1, in sRGB. */
type Rgb = readonly [number, number, number];

/** The backgrounds of the pages (`pages/style.ts`), and the colours of text on the accent. */
export const papers = { light: ['#f5f2ea', '#fffdf8'], dark: ['#131211', '#1c1a18'] } as const;
const inks = { light: '#fffdf8', dark: '#131211' } as const;

/** The ratio that normal text needs. */
export const minContrast = 4.5;

/** A shade of the accent: the accent itself, and the text on it. */
export type Shade = { accent: string; onAccent: string };
export type AccentShades = { light: Shade; dark: Shade };

const toRgb = (colour: string): Rgb => {
  const part = (at: number): number => Number.parseInt(colour.slice(at, at + 2), 16) / 255;
  return [part(1), part(3), part(5)];
};
const toHex = (rgb: Rgb): string =>
  `#${rgb
    .map((part) =>
      Math.round(part * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;

/** Relative luminance. */
function luminance(colour: string): number {
  const linear = (part: number): number => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  const [red, green, blue] = toRgb(colour);
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

/** The contrast ratio of two colours (`#rrggbb`), from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

/** Hue in degrees, saturation and lightness from 0 to 1. */
function toHsl([red, green, blue]: Rgb): [number, number, number] {
  const [max, min] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  const [lightness, range] = [(max + min) / 2, max - min];
  if (range === 0) return [0, 0, lightness];
  const saturation = range / (1 - Math.abs(2 * lightness - 1));
  const sector =
    max === red
      ? ((green - blue) / range + 6) % 6
      : max === green
        ? (blue - red) / range + 2
        : (red - green) / range + 4;
  return [sector * 60, saturation, lightness];
}

function fromHsl(hue: number, saturation: number, lightness: number): Rgb {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const part = (offset: number): number => {
    const sector = (offset + hue / 30) % 12;
    return lightness - reach * Math.max(-1, Math.min(sector - 3, 9 - sector, 1));
  };
  return [part(0), part(8), part(4)];
}

const isReadable = (colour: string, scheme: 'light' | 'dark'): boolean =>
  papers[scheme].every((paper) => contrast(colour, paper) >= minContrast);

const lightnessStep = 0.005;

/** The given colour if it is readable on the paper, otherwise the nearest lightness of the same hue that is. */
function readableShade(colour: string, scheme: 'light' | 'dark'): string {
  if (isReadable(colour, scheme)) return colour;
  const [hue, saturation, lightness] = toHsl(toRgb(colour));
  const step = scheme === 'light' ? -lightnessStep : lightnessStep;
  for (let at = lightness + step; at > 0 && at < 1; at += step) {
    const shade = toHex(fromHsl(hue, saturation, at));
    if (isReadable(shade, scheme)) return shade;
  }
  return scheme === 'light' ? '#000000' : '#ffffff';
}

function shadeFor(colour: string, scheme: 'light' | 'dark'): Shade {
  const accent = readableShade(colour, scheme);
  const onAccent = contrast(accent, inks.light) >= contrast(accent, inks.dark) ? inks.light : inks.dark;
  return { accent, onAccent };
}

/** The shades of an accent colour on light and dark paper. @param colour `#rrggbb` */
export const accentShades = (colour: string): AccentShades => ({
  light: shadeFor(colour, 'light'),
  dark: shadeFor(colour, 'dark'),
});
