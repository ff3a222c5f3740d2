/**
 * Reads the line-up out of the description of an event: only behind a clear label ("Line-up: Ann, Bob", a list of lines
 * below "LINE-UP"), never out of prose. The result depends on the text alone, not on the catalogue.
 */
import type { FeedLineupEntry } from '../contract/feed.ts';
import { derivedSet } from './event-lineup.ts';
import { restoreEmojiNames, writeEmojiNames } from './lineup/emoji-acts.ts';
import { isStageName } from './lineup/non-artist.ts';
import { parseNormalizedLineup } from './lineup/parse.ts';
import { isHeading, isStageHeading } from './lineup/stage-headings.ts';
import { normalizeText } from './normalize.ts';
import { filterActs } from './title/filter-acts.ts';
import type { TitleContext } from './types.ts';

/** What of a description is read; line-ups stand near its beginning. */
const maxText = 20_000;
const maxLines = 500;
const maxLineLength = 800;
/** Lines and characters of one list below a heading, and lists of one description. */
const maxListLines = 150;
const maxListLength = 4_000;
const maxLists = 20;
/** Acts of one description. */
const maxActs = 200;
/** A longer line of a list is a sentence. */
const maxItemLength = 120;

const lineupWord = '(?:(?:full|complete|the|das|our|unser|dj|live) )?line[- –]{0,3}ups?';
const otherLabel =
  'acts?|live ?acts?|artists?|artistes?|artistas?|artisti|künstler(?:innen)?|djs?|dj[ -]sets?|live|live ?(?:&|\\+|and|und) ?djs?|featuring|feat\\.?';
/** Signs before a label: bullets, stars, emoji. */
const lead = '^[^\\p{L}\\p{N}]{0,10}';
/** A quick test that most descriptions fail. */
const anyLabel =
  /line[- –]{0,3}up|(?:^|\n)[^\p{L}\p{N}\n]{0,10}(?:live|acts?|artist|artisti|künstler|djs?|feat|w\/|with[\s:]|mit[\s:])/iu;
const headingAlone = new RegExp(
  `${lead}(?:${lineupWord}(?: ?\\(?a ?[-–/] ?z\\)?)?\\s?:?|(?:${otherLabel})\\s?:)[^\\p{L}\\p{N}]{0,10}$`,
  'iu',
);
const labelAndList = new RegExp(`${lead}(?:${lineupWord}|${otherLabel})\\s?:\\s*(?=\\S)`, 'iu');
/** "… all night. Line-up: Ann, Bob". */
const labelWithin = new RegExp(`[.!?|•–]\\s+${lineupWord}\\s?:\\s*(?=\\S)`, 'iu');
/** "w/ Ann, Bob" and "mit Ann Arbor, Bob Barker": labels that also begin sentences. */
const shortLabel = /^[^\p{L}\p{N}]{0,10}(?:(w\s?\/|(?:with|mit)\s?:)|(?:with|mit)\s)\s?:?\s*(?=\S)/iu;

/** What ends a list on the same line: another label, or a sentence. */
const listEnd =
  /(?<![\p{L}\p{N}])(?:tickets?|doors?(?: open)?|einlass|beginn|eintritt|entry|admission|price|preis|vvk|ak|abendkasse|when|where|wann|wo|time|date|location|venue|ort|info(?:s|rmation(?:en)?)?|genres?|music|musik|visuals?|dress ?code)\s?:|[.!?]\s+(?:(?:tickets?|doors?|einlass|entry|eintritt)(?![\p{L}\p{N}])|\p{Lu}[\p{L}']*\s\p{Ll})|https?:\/\//iu;

/**
 * Extracts the line-up from a description whose source record states none.
 * @param description text with line breaks; what lies behind the first 20,000 characters is ignored
 * @param context venue and city, which are no acts
 */
export function lineupFromDescription(description: string, context: TitleContext = {}): FeedLineupEntry[] {
  const text = description.slice(0, maxText);
  if (!anyLabel.test(text)) return [];
  const entries: FeedLineupEntry[] = [];
  const seen = new Set<string>();
  for (const [index, list] of findLists(text).entries())
    for (const { name, billing, stage, group } of readList(list, context)) {
      const key = `${stage ?? ''}\0${name.toLowerCase()}`;
      if (seen.has(key) || entries.length >= maxActs) continue;
      seen.add(key);
      entries.push({
        name,
        ...(billing === null ? {} : { billing }),
        ...(stage === null ? {} : { stage }),
        ...(group === null ? {} : { set: derivedSet(index, group) }),
      });
    }
  return entries;
}

/** A list behind a label; `isSure` unless the label also begins sentences. */
type LabelledList = { text: string; isSure: boolean };

/** The labelled lists of a description. */
function findLists(text: string): LabelledList[] {
  const lines = text.split('\n', maxLines).map((line) =>
    normalizeText(writeEmojiNames(line.slice(0, maxLineLength)))
      .slice(0, maxLineLength)
      .trim(),
  );
  const lists: LabelledList[] = [];
  for (let at = 0; at < lines.length && lists.length < maxLists; at++) {
    const line = lines[at] as string;
    if (line === '') continue;
    if (headingAlone.test(line)) {
      const end = endOfList(lines, at + 1);
      if (end > at + 1) lists.push({ text: joinLines(lines.slice(at + 1, end)), isSure: true });
      at = end - 1;
      continue;
    }
    const list = listOfLine(line);
    if (list !== null) lists.push(list);
  }
  return lists;
}

/** The list behind a label of the same line. */
function listOfLine(line: string): LabelledList | null {
  const label = labelAndList.exec(line) ?? labelWithin.exec(line);
  if (label !== null) return { text: cutList(line.slice(label.index + label[0].length)), isSure: true };
  const short = shortLabel.exec(line);
  if (short === null) return null;
  return { text: cutList(line.slice(short[0].length)), isSure: short[1] !== undefined };
}

function cutList(text: string): string {
  const end = listEnd.exec(text);
  return end === null ? text : text.slice(0, end.index);
}

const joinLines = (lines: readonly string[]): string =>
  lines
    .filter((line) => line !== '')
    .map(lines.length > 1 ? withoutAnnotation : String)
    .join('\n')
    .slice(0, maxListLength);

/** "Ann | Label" and "Ann – Town" are Ann in a list with a line for each act; "23:00 – 01:00 Ann" and "Room 2 – Ann" stay. */
function withoutAnnotation(line: string): string {
  const before = /^([^\d|–-][^|–]*?)\s+[|–-]\s/u.exec(line)?.[1];
  return before === undefined || !/\p{L}/u.test(before) || isHeadingLine(before) || isHeading(before)
    ? line
    : before;
}

const withoutLetters = /^[^\p{L}\p{N}]*$/u;
const clockTimes = /^[\d\s:.,–-]+(?:h|uhr|am|pm)?$/iu;

/**
 * The index behind the last line of a list. An empty line ends it, unless each of its lines is followed by one, or a
 * heading follows.
 */
function endOfList(lines: readonly string[], start: number): number {
  let end = start;
  let isSpaced: boolean | null = null;
  let items = 0;
  for (let at = start; at < lines.length && at < start + maxListLines; at++) {
    const line = lines[at] as string;
    if (line === '') continue;
    const gap = at > start && lines[at - 1] === '';
    if (items === 1 && isSpaced === null) isSpaced = gap;
    const isBreak = gap && items > 0 && isSpaced !== true;
    if (!withoutLetters.test(line) && !clockTimes.test(line)) {
      if (!isItem(line) || (isBreak && !isHeadingLine(line))) break;
      items++;
    }
    end = at + 1;
  }
  return items === 0 ? start : end;
}

function isItem(line: string): boolean {
  if (isHeadingLine(line)) return true;
  const end = listEnd.exec(line);
  return (
    line.length <= maxItemLength && (end === null || end.index > 0) && !isProse(line) && !line.endsWith(':')
  );
}

/** Whether a line names a stage or a kind of act: "Main Floor:", "DJs:", "Room 2". */
function isHeadingLine(line: string): boolean {
  const head = line.replace(/\s?:$/u, '').replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
  if (head.length > 40) return false;
  return isStageName(head) || (line.endsWith(':') && (isStageHeading(head) || isHeading(head)));
}

/** Small words within names, which may be in lower case: "DJ Bone of Detroit", "Robag vom Wruhme". */
const joiners =
  /^(?:b[2-5]b|f2f|vs\.?|x|of|the|de|da|di|del|la|le|van|von|vom|der|den|and|und|et|y|e|aka|live|dj|set|feat\.?|ft\.?|pres\.?|all|night|long)$/iu;

/** Whether a text is a sentence, or a part of one, rather than a name: most of its words are in lower case. */
function isProse(text: string): boolean {
  const all = text.split(/[\s,;/|•+&()[\]]+/u).filter((word) => /\p{L}/u.test(word) && !joiners.test(word));
  const lower = all.filter((word) => /^["'„“]?\p{Ll}/u.test(word)).length;
  return all.length >= 3 && lower * 2 > all.length;
}

/** A name of two words or more with capitals, or with a mark: "Ann Arbor", "Bob (live)". */
const fullName = /^\p{Lu}\S*\s(?:\S+\s)*\p{Lu}|[([]|\bb2b\b|^DJ\s/u;

/** The acts of a list; none if a part of it is prose. */
function readList({ text, isSure }: LabelledList, context: TitleContext): ReturnType<typeof filterActs> {
  const parts = text.split(/[,;\n•|]/u).map((part) => part.trim());
  if (parts.some(isProse)) return [];
  const { acts } = parseNormalizedLineup(text);
  if (acts.some(({ name }) => isProse(name) || name.length > 80)) return [];
  if (!isSure) {
    const parts = text.split(/[,;\n•|&+]|\s(?:and|und)\s/iu).map((part) => part.trim());
    const named = parts.filter((part) => fullName.test(part)).length;
    if (parts.length < 2 || named * 2 < parts.length) return [];
  }
  return restoreEmojiNames(filterActs(acts, true, false, context).filter(({ name }) => /\p{L}/u.test(name)));
}
