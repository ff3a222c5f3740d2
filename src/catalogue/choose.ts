/**
 * Which record a name means, when people or models write it: by slug, name, alias, beginning, some of its words, or
 * with a typo, and with a place beside it. The same words choose the same record as long as the catalogue is the same.
 */
import { LRUCache } from 'lru-cache';
import { fold, searchWords } from '../store/fold.ts';
import type { CalledRecord, FewKind, NameableKind } from '../store/named-records.ts';
import type { Catalogue } from './answers.ts';
import { countryWord } from './countries.ts';
import { howMet, type Meeting } from './search.ts';
import { areTyposApart } from './typos.ts';

/** A record that a name may mean, and how well it fits: 1 is the name itself or the slug. */
export type Candidate = {
  id: number;
  slug: string;
  name: string;
  city: string | null;
  country: string | null;
  score: number;
};
export type Choice = {
  kind: NameableKind;
  /** The name as it was given. */
  text: string;
  match: Candidate | null;
  /** What it may mean as well, best first. */
  others: Candidate[];
};
/** Where the record has to be; a city by its name. */
export type Place = { city?: string; country?: string };

const scores: Record<Meeting, number> = {
  name: 1,
  alias: 0.95,
  beginning: 0.8,
  words: 0.75,
  guess: 0.7,
  'part of a guess': 0.6,
};
/** What is taken off where only a part of the text is the name, and the rest its place or a title. */
const forTheRest = 0.05;
const mostOthers = 5;
/** Longer texts name nothing. */
const longestText = 200;
/** How many candidates are looked at for those in the right place. */
const mostLookedAt = 30;

/** Agents ask for the same few names again and again, and a choice is the same as long as the catalogue is. */
const mostRemembered = 5_000;
type Memory = { state: string; choices: LRUCache<string, Choice> };
const memories = new WeakMap<Catalogue['reader'], Memory>();

function memoryOf({ reader }: Catalogue): LRUCache<string, Choice> {
  const { revision, lastSyncedTs } = reader.state();
  const state = `${revision} ${lastSyncedTs}`;
  let memory = memories.get(reader);
  if (memory?.state !== state) {
    memory = { state, choices: new LRUCache({ max: mostRemembered }) };
    memories.set(reader, memory);
  }
  return memory.choices;
}

/**
 * Chooses the record that a name means.
 * @param place where it has to be; namesakes elsewhere are only mentioned
 */
export function choose(catalogue: Catalogue, kind: NameableKind, text: string, place: Place = {}): Choice {
  const choices = memoryOf(catalogue);
  const asked = text.slice(0, longestText).trim();
  const key = JSON.stringify([kind, asked, place.city, place.country]);
  let choice = choices.get(key);
  if (choice === undefined) {
    choice = chosen(catalogue, kind, asked, place);
    choices.set(key, choice);
  }
  return choice;
}

function chosen(catalogue: Catalogue, kind: NameableKind, asked: string, place: Place): Choice {
  const found = candidates(catalogue, kind, asked, place);
  const here = found.filter((candidate) => isIn(candidate, place));
  const match = here[0] ?? null;
  const others = [...here.slice(1), ...found.filter((candidate) => !here.includes(candidate))];
  return { kind, text: asked, match, others: others.slice(0, mostOthers) };
}

/** Whether the name is the record's own, an alias or its slug: no part, no guess. */
export const isSure = ({ match }: Choice): boolean =>
  match !== null && match.score >= scores.alias - forTheRest;

function candidates(catalogue: Catalogue, kind: NameableKind, asked: string, place: Place): Candidate[] {
  const bySlug = ofSlug(catalogue, kind, asked);
  const wholly = named(catalogue, kind, asked);
  const add = (more: Candidate[]) => [
    ...bySlug,
    ...more.filter(({ id }) => !bySlug.some((own) => own.id === id)),
  ];
  if (bySlug.length > 0 || isWhole(wholly)) return add(wholly);
  const { name, within } = splitPlace(catalogue, kind, asked);
  if (name !== asked && kind !== 'genre') {
    const inPlace = named(catalogue, kind, name).filter((one) => isIn(one, { ...place, ...within }));
    if (inPlace.length > 0) return inPlace.map(lessSure);
  }
  if (wholly.length > 0) return wholly;
  const bare = withoutTitle(asked);
  return bare === asked ? [] : named(catalogue, kind, bare).map(lessSure);
}

const isWhole = (found: readonly Candidate[]): boolean => (found[0]?.score ?? 0) >= scores.alias;
const lessSure = (candidate: Candidate): Candidate => ({
  ...candidate,
  score: Math.round((candidate.score - forTheRest) * 100) / 100,
});

/** Words that people put before or after a name that has none. */
const withoutTitle = (text: string): string =>
  text.replace(/^(?:the|dj|club)\s+/iu, '').replace(/\s+(?:music|nights?|club|events?|dj)$/iu, '');

function isIn(candidate: Candidate, place: Place): boolean {
  if (place.country !== undefined && candidate.country !== place.country) return false;
  return place.city === undefined || (candidate.city !== null && fold(candidate.city) === fold(place.city));
}

function ofSlug({ reader }: Catalogue, kind: NameableKind, text: string): Candidate[] {
  const id = reader.find(kind, text);
  const record = id === null ? null : reader.named.one(kind, id);
  return record === null ? [] : [candidateOf(record, 1)];
}

const candidateOf = (record: Omit<Candidate, 'score'>, score: number): Candidate => ({
  id: record.id,
  slug: record.slug,
  name: record.name,
  city: record.city,
  country: record.country,
  score,
});

/** The records that the whole text names, best first, then as search ranks them. */
function named(catalogue: Catalogue, kind: NameableKind, text: string): Candidate[] {
  const found =
    kind === 'city' || kind === 'genre'
      ? fewNamed(catalogue, kind, text)
      : catalogue.search
          .named(kind, text, mostLookedAt)
          .map((record) => candidateOf(record, scores[record.how]));
  return found.sort((a, b) => b.score - a.score);
}

/** The same among the kinds that search does not look through. */
function fewNamed({ reader }: Catalogue, kind: FewKind, text: string): Candidate[] {
  const exact = reader.named.called(kind, text);
  if (exact.length > 0) {
    return eachOnce(exact.map((record) => candidateOf(record, scores[record.is_alias ? 'alias' : 'name'])));
  }
  const words = searchWords(text);
  if (words === '') return [];
  const all = reader.named.all(kind);
  const asked = words.split(' ');
  const fitting = all.filter((record) => fits(record, words, asked));
  if (fitting.length > 0) {
    const how = (record: CalledRecord) => howMet(words, { ...record, terms: record.words });
    return eachOnce(fitting.map((record) => candidateOf(record, scores[how(record)])));
  }
  const meant = all.filter((record) => areTyposApart(asked, record.words.split(' ')));
  return eachOnce(meant.map((record) => candidateOf(record, scores.guess)));
}

/** Whether a name has all the words, the last as a beginning; or is the same but for spaces. */
function fits({ words }: CalledRecord, text: string, asked: readonly string[]): boolean {
  if (words.replaceAll(' ', '') === text.replaceAll(' ', '')) return true;
  const own = words.split(' ');
  return asked.every((word, at) =>
    at === asked.length - 1 ? own.some((one) => one.startsWith(word)) : own.includes(word),
  );
}

/** Each record once, with the best of its names. */
function eachOnce(found: Candidate[]): Candidate[] {
  const best = new Map<number, Candidate>();
  for (const candidate of found) {
    const known = best.get(candidate.id);
    if (known === undefined || known.score < candidate.score) best.set(candidate.id, candidate);
  }
  return [...best.values()];
}

const mostPlaceWords = 4;

/**
 * A text that ends or begins with a city or a country, or both: "Berghain, Berlin, DE", "Tresor in Berlin". Only a
 * country stands beside cities, and behind artists.
 */
function splitPlace(catalogue: Catalogue, kind: NameableKind, text: string): { name: string; within: Place } {
  const within: Place = {};
  let words = text.split(/[\s,;()]+/u).filter(Boolean);
  for (;;) {
    const found = placeAside(catalogue, kind, words, within);
    if (found === null) break;
    Object.assign(within, found.place);
    words = found.rest;
    while (words.length > 1 && /^(?:in|at|@|the|[-–])$/iu.test(words.at(-1) as string))
      words = words.slice(0, -1);
  }
  return { name: Object.keys(within).length > 0 ? words.join(' ') : text, within };
}

/** The longest place at the end or the beginning of the words, and the words without it. */
function placeAside(
  catalogue: Catalogue,
  kind: NameableKind,
  words: readonly string[],
  known: Place,
): { place: Place; rest: string[] } | null {
  for (let count = Math.min(mostPlaceWords, words.length - 1); count > 0; count--) {
    const atEnd = placeOf(catalogue, kind, words.slice(-count).join(' '), known);
    if (atEnd) return { place: atEnd, rest: words.slice(0, -count) };
    const atBeginning =
      kind === 'venue' ? placeOf(catalogue, kind, words.slice(0, count).join(' '), known) : null;
    if (atBeginning) return { place: atBeginning, rest: words.slice(count) };
  }
  return null;
}

/** What a text adds to a place that is known in part; null where it is no city and no country. */
function placeOf({ reader }: Catalogue, kind: NameableKind, text: string, known: Place): Place | null {
  if (kind === 'venue' && known.city === undefined) {
    const city = reader.named
      .called('city', text)
      .find(({ country }) => known.country === undefined || country === known.country);
    if (city) return { city: city.name, ...(city.country !== null && { country: city.country }) };
  }
  const country = known.country === undefined ? countryWord(text) : null;
  return country === null ? null : { country };
}

/** How people join the artists of one night. */
const surely = /\s+(?:b\d?b|f2f|b2b2b|back[ -]to[ -]back|vs\.?|versus)\s+/iu;
const maybe = /\s+(?:and|&|with|feat\.?|ft\.?|featuring|x|\+|und|y|et)\s+|\s*[,;+]\s+/iu;

/** The artists that a text names: one whose name it is, or several joined by "b2b" and the like. */
export function chooseArtists(catalogue: Catalogue, text: string): Choice[] {
  const whole = choose(catalogue, 'artist', text);
  if (isSure(whole)) return [whole];
  const apart = parts(text, surely);
  if (apart.length > 1) return apart.flatMap((part) => chooseArtists(catalogue, part)).slice(0, mostArtists);
  const joined = parts(text, maybe).map((part) => choose(catalogue, 'artist', part));
  const areNames = joined.length > 1 && joined.every(({ match }) => match !== null && match.score >= 0.7);
  return areNames ? joined.slice(0, mostArtists) : [whole];
}

const mostArtists = 4;
const parts = (text: string, joint: RegExp): string[] =>
  text
    .split(joint)
    .map((part) => part.trim())
    .filter(Boolean);
