/**
 * Removes instruments behind a name ("Ann – drums, electronics").
 *
 * The words overlap ("double bass" is one word or two), so a backtracking expression tries every way to read them:
 * 26 instruments took over 30 s. Here each position of the text is decided once, from its end to its beginning.
 */
import { termsOf } from '../lexicon.ts';

const joiners = [',', '&', '+', '/', 'and', 'und', 'et', 'y'];

const groupByFirstLetter = (list: readonly string[]): ReadonlyMap<string, string[]> =>
  Map.groupBy(list, (word) => word[0] as string);
const modifiersByFirstLetter = groupByFirstLetter(termsOf('instruments', 'modifier'));
const instrumentsByFirstLetter = groupByFirstLetter(termsOf('instruments', 'instrument'));
const joinersByFirstLetter = groupByFirstLetter(joiners);

const isSpace = (sign: string | undefined): boolean => sign !== undefined && /\s/.test(sign);

/**
 * Removes a list of instruments at the end of a name.
 * @param text one name; the time is linear in its length
 * @returns the name alone; the text itself if no list of instruments ends it
 */
export function stripInstruments(text: string): string {
  for (let at = 0, lists: boolean[] | null = null; at < text.length; at++) {
    if (!startsList(text, at)) continue;
    lists ??= findInstrumentLists(text);
    let first = at + 1;
    while (isSpace(text[first])) first++;
    if (lists[first]) return text.slice(0, at).trimEnd();
  }
  return text;
}

/** Whether a text is nothing but a list of instruments: "drums", "Bass & Percussion". */
export const isInstrumentList = (text: string): boolean => findInstrumentLists(text)[0] ?? false;

/** Whether a dash, bar or colon that may begin a list stands at this position: " – ", " | ", ": ". */
function startsList(text: string, at: number): boolean {
  const sign = text[at];
  if (sign !== ':' && sign !== '–' && sign !== '-' && sign !== '|') return false;
  return isSpace(text[at + 1]) && (sign === ':' || isSpace(text[at - 1]));
}

/** For each position, whether a list of instruments extends from it to the end of the text. */
function findInstrumentLists(text: string): boolean[] {
  const lower = text.toLowerCase();
  const letters = lower.length === text.length ? lower : text;
  const end = letters.length;
  /** Whether the text ends at a position or continues with a joiner and a list. */
  const goesOn: boolean[] = new Array(end + 1).fill(false);
  const lists: boolean[] = new Array(end + 2).fill(false);
  /** For each position, the next one that is not a space. */
  const solid: number[] = new Array(end + 1).fill(end);
  goesOn[end] = true;
  for (let at = end - 1; at >= 0; at--) {
    solid[at] = isSpace(letters[at]) ? (solid[at + 1] as number) : at;
    const begins = (word: string): boolean => letters.startsWith(word, at);
    const first = letters[at] as string;
    lists[at] =
      (instrumentsByFirstLetter.get(first)?.some((word) => begins(word) && goesOn[at + word.length]) ??
        false) ||
      (modifiersByFirstLetter.get(first)?.some((word) => {
        const behind = at + word.length;
        return begins(word) && (lists[behind] || (letters[behind] === ' ' && lists[behind + 1]));
      }) ??
        false);
    goesOn[at] =
      solid[at] === at
        ? (joinersByFirstLetter
            .get(first)
            ?.some((joiner) => begins(joiner) && lists[solid[at + joiner.length] as number]) ?? false)
        : (goesOn[solid[at] as number] as boolean) && solid[at] !== end;
  }
  return lists;
}
