/** The sizes in which pictures are served, and the digest that names a picture. */
import { hash } from 'node:crypto';

/** Widths in pixels. A smaller original is never enlarged. */
export const pictureWidths = [96, 320, 640, 1200] as const;
export type PictureWidth = (typeof pictureWidths)[number];
/** Whether a width is one of those that paths of pictures may name. */
export const isPictureWidth = (width: number): width is PictureWidth =>
  (pictureWidths as readonly number[]).includes(width);

/** The digest of an address: the name of its file, and at its start the version in the path of the picture. */
export const digestOf = (address: string): string => hash('sha256', address, 'hex').slice(0, 32);

/** Maximum height in multiples of the width: a page as long as a film strip is cut. */
export const maxHeightPerWidth = 3;

export type SizedPicture = { width: number; height: number; bytes: Uint8Array };

/** Returns the widths in which an original is kept: all smaller ones, and its own if it is between two. */
export function widthsFor(original: number): number[] {
  const smaller = pictureWidths.filter((width) => width < original);
  return smaller.length < pictureWidths.length ? [...smaller, original] : smaller;
}

/** Selects the smallest size that is at least as wide as asked for; the largest if there is none. */
export const selectSize = <T extends { width: number }>(sizes: readonly T[], width: number): T | undefined =>
  sizes.find((size) => size.width >= width) ?? sizes.at(-1);
