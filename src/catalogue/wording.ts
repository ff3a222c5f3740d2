/**
 * What a free text asks for: "techno in Berlin this weekend", "Berghain Berlin", "Âme b2b Dixon", or words of an event's
 * name. Names that are known stand for what they name; what is left are words of names of events.
 */
import { searchWords } from '../store/fold.ts';
import type { NameableKind } from '../store/named-records.ts';
import type { Catalogue } from './answers.ts';
import { type Choice, choose, isSure } from './choose.ts';
import { otherForm } from './choose-artists.ts';
import { cityShort } from './city-abbreviations.ts';
import { countryWord } from './countries.ts';
import { splitLikelyTime, splitTime, type Timed } from './time-words.ts';

/** A country, and how it was written. */
export type CountryRead = { code: string; text: string };

/** A free text, read. */
export type Wording = {
  /** Records that are named, each kind but artists once. */
  names: Choice[];
  country: CountryRead | null;
  /** The words for a time, as `readWindow` takes them. */
  time: string | null;
  /** What is left, as `searchWords` gives it; empty where all was understood. */
  rest: string;
};

/** Words that ask, join or tell nothing, unless a name has them. */
const idle = new Set(
  `a an the in at on of for by with from near around to and or b2b b3b f2f vs versus x feat ft featuring any some all
  event events party parties gig gigs show shows concert concerts rave raves night nights club clubs clubbing music dj djs
  set sets upcoming next coming playing play plays live lineup line-up tickets happening going is are there who whos who's what whats
  what's where when which me find list search please good best tour dates date schedule agenda calendar listings ? & + , - – |
  was wo wer wann läuft spielt geht ist es gibt im am auf und oder mit der die das ein eine für nach konzerte veranstaltungen partys diese nächste
  où que qui quoi quand joue y-a-t-il il a le la les un une des du de dans en à et avec sortir soirée soirées concerts
  qué quién dónde cuándo hay toca tocan el los las una del con y fiesta fiestas eventos conciertos
  che chi cosa c'è quando suona il lo gli di da e con festa feste o os em no na tem festas wat waar wie speelt er het een`
    .split(/\s+/u)
    .filter(Boolean),
);
/** "Which clubs are open": alone, "open" is a word of names. */
const opening = /(?<!\p{L})(?:is|are)\s+open(?!\p{L}|\s+air)/giu;
const longestName = 6;
const mostWords = 16;

/** A run of words: what it names, or that it names nothing. */
type Run = { words: string[]; choice: Choice | null; country: CountryRead | null };

/**
 * The ways to read a free text, the likeliest first, each worked out when it is wanted: a single word that names an
 * artist or venue may also just be a word of an event's name ("open air"), and so may a weekday.
 */
export function* readWording(catalogue: Catalogue, text: string): Generator<Wording> {
  const timed = splitTime(text);
  yield* readRest(catalogue, timed);
  const likely = timed.time === null ? splitLikelyTime(text) : null;
  if (likely?.time) yield* readRest(catalogue, likely);
}

function* readRest(catalogue: Catalogue, { time, rest }: Timed): Generator<Wording> {
  const words = rest
    .replace(opening, ' ')
    .split(/\s+/u)
    .map((word) => word.replace(/^["'“”„(¿¡]+|["'“”?!.,;:)]+$/gu, '') || word)
    .filter((word) => word !== '')
    .slice(0, mostWords);
  const runs = split(catalogue, words);
  const strict = runs.map((run, at) =>
    run.choice && isDoubtful(run) && [runs[at - 1], runs[at + 1]].some(isUnknown) ? unknown(run.words) : run,
  );
  const read = (all: readonly Run[]) => ({ ...gather(all, words), time });
  yield read(strict);
  if (strict.some((run, at) => run !== runs[at])) yield read(runs);
  // "upcoming events" asks for all there are, unless an event is called so.
  if (runs.every(isNothing)) yield { names: [], country: null, time, rest: '' };
}

const unknown = (words: string[]): Run => ({ words, choice: null, country: null });
const isUnknown = (run: Run | undefined): boolean =>
  run !== undefined && run.choice === null && run.country === null && !run.words.every(isIdle);
const isNothing = ({ words, choice, country }: Run): boolean =>
  choice === null && country === null && words.every(isIdle);
const isIdle = (word: string): boolean => idle.has(word.toLowerCase().replace('’', "'"));
const isDoubtful = ({ words, choice }: Run): boolean =>
  words.length === 1 && (choice?.kind === 'artist' || choice?.kind === 'venue');

/** The words from left to right: the longest name there is, else a word alone. */
function split(catalogue: Catalogue, words: readonly string[]): Run[] {
  const runs: Run[] = [];
  for (let at = 0; at < words.length; ) {
    const run = longestAt(catalogue, words, at);
    runs.push(run);
    at += run.words.length;
  }
  return runs;
}

function longestAt(catalogue: Catalogue, words: readonly string[], at: number): Run {
  for (let count = Math.min(longestName, words.length - at); count > 0; count--) {
    const part = words.slice(at, at + count);
    const text = part.join(' ');
    const short = shortCity(catalogue, text, words[at - 1]);
    if (!short && isIdle(part[0] as string) && (count === 1 || isIdle(part.at(-1) as string))) continue;
    const choice = short?.isPlaced ? short.choice : (sureName(catalogue, text) ?? short?.choice);
    if (choice) return { words: part, choice, country: null };
    const code = countryWord(text);
    if (code !== null) return { words: part, choice: null, country: { code, text } };
  }
  return unknown([words[at] as string]);
}

const kinds: readonly NameableKind[] = ['genre', 'city', 'venue', 'artist'];

/** What is called just so. */
function sureName(catalogue: Catalogue, text: string): Choice | null {
  for (const kind of kinds) {
    if (catalogue.reader.named.isCalled(kind, text)) {
      const choice = choose(catalogue, kind, text);
      if (isSure(choice)) return choice;
    }
  }
  return otherForm(catalogue, text);
}

/** Behind these words stands a place. */
const placing = new Set(['in', 'near', 'around']);

/**
 * The city that a text is short for, and whether a word before it says that it is a place: otherwise what is called so
 * goes first, and two small letters are a word.
 */
function shortCity(
  catalogue: Catalogue,
  text: string,
  wordBefore: string | undefined,
): { choice: Choice; isPlaced: boolean } | null {
  if (cityShort(text) === null) return null;
  const isPlaced = wordBefore !== undefined && placing.has(wordBefore.toLowerCase());
  if (!isPlaced && text.length <= 2 && /\p{Ll}/u.test(text)) return null;
  const choice = choose(catalogue, 'city', text);
  return isSure(choice) ? { choice, isPlaced } : null;
}

/** One reading of the runs: of each kind but artists the first name counts, further ones are words like others. */
function gather(runs: readonly Run[], words: readonly string[]): Omit<Wording, 'time'> {
  const names: Choice[] = [];
  let country: CountryRead | null = null;
  const left: string[] = [];
  for (const run of runs) {
    const { choice } = run;
    if (choice && (choice.kind === 'artist' || !names.some(({ kind }) => kind === choice.kind)))
      names.push(choice);
    else if (run.country !== null && country === null) country = run.country;
    else if (!run.words.every(isIdle)) left.push(...run.words);
  }
  const nothing = names.length === 0 && country === null && left.length === 0;
  return { names, country, rest: searchWords((nothing ? words : left).join(' ')) };
}
