/** One entry of a line-up: the name of an act and what is written around it. */
import type { Act, Mark } from './act.ts';
import { besideless } from './beside.ts';
import { plain } from './plain.ts';
import { splitOutside, unbracket } from './split.ts';
import * as words from './words.ts';

const clock =
  '(?:[01]?\\d|2[0-4])(?:[:.h][0-5]\\d(?:\\s?(?:h|uhr|am|pm))?|\\s?(?:h|uhr|am|pm|a\\.m\\.|p\\.m\\.))(?!\\p{L})';
const closing = `(?:${clock}|(?:ende?|close|closing|late|open end|fin|cierre)(?!\\p{L})|\\d{1,2}(?!\\d)(?:\\s?(?:h|uhr|am|pm))?)`;
const hours = `(?:${clock}|\\d{1,2})\\s*(?:[–-]|to|till?|bis|à|a|>|→)\\s*${closing}`;
const times = new RegExp(
  `${words.from}[([]?\\s*${hours.replace(`(?:${clock}|\\d{1,2})`, clock)}\\s*[)\\]]?${words.to}`,
  'giu',
);
/** Each run of spaces belongs to one part alone: two parts side by side would try all ways to share it. */
const timed = `(?:(?:[([]\\s*)?${hours}\\s*(?:[)\\]]\\s*)?|${clock}\\s*)(?:[)\\]]\\s*)?`;
const leadingTime = new RegExp(`^\\s*(?:[([]\\s*)?${timed}[:|–-]*\\s*`, 'iu');
const trailingTime = new RegExp(
  `(?<!\\s)\\s*(?:[@|–-]\\s*)?(?:[([]\\s*)?(?<![\\p{L}\\p{N}:.])${timed}$`,
  'iu',
);
/** No time at the end of a text is longer. */
const longestTime = 80;
const hasTimes = /\d/;

/** Takes set times away from the ends of a text and spans of times from its middle; digits of names stay. */
export function dropTimes(text: string): string {
  if (!hasTimes.test(text)) return text;
  const begun = text.replace(leadingTime, '');
  const bare = begun.slice(0, -longestTime) + begun.slice(-longestTime).replace(trailingTime, '');
  const spanless = bare.replace(times, ' ').trim();
  return spanless === '' ? text : spanless;
}

/** A clock that is surely one, or a span of them. */
const sureClock =
  '(?:[01]?\\d|2[0-4])(?:[:.]|h)[0-5]\\d(?:\\s?(?:h|uhr|am|pm))?|(?:1[0-2]|[1-9])\\s?(?:am|pm)';
const slot = new RegExp(
  `(?<![\\p{L}\\p{N}:./])(?:\\d{1,2}\\s*[–-]\\s*)?(?:${sureClock})(?:\\s*(?:[–-]|to|till?|bis|à|>|→)\\s*(?:${sureClock}|end|ende|late|close|open end|fin))?(?![\\p{L}\\p{N}:/])\\s*[:|–-]?`,
  'giu',
);

/** "23:00 Ann 01:00 Bob" is a timetable: several times part its names. */
export function timesApart(text: string): string {
  if (!hasTimes.test(text)) return text;
  const slots = text.match(slot)?.length ?? 0;
  return slots > 1 ? text.replace(slot, ' • ') : text;
}

type Entry = { acts: Act[]; moreToCome: boolean };

const alsoMore = new RegExp(
  `(?:${words.moreBehind}|\\s+(?:&|and|und|y|et|e|en|i|with|w/|\\+)\\s*(?:(?:special |his |her |their |very special |many |local |other )*(?:friends|guests?|freunde|gäste|amis|invités|amigos|invitados|convidados|amici|ospiti|vrienden|gasten|goście|przyjaciele|supports?(?: acts?)?|residents?(?: djs)?|local djs|(?:other|more|local) .*(?:artists|djs|acts))))[.!]*$`,
  'iu',
);
const countryTag = new RegExp(`^(?:${words.countryTag})$`, 'u');
const joinedInside = /^(?:feat\.?|ft\.?|featuring|w\/|with|b2b|&|\+)\s+(.+)$/iu;
const supporting = words.entire(words.support);
const nobody = words.entire(words.nobody);
const nobodyAtAll = words.entire(words.nobodyAtAll);

/** "Various Artists", "Unknown Artist", "Special Guest": no artist's name, even where a source has an id for it. */
export const isNobody = (name: string): boolean => name.length <= 60 && nobodyAtAll.test(plain(name).trim());
/** "Hosted by A", "w. A", "DJs A": A. */
const lead =
  /^(?:(?:hosted|hosting|visuals|music|sounds?) by\s+|(?:live|djs?|live[- ]?acts?|special guests?|headliners?|hosts?|opening|closing|visuals|vj|mc|music|ft|feat|featuring)\s*:\s*|with:?\s+|\/?w[/.]+\s*|\/w\s+|djs\s+(?=\S)|(?:dj[ -]?set|live[ -]?(?:set|pa))\s+(?=\S))/iu;
/** "A presents Project", "A plays Album", "A performing …": A. */
const tail = new RegExp(
  `\\s+(?:${[
    '[af]\\.?k\\.?a\\.?|formerly|pres\\.?|presents?|presenting|präsentiert|présente|presenta|plays?|playing|performs?|performing|spielt|joue|celebrat(?:es|ing)|hosted by .*|curated by .*',
  ].join('|')})\\s+.*$`,
  'iu',
);
/** "Ann - Ostgut Ton Records": what stands behind a dash names a label or where it is. */
function withoutLabel(text: string): string {
  const last = [...text.matchAll(labelWord)].at(-1)?.index ?? -1;
  const line = text.length - (text.split(/[\n\r\u2028\u2029]/).at(-1)?.length ?? 0);
  for (const dash of text.matchAll(/(?<!\s)\s+[–-](?=\s+\S)/gu)) {
    let first = dash.index + dash[0].length;
    while (/\s/.test(text[first] ?? '')) first++;
    if (first >= last) break;
    if (first >= line) return text.slice(0, dash.index);
  }
  return text;
}
const labelWord = /\b(?:records?|recordings|rec\.?|music|label|berlin|london)\b/giu;

/** Reads one entry without separators. */
export function readEntry(text: string): Entry {
  let moreToCome = false;
  let name = besideless(text);
  const without = name.replace(alsoMore, '');
  if (without !== name && without.trim() !== '') {
    moreToCome = true;
    name = without;
  }
  const bracketed = unbracket(name);
  const marks = new Set<Mark>();
  const together: string[] = [];
  let billing: Act['billing'] = null;
  for (const content of bracketed.contents) {
    const joined = joinedInside.exec(content)?.[1];
    if (joined !== undefined) together.push(...splitOutside(joined, /\s*[,+]\s*|\s+&\s+/gu).parts);
    else if (supporting.test(content)) billing = 'support';
    else for (const mark of marksOf(content)) marks.add(mark);
  }
  // A name that is nothing but brackets is what stands in them: "(((O)))", "[a:rpia:r]".
  let bare =
    bracketed.outside === '' ? name.replace(/^[([{]+|[)\]}]+$/g, '').trim() || name : bracketed.outside;
  bare = withoutLabel(
    bare
      .replace(lead, '')
      .replace(/^@(?=\p{L})/u, '')
      .replace(tail, ''),
  );
  for (let took = trailingMark(bare); took !== null; took = trailingMark(bare)) {
    marks.add(took.mark);
    bare = took.name;
  }
  bare = dropTag(unquoted(dropTimes(bare)));
  if (bare === '' || nobody.test(bare) || !/[\p{L}\p{N}\p{S}\p{P}]/u.test(bare))
    return { acts: [], moreToCome: true };
  const group = together.length > 0 ? 1 : null;
  const act = (own: string): Act => ({
    name: own,
    alternatives: alternativesOf(own),
    marks: [],
    group,
    billing: null,
    floor: null,
  });
  const guests = together.map((guest) => guest.trim()).filter((guest) => guest !== '' && !nobody.test(guest));
  return { acts: [{ ...act(bare), marks: [...marks], billing }, ...guests.map(act)], moreToCome };
}

/** Marks that a bracket names: "(live)", "(DJ set, all night long)". */
function marksOf(content: string): Mark[] {
  const single = markOf(content);
  if (single !== null) return [single];
  if (countryTag.test(content)) return [];
  return content.split(/\s*(?:[,/|+–]|\s-\s)\s*/u).flatMap((piece) => markOf(piece) ?? []);
}

function markOf(text: string): Mark | null {
  return (words.marks.find(([pattern]) => pattern.test(text.trim()))?.[1] as Mark | undefined) ?? null;
}

/** Words behind a name that say how it plays; the longest that is a mark, never the whole name. */
function trailingMark(text: string): { name: string; mark: Mark } | null {
  const parts = text.split(' ');
  for (let count = Math.min(5, parts.length - 1); count > 0; count--) {
    const written = parts
      .slice(-count)
      .join(' ')
      .replace(/^[–\-*:|]\s*/u, '')
      .replace(/[*]+$/u, '');
    const mark = markOf(written);
    // "DJ" behind a name is a name's part more often than a mark ("Aroma DJ"); "Opening" a word.
    if (
      mark === null ||
      /^(?:djs?|opening|closing|host|mc|lights?|visuals?|pa|debut|long|vinyl|extended|acoustic|akustik)$/iu.test(
        written,
      )
    )
      continue;
    const name = parts
      .slice(0, -count)
      .join(' ')
      .replace(/\s*[–\-*:|,]+$/u, '')
      .trim();
    if (name !== '' && !/^(?:the|dj|mc)$/iu.test(name)) return { name, mark };
  }
  return null;
}

/** Quotation marks and stars that stand around a name; one that it only begins or ends with is its own ("_minted"). */
const unquoted = (text: string): string => {
  const lead = /^["*_~]+/.exec(text)?.[0].length ?? 0;
  const behind = /(?<!["*_~])["*_~]+$/.exec(text)?.[0].length ?? 0;
  const isAround = lead > 0 && (behind > 0 || lead === text.length) && text.length > 1;
  const bare = (
    isAround ? text.slice(lead, Math.max(lead, text.length - behind)) : text.replace(/^\*+\s+|\s*\*+$/gu, '')
  ).trim();
  return (bare.match(/"/g)?.length ?? 0) === 1 ? bare.replace('"', '').trim() : bare;
};
/** "Ben Klock - DE", "Ben Klock /UK". */
const dropTag = (text: string): string =>
  text
    .replace(/\s*[/–-]\s*(?:DE|UK|US|USA|FR|IT|ES|NL|BE|PL|CH|AT|GER)$/u, '')
    .replace(/^[\s•*+–\-:|,]+|[\s•*+&–\-:|,]+$/g, '')
    .replace(/\s+\.$/, '')
    .trim();

/** Longest name read as that of several. */
const longestJoint = 200;
const mayBeJoint = /\s(?:&|and|und|et|y)\s|\//iu;

/** The acts that "A & B" may stand for, where they are on record and it is not; none where it is surely one. */
export function jointNames(name: string): string[] {
  if (name.length > longestJoint || !mayBeJoint.test(name)) return [];
  const parts = alternativesOf(name);
  // "R & S", "I / Y": letters of a name.
  return parts.every((part) => (part.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= 2) ? parts : [];
}

/** Whether "A & B" or "Body/Head" may be two acts: the two; nothing where the second is "the Somethings" or "his band". */
function alternativesOf(name: string): string[] {
  const slashed = name.split('/');
  if (slashed.length === 2 && slashed.every((part) => /^[\p{L}\p{N} .'-]{4,}$/u.test(part))) return slashed;
  const parts = name.split(/\s+(?:&|and|und|et|y)\s+/iu);
  if (parts.length < 2 || parts.some((part) => part.length < 2)) return [];
  if (
    parts.slice(1).some((part) => /^(?:the|his|her|their|die|les|los|co\.?|company|sons|the)\b/iu.test(part))
  )
    return [];
  return parts.map((part) => part.trim());
}
