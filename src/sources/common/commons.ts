/** Addresses of pictures on Wikimedia Commons, as Wikidata and MusicBrainz state them. */

/** Width in pixels of the picture that is requested: originals are often too large. */
const pictureWidth = 1200;

const filePattern =
  /^https?:\/\/commons\.wikimedia\.org\/wiki\/(?:Special:FilePath\/|File:)([^/?#]{1,300}\.(?:jpe?g|png|gif|webp))$/i;

/**
 * The address of a picture from the page or the path of its file
 * (`https://commons.wikimedia.org/wiki/File:Ben_Klock.jpg`); null for other addresses, and for formats that browsers
 * do not show.
 */
export function commonsPicture(address: string | null): string | null {
  const file = filePattern.exec(address ?? '')?.[1];
  return file === undefined
    ? null
    : `https://commons.wikimedia.org/wiki/Special:FilePath/${file}?width=${pictureWidth}`;
}
