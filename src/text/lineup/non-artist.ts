/** Recognizes lines of a line-up that name no artist: headings, stages, genres, sentences, links, announcements. */
import { alternatives } from '../lexicon.ts';
import * as words from '../patterns.ts';

/** Genres as sellers announce them. Some are also names of acts ("Jungle", "Trance"). */
const genre = `(?:(?:${alternatives('genres', 'modifier')})[ -]?)*(?:${alternatives('genres', 'genre')})(?:[ -](?:music|classics|beats|hits|sounds?|edition|special|party))?`;
const genrePattern = new RegExp(`^${genre}$`, 'iu');
/** Separators between genres. */
const genreSeparator = /\s*(?:[,/|•+;&·–-]|\band\b|\bund\b|\by\b|\be\b|\bet\b)\s*/iu;
/** Genres that are no names of acts. */
const unambiguousGenre = words.wholePattern(alternatives('genres', 'unambiguous'));

/** Whether a text consists of genres: "Techno / Psytrance", "Amapiano". */
export function isGenreList(text: string): boolean {
  if (text.length > 120) return false;
  const bare = text.replace(/[<>()[\]*!]+/g, ' ').trim();
  if (unambiguousGenre.test(bare)) return true;
  const parts = bare.split(genreSeparator).filter((part) => part !== '');
  return parts.length > 1 && parts.every((part) => genrePattern.test(part.trim()));
}
/** Whether a text is a genre, if other genres stand beside it. */
export const isGenreName = (text: string): boolean => text.length <= 60 && genrePattern.test(text.trim());

const colour = 'red|green|blue|black|white|pink|yellow|gold|golden|silver|purple|orange|grey|gray|violet';
/** Names of stages and rooms that cannot be names of acts. */
const stageNamePattern = words.wholePattern(
  `(?:[\\p{L}\\p{N}'&./]+[ -]){0,3}(?:dance ?)?(?:floor|stage|dancefloor|mainstage|mainfloor)(?: (?:\\d|i{1,3}|one|two|three|a|b|c))?|(?:floor|stage|room|area|hall|box|saal|sala|salle|zaal|level|deck|ebene) ?(?:#|no\\.? ?)?(?:[0-9]{1,2}|i{1,3}|one|two|three|a|b|c)|(?:${colour}|main|second|big|small|upper|lower|back|front|chill|chill[ -]?out|live|classics?|${genre}) (?:room|hall|area|bar|tent|deck|saal|box)|main[ -]?(?:room|hall|deck)|panorama bar|upstairs|downstairs|indoors?|outdoors?`,
);
const stageWord =
  /floor|stage|room|area|hall|box|saal|sala|salle|zaal|level|deck|ebene|bar|tent|stairs|doors/iu;
/** Whether a text is the name of a stage or room that is no act: "Main Floor", "Room 2". */
export const isStageName = (text: string): boolean =>
  text.length <= 60 && stageWord.test(text) && stageNamePattern.test(text);

const headingPattern = words.wholePattern(
  "line[-_ –]{0,3}ups?(?: ?(?:&|and|und|/) ?(?:play|set)?[- ]?times?)?(?: (?:main|a ?[-–] ?z|tb[acd]))?|(?:[\\p{L}\\p{N}]+ ){0,3}line[-_ ]?up|music by|a ?[-–] ?z|(?:in )?alphabetical order|dj[*']?s|djanes?|vj[*']?s?|mcs|live[- ]?acts?|acts?|artists?|artistes?|künstler(?:innen)?|hosts?|concerts?|konzerte?|performances?|performers?|workshops?|visuals?(?: (?:&|and) arts?)?|live visuals?|timetable|running order|set ?times?|program(?:me?)?|tickets?|location|lights?|light ?show|specials?|deko|decoration|installations?|awareness|free entry|warm[- ]?up(?: djs?| set)?|plus|b2b|info(?:s)?|doors?|einlass|beginn|start|at|ab|bis|from|until|til|till",
);
/** Labels of information and of people who do not perform, before a colon. */
const infoLine = new RegExp(
  `^(?:${[
    'tickets?|pre-?sale(?: starts)?|entry|entrance|price|cost|admission|door(?:s| price)?|einlass|eintritt|vvk|ak|abendkasse|date|datum|time|uhrzeit|when|where|wo|wann|location|venue|ort|address|adresse|dress ?code|age|alter|capacity|info(?:s|rmation)?|more info|links?|website|instagram|insta|ig|fb|facebook|soundcloud|genres?|styles?|music style|sound ?system|photos?|photography|fotos?|video|film|deko|deco|decoration|lights?|light ?design|lightshow|laser|technik|sound ?design|awareness|care|security|food|drinks?|bar|merch|art(?:work)?|design|poster|flyer|graphics?|jewelry|fashion(?: show)?|make[ -]?up|styling|collaborators?|partners?|sponsors?|organi[sz]ed|promoter|veranstalter|booking|press',
  ].join('|')})(?: by)?\\s*[:»]`,
  'iu',
);
/** Whether a line begins with a label of information: "Tickets:", "Einlass:", "Photos by:". */
export const isInfoLine = (text: string): boolean => infoLine.test(text);
const announcement =
  /(?<![\p{L}\p{N}])(?:announced|announcement|free (?:entry|entrance|admission)|eintritt frei|freier eintritt|entrada (?:libre|gratis)|ingresso libero|entrée (?:libre|gratuite)|no (?:re-?entry|photos?|phones?)|coming soon|stay tuned|to be (?:revealed|continued)|(?:wird|werden) (?:noch )?bekannt|demnächst|próximamente|prossimamente)(?![\p{L}\p{N}])/iu;
const linkPattern =
  /https?:\/\/|^www\.|(?:^|\s)(?:instagram|soundcloud|facebook|spotify|linktr|bandcamp|youtube|residentadvisor|ra|t)\.(?:com|ee|net|co|me|be)\//iu;
/** Minimum number of words of a sentence. */
const minSentenceWords = 8;

/** Whether a line is a sentence: mostly words in lower case, few separators. */
function isSentence(text: string): boolean {
  const all = text.split(' ').filter((word) => /\p{L}{2}/u.test(word));
  const pieces = text.split(/[,;/|•+&\n]|\sb\db\s/iu).length;
  if (all.length < minSentenceWords || all.length < pieces * 4) return false;
  const lower = all.filter((word) => /^["'(]?\p{Ll}/u.test(word)).length;
  return lower / all.length >= 0.6 || (lower / all.length >= 0.4 && /[.!?]$/.test(text));
}

/** Lines of symbols; "!!!" is a name. */
const decorationLine = /^(?:[\p{So}_=~.•*–-]\s?){3,}$|^[.,;:_–-]+$/u;
/** A line in one bracket: "(mord)", "[Label / City]". A name may stand in several brackets, or in square ones. */
const bracketedLine = /^\([^()]+\)$|^\[[^[\]]*(?:\s?\/\s?|&&|\brecords\b|\brec\.)[^[\]]*\]$/iu;

/** A date or time in digits. */
const dateOrTimeLine = /^\d{1,4}(?:\s*[|.:/–-]+\s*\d{1,4})+$|^\d{1,2}(?:[:.][0-5]\d)?\s?(?:h|uhr|am|pm)$/iu;

/**
 * Whether a line of a line-up names no artist.
 * @param text one line, normalized
 */
export function isNonArtistLine(text: string): boolean {
  const bare = text
    .replace(/^[^\p{L}\p{N}([{"']+\s|\s[^\p{L}\p{N})\]}"']+$/gu, '')
    .replace(/^[\s•*+~<>=»→|#★/\\–-]+|[\s•*+~<>=«|★/\\!.:–-]+$/gu, '');
  return (
    headingPattern.test(bare) ||
    isStageName(bare) ||
    isGenreList(bare) ||
    infoLine.test(bare) ||
    announcement.test(bare) ||
    linkPattern.test(text) ||
    dateOrTimeLine.test(bare) ||
    decorationLine.test(text) ||
    bracketedLine.test(text) ||
    isSentence(text)
  );
}
