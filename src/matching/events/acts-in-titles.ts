/** Finds acts in titles. */
import { getOrCreate, memoizeByObject } from '../../memoize.ts';
import { normalizeText } from '../../text/normalize.ts';
import { isNonLatin, soundsAlike } from '../../text/scripts.ts';
import {
  areSimilarTexts,
  containsSequence,
  roomWords,
  stopWords,
  titleStopWords,
  tokenize,
  venueStopWords,
} from '../../text/tokens.ts';
import { type LineupAct, placeholderAct } from './lineup-acts.ts';

export type TitleTokens = { name: string; title: readonly string[] };

/** Maximum number of acts that a title keeps the results for. */
const maxActsPerTitle = 250;
const namedActs = memoizeByObject((_: TitleTokens) => new Map<LineupAct, boolean>());

/**
 * Whether a title names an act. Names that are words of titles themselves prove nothing, unless set off by signs. Results
 * are kept, because many listings have the same acts.
 */
export function titleNamesAct(title: TitleTokens, act: LineupAct): boolean {
  const results = namedActs(title);
  if (results.size >= maxActsPerTitle) results.clear();
  return getOrCreate(results, act, () => readNamesAct(title, act));
}

function readNamesAct({ name, title }: TitleTokens, act: LineupAct): boolean {
  if (act.isForeign !== isNonLatin(name) && containsSound(name, act.lead)) return true;
  return act.tokenRuns.some((run) =>
    isDistinctive(run)
      ? containsSequence(title, run) || containsJoined(title, run) || containsAll(title, run)
      : isSetApart(name, run),
  );
}

/** "실리카겔 단독공연" for "Silica Gel", "田中フミヤ ロングセット" for "Fumiya Tanaka". */
function containsSound(title: string, act: string): boolean {
  const words = title.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  return words.some((_, start) =>
    [1, 2, 3, 4].some((count) => soundsAlike(words.slice(start, start + count).join(' '), act)),
  );
}

/** "Klockworks x Dettmann" for Marcel Dettmann: a last name, long enough to be few others'. */
export const titleNamesLastName = (
  { title }: TitleTokens,
  { tokenRuns: [run = []], parts }: LineupAct,
): boolean => {
  const last = run.at(-1) ?? '';
  return (
    run.length === 2 &&
    parts.length === 0 &&
    last.length >= 7 &&
    !titleStopWords.has(last) &&
    !venueStopWords.has(last) &&
    !roomWords.has(last) &&
    title.includes(last)
  );
};

const separators =
  /\s*[@|/,:;+•()[\]]\s*|\s+(?:[-–—&x×]|b2b|vs\.?|w\/|with|feat\.?|ft\.?|at|live)(?:\s+|$)/iu;

/** "ÂME @ Fabric": a short name that is the whole of a part of the title. */
function isSetApart(title: string, run: readonly string[]): boolean {
  const [whole = ''] = run.length === 1 ? run : [];
  if (whole.length < 2 || placeholderAct.test(whole)) return false;
  const parts = normalizeText(title).split(separators);
  return parts.length > 1 && parts.some((part) => part.length < 8 && tokenize(part).join(' ') === whole);
}

const tellingWords = memoizeByObject((run: readonly string[]): readonly string[] =>
  run.filter((word) => !stopWords.has(word) && word.length > 2),
);

/**
 * Whether a title contains all words of an act, in any order: "Benefit for Jane Doe" as an act, "Jane Doe Benefit" as
 * a title.
 */
function containsAll(title: readonly string[], run: readonly string[]): boolean {
  const distinctive = tellingWords(run);
  return distinctive.length >= 3 && distinctive.every((word) => title.includes(word));
}

/** "DVS-1" for "DVS1", "Helena Hauf" for "Helena Hauff": word by word they differ, as a whole hardly. */
function containsJoined(title: readonly string[], run: readonly string[]): boolean {
  const whole = joinedRun(run);
  const runs = joinedWords(title);
  if (runs.all.has(whole)) return true;
  if (run.length < 2 || whole.length < 8) return false;
  // A slip adds or takes two letters at most.
  for (let length = whole.length - 2; length <= whole.length + 2; length++)
    if (runs.byLength.get(length)?.some((text) => areSimilarTexts(text, whole))) return true;
  return false;
}

const joinedRun = memoizeByObject((run: readonly string[]): string => run.join(''));

/** Up to four words of a title that follow each other, as one text; each title is read once. */
const joinedWords = memoizeByObject((title: readonly string[]) => {
  const all = new Set<string>();
  for (let start = 0; start < title.length; start++)
    for (let end = start + 1; end <= title.length && end <= start + 4; end++)
      all.add(title.slice(start, end).join(''));
  const byLength = new Map<number, string[]>();
  for (const text of all) getOrCreate(byLength, text.length, () => []).push(text);
  return { all, byLength };
});

const isDistinctive = memoizeByObject((run: readonly string[]): boolean => {
  const letters = joinedRun(run);
  return (
    letters.length >= 4 ||
    (run.length > 1 && letters.length >= 3) ||
    /\d/.test(letters) ||
    /[^\x20-\x7e]/.test(letters)
  );
});
