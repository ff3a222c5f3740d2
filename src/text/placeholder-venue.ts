/** Names that stand where a place should, and are none (docs/spec/imports.md#evidence: "TBA", "secret location"). */
import { memoize } from '../memoize.ts';
import { fold } from './fold.ts';
import { parseVenueName } from './venue-name.ts';

const placeholderPattern =
  /^(?:tba|tbc|tbd|t\.b\.a|t\.b\.c|n\/?a|none|unknown|\?+|-+|(?:venue |location |place |exact location )?(?:to be|not yet|will be) (?:announced|confirmed|determined|revealed|disclosed)(?: soon)?|(?:a |the )?(?:secret|undisclosed|hidden|private|mystery|surprise)(?: \w+)?(?: (?:location|venue|place|spot|space|warehouse|party))?|(?:secret|hidden) \w+ (?:location|venue)|(?:location|venue|place) ?[-:(]? ?(?:tba|tbc|tbd|secret)\)?|tb[acd] ?[-:(]? ?(?:location|venue|place|\w+)\)?|various (?:venues|locations)|multiple (?:venues|locations)|online|virtual|streaming|livestream|live stream|geheim(?:er|e)?(?: ort| location)?|lieu (?:secret|a venir|tenu secret)|wird noch bekannt ?gegeben|location wird (?:noch )?bekannt ?gegeben|localizacion secreta|lugar (?:secreto|por confirmar)|por (?:confirmar|anunciar|determinar)|luogo segreto|da (?:definire|annunciare)|locatie (?:volgt|nog onbekend)|geheime locatie)[.!]*$/;

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
