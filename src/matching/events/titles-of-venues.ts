/** Finds out whether titles and sources of events name the venues of others. */
import { containsSequence, tokenize, venueStopWords } from '../../text/tokens.ts';
import { distinctiveTokens } from '../entities/compare-venue-names.ts';
import type { EventFacts } from '../model.ts';

export type EventWithTitle = EventFacts & { title: readonly string[] };

/** Whether a title contains the distinctive tokens of a venue in order, with or without stop words between them. */
const titleContains = ({ title }: EventWithTitle, venueTokens: readonly string[]): boolean =>
  containsSequence(title, venueTokens) ||
  containsSequence(
    title.filter((word) => !venueStopWords.has(word)),
    venueTokens,
  );

/** Whether a title names the other's venue, or the source has its name: venues list their own events. */
export const titleNamesVenue = (a: EventWithTitle, b: EventWithTitle): boolean => {
  const words = b.venue ? distinctiveTokens(b.venue) : [];
  const name = words.join('');
  // "Bonobo @ Mehboob Studio" is no show in the bar of that name.
  const isAct = () => a.lineup?.some((act) => tokenize(act.name).join('') === name) ?? false;
  return (
    (name.length >= 3 && titleContains(a, words) && !isAct()) ||
    isNamedAfterVenue(a.source, b) ||
    titleNamesSource(a, b.source)
  );
};

/** Whether a source has the name of an event's venue. */
function isNamedAfterVenue(source: string, { venue }: EventFacts): boolean {
  const words = venue ? distinctiveTokens(venue) : [];
  return words.join('').length >= 4 && containsSequence(tokenize(source), words);
}

/** "Jane Doe at Zorlu PSM", listed by zorlupsm.com. */
function titleNamesSource({ title }: EventWithTitle, source: string): boolean {
  const [name = ''] = tokenize(source);
  return (
    name.length >= 6 &&
    title.some(
      (word, at) =>
        /^(?:at|in|im|en|au|op|w|na)$/.test(word) &&
        [2, 3, 4].some((end) => title.slice(at + 1, at + end).join('') === name),
    )
  );
}

/**
 * What the name of another source has in common with an event, as bits. Two events of different sources are compared
 * alike whatever their sources are, as long as these bits are the same.
 */
export const sourceNameBits = (event: EventWithTitle, source: string): number =>
  Number(isNamedAfterVenue(source, event)) + 2 * Number(titleNamesSource(event, source));

const movedPattern =
  /\b(?:verlegt|hochverlegt|umgezogen|moved|moving|relocated|(?:new|neue) (?:venue|location)|(?:venue|location) (?:change|upgrade)|change of venue|upgraded to|trasladad[oa]s?|cambio de (?:sala|recinto|sede|lugar|venue)|deplacee?s?|change(?:ment)? de (?:salle|lieu)|verplaatst|spostat[oa]|cambio (?:di )?(?:location|venue|sede)|movid[oa]|mudanca de local|przeniesion\w+|flyttad|flyttet|presunut\w*)\b/;

/** "Verlegt vom Gretchen ins Festsaal": a title says that the event moved, and names the other's venue. */
export function titleTellsMove(a: EventWithTitle, b: EventWithTitle): boolean {
  const words = b.venue ? distinctiveTokens(b.venue) : [];
  return words.join('').length >= 3 && movedPattern.test(a.title.join(' ')) && titleContains(a, words);
}
