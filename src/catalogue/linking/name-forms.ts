/**
 * The forms of a name in a question: without words around it ("who is …?", "(live)", "DJ …", "@…"), with other spaces, and
 * "Last, First" reversed. Says which words are too generic to be a name.
 */
import type { NameableKind } from '../../store/search/named-records.ts';

const questionPrefix =
  /^(?:who(?:['’]?s|\s+is|\s+are|\s+was)|what(?:['’]s|\s+is)|(?:please\s+)?(?:tell\s+me|more|info(?:rmation)?|bio(?:graphy)?)(?:\s+(?:more|something))?\s+(?:about|on|of|for)|about|wer\s+(?:ist|sind)|(?:c['’]est\s+)?qui\s+est|qui[eé]n\s+es|chi\s+[eè]|quem\s+[eé]|wie\s+is)\s+/iu;
const rolePrefix =
  /^(?:(?:the\s+)?(?:artist|producer|duo|band|act|musician)(?:\s+(?:called|named))?:?|dj|dj\s+duo|mr\.?|the)\s+/iu;
/** A suffix in brackets: a kind of set, a label, a country. */
const bracketSuffix = /\s*[([{][^()[\]{}]*[)\]}]\s*$/u;
const performanceSuffix =
  /\s*(?:[-–|:,]\s*|\s)(?:live(?:\s+(?:set|act|pa|a\/v))?|dj[\s-]?set|hybrid(?:\s+set)?|extended\s+set|all\s+(?:night|day)(?:\s+long)?|official|music|dj)\s*$/iu;
const venuePrefix = /^(?:the|club)\s+/iu;
const venueSuffix = /\s+(?:nights?|club|nightclub|events?)$/iu;
/** A room after the name of a venue: "Room 1", "Main Floor", "Studio B". */
const roomSuffix =
  /(?<=\S)[\s,;:|–—-]+((?:(?:main|big|small|front|back|upper|lower|ground|first|second|third|1st|2nd|3rd|red|blue|green|black|white)\s+(?:room|floor|stage|hall|studio|area)|(?:room|floor|stage|hall|studio|area|raum|saal|halle|sala|salle|zaal)\s*(?:\d{1,2}|[a-d]|one|two|three|four|i{1,3})|main(?:room|floor|stage)|basement|terrace))\s*$/iu;
const cityPrefix = /^(?:the\s+)?(?:city\s+of|greater|downtown|central)\s+/iu;
const citySuffix = /\s+(?:city|area|metro(?:politan)?(?:\s+area)?|region)$/iu;
const genreSuffix = /\s+(?:music|nights?|events?|parties|party)$/iu;
const festivalYear = /(?<!\s)\s+(?:19|20)\d{2}$/u;
const festivalPrefix = /^(?:the|das|le|el|il|het|festival)\s+/iu;
const festivalSuffix = /(?<!\s)\s+(?:festival|fest)$/iu;
const labelPrefix = /^(?:the\s+)?label\s+/iu;
const labelSuffix = /(?<!\s)\s+(?:records?|recordings?|music|label)$/iu;
const quotes = /^["'“”„«»‘’]+|["'“”„«»‘’?!.]+$/gu;

const stripSteps: Record<NameableKind, readonly RegExp[]> = {
  artist: [questionPrefix, bracketSuffix, performanceSuffix, rolePrefix],
  venue: [bracketSuffix, roomSuffix, venuePrefix, venueSuffix],
  city: [bracketSuffix, cityPrefix, citySuffix],
  genre: [genreSuffix],
  festival: [bracketSuffix, festivalYear, festivalPrefix, festivalSuffix],
  label: [bracketSuffix, labelPrefix, labelSuffix],
};

/** Returns the room after a venue's name, or null. */
export const roomAfterVenue = (text: string): string | null =>
  (roomSuffix.exec(text.replace(bracketSuffix, '')) ??
    roomSuffix.exec(text.replace(/[([{}\])]/gu, ' ')))?.[1] ?? null;

/** Returns the forms of a text, each with more surrounding words removed, and "Last, First" reversed. */
export function nameForms(kind: NameableKind, text: string): string[] {
  const forms: string[] = [];
  const add = (form: string) => {
    if (form !== '' && form !== text && !forms.includes(form)) forms.push(form);
  };
  let bare = text.replace(quotes, '').trim();
  add(bare);
  for (const step of stripSteps[kind]) {
    bare = bare.replace(step, '').replace(quotes, '').trim();
    add(bare);
  }
  if (kind === 'artist') {
    const [, last, first] = /^([^,;]+),\s*([^,;]+)$/u.exec(bare) ?? [];
    if (last && first) add(`${first} ${last}`.trim());
  }
  return forms;
}

const handle = /^@?([\p{L}\p{N}]{4,30})$/u;
/** Returns the text with different spaces: "@benklock", "ninakraviz", "fat boy slim", "DeWitte". */
export function respacedForms(text: string): string[] {
  const [, word] = handle.exec(text.trim()) ?? [];
  if (word === undefined) return respacings(text.trim());
  const bare = word.replace(/(?:official|music|dj)$/iu, '');
  const letters = [...(bare === '' ? word : bare)];
  const whole = letters.join('');
  const forms = [whole, ...splitAtEach(letters)];
  // "@djbenklock"
  if (/^dj./iu.test(whole)) forms.push(whole.slice(2), ...splitAtEach(letters.slice(2)));
  return text.trim().startsWith('@') ? [...new Set(forms)] : forms.filter((form) => form.includes(' '));
}

const splitAtEach = (all: readonly string[]): string[] =>
  all.slice(1).map((_, at) => `${all.slice(0, at + 1).join('')} ${all.slice(at + 1).join('')}`);

const maxWords = 6;
const maxRespacedLength = 40;
/** Returns the variants of a text of several words with a space removed or inserted. */
function respacings(text: string): string[] {
  const words = text.split(/\s+/u);
  if (words.length < 2 || words.length > maxWords || text.length > maxRespacedLength) return [];
  const forms = [words.join('')];
  for (const [at, word] of words.entries()) {
    const [before, behind] = [words.slice(0, at), words.slice(at + 1)];
    const [next, ...rest] = behind;
    if (next !== undefined) forms.push([...before, word + next, ...rest].join(' '));
    for (const form of splitAtEach([...word])) forms.push([...before, form, ...behind].join(' '));
  }
  return [...new Set(forms)];
}

const insignificantWords = new Set(
  'a an the dj mc mr ms and und et y el la los las le les der die das il live who is what music artist feat with vs b2b x'.split(
    ' ',
  ),
);
/** Generic venue words. */
const venueWords = new Set('club bar venue hall room nightclub disco'.split(' '));
/** Scripts in which two letters can be a word. */
const syllabic = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** Whether words (as returned by `normalizeForSearch`) are too generic for anything but an exact match. */
export function areInsignificant(words: string, kind?: NameableKind): boolean {
  const letters = [...words.replaceAll(' ', '')].length;
  if (letters <= 2) return !syllabic.test(words);
  return words
    .split(' ')
    .every((word) => insignificantWords.has(word) || (kind === 'venue' && venueWords.has(word)));
}
