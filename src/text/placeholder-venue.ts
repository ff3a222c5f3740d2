/** Names that stand where a place should, and are none (docs/spec/imports.md#evidence: "TBA", "secret location"). */
import { memoize } from '../memoize.ts';
import { fold } from './fold.ts';
import { alternatives } from './lexicon.ts';
import { parseVenueName } from './venue-name.ts';

const placeholderPattern = new RegExp(`^(?:${alternatives('placeholder-names', 'venue')})[.!]*$`);

/** Houses are called so as well. */
const alsoVenueNames = /^(?:zoom|web|stream|twitch|youtube|internet|site)$/;

/** Whether the name of a venue is no place. Two of them are not the same place. */
export const isPlaceholderVenue: (name: string) => boolean = memoize(20_000, readPlaceholder);

function readPlaceholder(name: string): boolean {
  const folded = fold(name).trim();
  if (placeholderPattern.test(folded) || /^\W*(?:tb[acd]|secret (?:location|venue))\W/.test(folded))
    return true;
  return !alsoVenueNames.test(folded) && parseVenueName(name).isPlaceholder;
}
