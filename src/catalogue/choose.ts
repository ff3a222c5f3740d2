/**
 * Which record a name means, when people or models write it: by slug, name, alias, beginning, some of its words, or
 * with a typo, and with a place beside it. The same words choose the same record as long as the catalogue is the same.
 */
import { LRUCache } from 'lru-cache';
import { searchWords } from '../store/fold.ts';
import type { CalledRecord, FewKind, NameableKind } from '../store/named-records.ts';
import type { Catalogue } from './answers.ts';
import { cityShort } from './city-abbreviations.ts';
import { areEmpty, formsOf, partings } from './name-forms.ts';
import { isIn, type Place, splitPlace, splitRegion } from './name-places.ts';
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
  /** The zone of the match, where it is a venue or city and that is known. */
  zone: string | null;
};
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
type Memory = { state: string; choices: LRUCache<string, Choice | Choice[]> };
const memories = new WeakMap<Catalogue['reader'], Memory>();

function memoryOf({ reader }: Catalogue): Memory['choices'] {
  const { revision, lastSyncedTs } = reader.state();
  const state = `${revision} ${lastSyncedTs}`;
  let memory = memories.get(reader);
  if (memory?.state !== state) {
    memory = { state, choices: new LRUCache({ max: mostRemembered }) };
    memories.set(reader, memory);
  }
  return memory.choices;
}

/** What was found out for a key before, as long as the catalogue is the same; else found out now. */
export function remembered<T extends Choice | Choice[]>(
  catalogue: Catalogue,
  key: string,
  findOut: () => T,
): T {
  const choices = memoryOf(catalogue);
  const known = choices.get(key) as T | undefined;
  if (known !== undefined) return known;
  const found = findOut();
  choices.set(key, found);
  return found;
}

/** A text cut to the length that a name may have. */
export const nameText = (text: string): string => text.slice(0, longestText).trim();

/**
 * Chooses the record that a name means.
 * @param place where it has to be; namesakes elsewhere are only mentioned
 */
export function choose(catalogue: Catalogue, kind: NameableKind, text: string, place: Place = {}): Choice {
  const asked = nameText(text);
  const key = JSON.stringify([kind, asked, place.city, place.country]);
  return remembered(catalogue, key, () => chosen(catalogue, kind, asked, place));
}

function chosen(catalogue: Catalogue, kind: NameableKind, asked: string, place: Place): Choice {
  const found = candidates(catalogue, kind, asked, place);
  const here = found.filter((candidate) => isIn(candidate, place));
  const match = here[0] ?? null;
  const others = [...here.slice(1), ...found.filter((candidate) => !here.includes(candidate))];
  const isPlace = kind === 'venue' || kind === 'city';
  const zone = match && isPlace ? (catalogue.reader.named.one(kind, match.id)?.timezone ?? null) : null;
  return { kind, text: asked, match, others: others.slice(0, mostOthers), zone };
}

/** Whether the name is the record's own, an alias or its slug: no part, no guess. */
export const isSure = ({ match }: Choice): boolean =>
  match !== null && match.score >= scores.alias - forTheRest;

/** What a text may mean: as it stands, else in one of the forms that people give a name, else as search guesses it. */
function candidates(catalogue: Catalogue, kind: NameableKind, asked: string, place: Place): Candidate[] {
  const found = straight(catalogue, kind, asked, place);
  if (isWhole(found)) return found;
  const parted = partedName(catalogue, kind, asked);
  if (parted !== null) return straight(catalogue, kind, parted, place);
  const inForms = formsOf(kind, asked).map((form) => straight(catalogue, kind, form, place).map(lessSure));
  const sure = inForms.find((some) => (some[0]?.score ?? 0) >= scores.alias - forTheRest);
  return sure ?? (found.length > 0 ? found : (inForms.find((some) => some.length > 0) ?? []));
}

/** The name that a text has without its spaces; null where there is none. */
function partedName({ reader }: Catalogue, kind: NameableKind, asked: string): string | null {
  if (kind !== 'artist' && kind !== 'venue') return null;
  return partings(asked).find((text) => reader.named.isCalled(kind, text)) ?? null;
}

/** What a text means as it stands, or with its place beside it. */
function straight(catalogue: Catalogue, kind: NameableKind, asked: string, place: Place): Candidate[] {
  const bySlug = ofSlug(catalogue, kind, asked);
  const wholly = named(catalogue, kind, asked);
  if (bySlug.length > 0) return eachOnce([...bySlug, ...wholly]);
  if (isWhole(wholly) || kind === 'genre') return wholly;
  const { name, within } = splitPlace(catalogue, kind, asked);
  if (name !== asked) {
    const inPlace = named(catalogue, kind, name).filter((one) => isIn(one, { ...place, ...within }));
    if (inPlace.length > 0) return inPlace.map(lessSure);
  }
  const region = kind === 'city' ? splitRegion(asked) : null;
  if (region === null) return wholly;
  const inRegion = named(catalogue, 'city', region.name).filter(
    (one) => isIn(one, place) && region.countries.some((country) => isIn(one, { country })),
  );
  return inRegion.length > 0 ? inRegion.map(lessSure) : wholly;
}

const isWhole = (found: readonly Candidate[]): boolean => (found[0]?.score ?? 0) >= scores.alias;
const lessSure = (candidate: Candidate): Candidate => ({
  ...candidate,
  score: Math.round((candidate.score - forTheRest) * 100) / 100,
});

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

/** The records that the whole text names, best first, then as search ranks them. What says too little is no beginning. */
function named(catalogue: Catalogue, kind: NameableKind, text: string): Candidate[] {
  const words = searchWords(text);
  const found =
    kind === 'city' || kind === 'genre'
      ? fewNamed(catalogue, kind, text, words)
      : catalogue.search
          .named(kind, text, mostLookedAt)
          .map((record) => candidateOf(record, scores[record.how]));
  const fitting = areEmpty(words) ? found.filter(({ score }) => score >= scores.alias) : found;
  return fitting.sort((a, b) => b.score - a.score);
}

/** The same among the kinds that search does not look through. */
function fewNamed(catalogue: Catalogue, kind: FewKind, text: string, words: string): Candidate[] {
  const { named } = catalogue.reader;
  const exact = named
    .called(kind, text)
    .map((record) => candidateOf(record, scores[record.is_alias ? 'alias' : 'name']));
  if (kind === 'city') exact.push(...citiesShort(catalogue, text));
  if (exact.length > 0) return eachOnce(exact);
  if (words === '') return [];
  const all = named.all(kind);
  const asked = words.split(' ');
  const fitting = all.filter((record) => fits(record, words, asked));
  if (fitting.length > 0) {
    const how = (record: CalledRecord) => howMet(words, { ...record, terms: record.words });
    return eachOnce(fitting.map((record) => candidateOf(record, scores[how(record)])));
  }
  const meant = all.filter((record) => areTyposApart(asked, record.words.split(' ')));
  return eachOnce(meant.map((record) => candidateOf(record, scores.guess)));
}

/** The city that a text is short for, where it is on record. */
function citiesShort({ reader }: Catalogue, text: string): Candidate[] {
  const city = cityShort(text);
  if (city === null) return [];
  return reader.named
    .called('city', city.name)
    .filter(({ country }) => country === city.country)
    .map((record) => candidateOf(record, scores.alias));
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
