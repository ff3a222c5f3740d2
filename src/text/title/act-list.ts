/** Finds lists of acts inside titles and the text before them. */
import { cutOutsideBrackets, extractBrackets, splitOutsideBrackets } from '../brackets.ts';
import * as words from '../patterns.ts';
import { trimSeparators } from './noise.ts';
import { segmentSeparator } from './qualifiers.ts';

/** Separators between the names of a list. */
export const listSeparator = /,|;|\s\+\s|\sb[2-5]b(?:[2-5]?b)*\s|\s\/\s|\sf2f\s|\svs\.?\s|\s[x×]\s/iu;

/** Whether a text names two venues or labels that cooperate: "HÖR x Tresor". */
export const isCollaboration = (text: string): boolean =>
  /\s[x×]\s/iu.test(text) && !/,|\sb\db\s|\s\/\s/iu.test(text);

/** The phrase before a supporting act: in "ODESZA with special guest Bob Moses" both play; in "Signals with Bob Moses" perhaps only one. */
export const supportPrefix =
  /^(?:(?:very )?special guests?|guests?|supports?|opener|opening acts?)(?:\s*:|\s+(?:from|by))?\s+(?=\S)/iu;

/** Removes the text before "feat." where it may be a series: "Series: Night feat. Ann", "Night feat. Ann, Bob, Cid". */
export function withoutLeadBeforeFeaturing(list: string, isNamed: boolean): string {
  const cut = cutOutsideBrackets(list, featuring);
  if (cut === null || cut.before.trim() === '' || listSeparator.test(cut.before)) return list;
  return isNamed || /,.*,|,.*&|\s&\s/.test(cut.after) ? cut.after : list;
}
const featuring = new RegExp(
  `\\s${words.wordStart}(?:feat\\.?|ft\\.?|featuring)${words.wordEnd}\\.?\\s*`,
  'iu',
);

/** Splits "Ann & Bob" behind "with", which are more often two acts than a duo; "Nick Cave & The Bad Seeds" stays one. */
export const enumerateWithCommas = (list: string): string =>
  listSeparator.test(list)
    ? list
    : list.replace(
        /^(.+?)\s(?:&|and|und|et|y|e|i|en)\s(?!(?:the|his|her|their|die|das|der|les|los)\s)(.+)$/iu,
        '$1, $2',
      );

/** The text up to the next strong separator, if it is a list: "Ann, Bob • Techno • Harbour, Town". */
export function leadingList(text: string): string {
  const { parts } = splitOutsideBrackets(text, segmentSeparator);
  const [first] = parts;
  return parts.length > 1 && /,/.test(first) ? first : text;
}

/** Splits a title at its last colon, if a list follows: "Night – House, Set & Match: Ann, Bob". */
export function splitAtLastColon(text: string): { series: string | null; list: string | null } | null {
  const colon = text.lastIndexOf(': ');
  if (colon < 1) return null;
  const [before, after] = [text.slice(0, colon), text.slice(colon + 2)];
  const isLong =
    listSeparator.test(extractBrackets(before).outside) ||
    splitOutsideBrackets(before, segmentSeparator).parts.length > 1;
  if (!isLong || !listSeparator.test(extractBrackets(after).outside)) return null;
  if (splitOutsideBrackets(after, segmentSeparator).parts.length > 1) return null;
  return {
    series: splitOutsideBrackets(before, segmentSeparator).parts.map(trimSeparators).join(' '),
    list: after,
  };
}
