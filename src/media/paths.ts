/** The paths of pictures. They contain the record and a digest of its address, so that no other address can be requested. */
import { digestOf, isPictureWidth, type PictureWidth } from './sizes.ts';

/** How much of the digest of an address is in the path. */
const versionLength = 16;

const versionOf = (address: string): string => digestOf(address).slice(0, versionLength);

/** What the path of a picture names. */
export type PicturePath = { id: string; version: string; width: PictureWidth };

/**
 * The path of a picture below the site URL.
 * @param id the public id of the record
 * @param address the address of the picture in the catalogue
 */
export const picturePath = (id: string, address: string, width: PictureWidth): string =>
  `/media/${id}/${versionOf(address)}-${width}.webp`;

/** Parses the path of a picture; null if it is not one. */
export function parsePicturePath(path: string): PicturePath | null {
  const match = /^\/media\/([a-z]{3}_[0-9a-z]{1,11})\/([0-9a-f]{16})-([1-9]\d{1,3})\.webp$/.exec(path);
  if (match === null) return null;
  const [, id = '', version = '', digits] = match;
  const width = Number(digits);
  return isPictureWidth(width) ? { id, version, width } : null;
}

/** Whether a path names the present address of a record. */
export const isPathOf = ({ version }: PicturePath, address: string): boolean =>
  version === versionOf(address);
