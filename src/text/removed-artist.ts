/** The words that stand for the name of a forgotten artist (docs/guides/privacy-requests.md). */
export const removedArtistText = 'removed artist';

/** Whether a name contains them. Two such names may have been those of two people. */
export const namesRemovedArtist = (name: string): boolean => name.includes(removedArtistText);

/** The words of a name beside them. */
export const withoutRemovedArtist = (name: string): string =>
  name.replaceAll(removedArtistText, ' ').replace(/\s+/g, ' ').trim();
