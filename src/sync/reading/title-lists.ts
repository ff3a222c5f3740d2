/** Lists inside titles: where they begin, where they end, and what stands before them. */
import { cutOutside, splitOutside, unbracket } from './split.ts';
import { trim } from './title-noise.ts';
import { strong } from './title-parts.ts';
import * as words from './words.ts';

/** Signs between the names of a list. */
export const listSign = /,|;|\s\+\s|\sb[2-5]b(?:[2-5]?b)*\s|\s\/\s|\sf2f\s|\svs\.?\s|\s[x×]\s/iu;

/** "HÖR x Tresor": two houses or labels together. */
export const isCrossed = (text: string): boolean =>
  /\s[x×]\s/iu.test(text) && !/,|\sb\db\s|\s\/\s/iu.test(text);

/** "ODESZA with special guest Bob Moses" is a concert; of "Signals with Bob Moses" nobody knows whether Signals plays. */
export const supported =
  /^(?:(?:very )?special guests?|guests?|supports?|opener|opening acts?)(?:\s*:|\s+(?:from|by))?\s+(?=\S)/iu;

/** "Series: Night feat. Ann", "Night feat. Ann, Bob, Cid": who stands before may be a night as well. */
export function withoutLead(list: string, isNamed: boolean): string {
  const cut = cutOutside(list, featuring);
  if (cut === null || cut.before.trim() === '' || listSign.test(cut.before)) return list;
  return isNamed || /,.*,|,.*&|\s&\s/.test(cut.after) ? cut.after : list;
}
const featuring = new RegExp(`\\s${words.from}(?:feat\\.?|ft\\.?|featuring)${words.to}\\.?\\s*`, 'iu');

/** "with Ann & Bob" is more often two than a duo; "Nick Cave & The Bad Seeds" one. */
export const enumerated = (list: string): string =>
  listSign.test(list)
    ? list
    : list.replace(
        /^(.+?)\s(?:&|and|und|et|y|e|i|en)\s(?!(?:the|his|her|their|die|das|der|les|los)\s)(.+)$/iu,
        '$1, $2',
      );

/** What follows "with" up to the next strong separator, where that is a list by itself: "w/ Ann, Bob • Techno • Harbour, Town". */
export function listPart(text: string): string {
  const { parts } = splitOutside(text, strong);
  const first = parts[0] as string;
  return parts.length > 1 && /,/.test(first) ? first : text;
}

/** "Night – House, Set & Match: Ann, Bob": whatever stands before the last colon, what follows is the list. */
export function afterColon(text: string): { series: string | null; list: string | null } | null {
  const colon = text.lastIndexOf(': ');
  if (colon < 1) return null;
  const [before, after] = [text.slice(0, colon), text.slice(colon + 2)];
  const isLong = listSign.test(unbracket(before).outside) || splitOutside(before, strong).parts.length > 1;
  if (!isLong || !listSign.test(unbracket(after).outside)) return null;
  if (splitOutside(after, strong).parts.length > 1) return null;
  return { series: splitOutside(before, strong).parts.map(trim).join(' '), list: after };
}
