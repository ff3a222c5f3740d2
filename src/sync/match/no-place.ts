/** Names that stand where a place should, and are none (docs/spec/imports.md#evidence: "TBA", "secret location"). */
import { remembered } from '../../remembered.ts';
import { fold } from '../../store/fold.ts';
import { readVenueName } from '../reading/venues.ts';

const none =
  /^(?:tba|tbc|tbd|t\.b\.a|t\.b\.c|n\/?a|none|unknown|\?+|-+|(?:venue |location |place |exact location )?(?:to be|not yet|will be) (?:announced|confirmed|determined|revealed|disclosed)(?: soon)?|(?:a |the )?(?:secret|undisclosed|hidden|private|mystery|surprise)(?: \w+)?(?: (?:location|venue|place|spot|space|warehouse|party))?|(?:secret|hidden) \w+ (?:location|venue)|(?:location|venue|place) ?[-:(]? ?(?:tba|tbc|tbd|secret)\)?|tb[acd] ?[-:(]? ?(?:location|venue|place|\w+)\)?|various (?:venues|locations)|multiple (?:venues|locations)|online|virtual|streaming|livestream|live stream|geheim(?:er|e)?(?: ort| location)?|lieu (?:secret|a venir|tenu secret)|wird noch bekannt ?gegeben|location wird (?:noch )?bekannt ?gegeben|localizacion secreta|lugar (?:secreto|por confirmar)|por (?:confirmar|anunciar|determinar)|luogo segreto|da (?:definire|annunciare)|locatie (?:volgt|nog onbekend)|geheime locatie)[.!]*$/;

/** Houses are called so as well. */
const alsoHouses = /^(?:zoom|web|stream|twitch|youtube|internet|site)$/;

/** Whether the name of a venue is no place. Two of them are not the same place. */
export const isNoPlace: (name: string) => boolean = remembered(20_000, readsAsNone);

function readsAsNone(name: string): boolean {
  const folded = fold(name).trim();
  if (none.test(folded) || /^\W*(?:tb[acd]|secret (?:location|venue))\W/.test(folded)) return true;
  return !alsoHouses.test(folded) && readVenueName(name).isPlaceholder;
}
