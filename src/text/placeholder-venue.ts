/** Recognizes placeholders for venues: "TBA", "secret location" (docs/spec/imports.md#evidence). */
import { memoize } from '../memoize.ts';
import { fold } from './fold.ts';
import { alternatives } from './lexicon.ts';
import { removedArtistText } from './removed-artist.ts';
import { parseVenueName } from './venue-name.ts';

const placeholderPattern = new RegExp(`^(?:${alternatives('placeholder-names', 'venue')})[.!]*$`);

/** Words that are also names of venues. */
const alsoVenueNames = /^(?:zoom|web|stream|twitch|youtube|internet|site)$/;

/** Whether a venue's name is a placeholder. Two equal placeholders are not the same place. */
export const isPlaceholderVenue: (name: string) => boolean = memoize(20_000, readPlaceholder);

function readPlaceholder(name: string): boolean {
  const folded = fold(name).trim();
  if (folded === removedArtistText) return true;
  if (placeholderPattern.test(folded) || /^\W*(?:tb[acd]|secret (?:location|venue))\W/.test(folded))
    return true;
  return !alsoVenueNames.test(folded) && parseVenueName(name).isPlaceholder;
}
