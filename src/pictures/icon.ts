/**
 * Draws icons of the installed web app as SVG, from the operator's logo and accent colour. `draw-thread.ts` converts them
 * to PNG.
 */
import { drawLogo, type PictureLogo } from './card.ts';

export type Icon = {
  logo: PictureLogo | null;
  /** The accent colour on a dark background, `#rrggbb`. */
  accent: string;
  /** Width and height in pixels. */
  size: 180 | 192 | 512;
  /** Whether the system may cut it to a circle (W3C manifest, purpose "maskable"): the logo fills the safe zone only. */
  maskable: boolean;
};

/** Draws the icon of an installed site as SVG, with the logo in the middle of a square. */
export function drawIcon({ logo, accent, size, maskable }: Icon): string {
  // A mask keeps a circle of 80 % of the width; the largest square in it is 56 %.
  const inner = size * (maskable ? 0.54 : 0.68);
  const at = (size - inner) / 2;
  const background = logo === null ? '#131211' : '#fffdf8';
  const corner = maskable ? 0 : size * 0.18;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}"><rect width="${size}" height="${size}" rx="${corner}" fill="${background}"/>${drawLogo(logo, accent, at, at, inner, '#ece8de')}</svg>`;
}
