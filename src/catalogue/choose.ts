/**
 * Which record a name means, when people or models write it: by slug, name, alias, beginning, some of its words, or
 * with a typo, and with a place beside it. The same words choose the same record as long as the catalogue is the same.
 */
import { LRUCache } from 'lru-cache';
import { searchWords } from '../store/fold.ts';
import type { NameableKind } from '../store/named-records.ts';
import type { Catalogue } from './answers.ts';
import { type Candidate, candidateOf, eachOnce, lessSure, scores, sureScore } from './candidates.ts';
import { type CityPlace, citiesOfRegion, cityPlace } from './city-places.ts';
import { fewNamed } from './few-named.ts';
import { areEmpty, formsOf, partings } from './name-forms.ts';
import { isIn, isNearBy, isThere, type Place, splitPlace } from './name-places.ts';
import { isOfRegion, splitRegions } from './regions.ts';

/** What a name was taken for. It is remembered and shared between calls: nobody may change it. */
export type Choice = {
  readonly kind: NameableKind;
  /** The name as it was given. */
  readonly text: string;
  readonly match: Candidate | null;
  /** What it may mean as well, best first. */
  readonly others: readonly Candidate[];
  /** The zone of the match, where it is a venue or city and that is known. */
  readonly zone: string | null;
  /** Where the name is a region's: the name of that, and its cities, the match among them. */
  readonly region: { readonly name: string; readonly cities: readonly CityPlace[] } | null;
  /** Where the text names none but several, joined by "or", a comma and the like: those. */
  readonly several: readonly Candidate[];
};
const mostOthers = 5;
/** Longer texts name nothing. */
const longestText = 200;
/** How many candidates are looked at for those in the right place. */
const mostLookedAt = 30;
const mostSeveral = 5;

/** Agents ask for the same few names again and again, and a choice is the same as long as the catalogue is. */
const mostRemembered = 5_000;
type Memory = { state: string; choices: LRUCache<string, Choice | readonly Choice[]> };
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
export function remembered<T extends Choice | readonly Choice[]>(
  catalogue: Catalogue,
  key: string,
  findOut: () => T,
): T {
  const choices = memoryOf(catalogue);
  const known = choices.get(key) as T | undefined;
  if (known !== undefined) return known;
  const found = frozen(findOut());
  choices.set(key, found);
  return found;
}

/** The same, and nothing in it can be changed any more: what one call did to it would be the next one's answer. */
function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const member of Object.values(value)) frozen(member);
  return Object.freeze(value);
}

/** A text cut to the length that a name may have. */
export const nameText = (text: string): string => text.slice(0, longestText).trim();

/**
 * Chooses the record that a name means.
 * @param place where it has to be; namesakes elsewhere are only mentioned
 */
export function choose(catalogue: Catalogue, kind: NameableKind, text: string, place: Place = {}): Choice {
  const asked = nameText(text);
  const key = JSON.stringify([kind, asked, place.city, place.country, place.cities?.map(({ id }) => id)]);
  return remembered(catalogue, key, () => chosen(catalogue, kind, asked, place));
}

function chosen(catalogue: Catalogue, kind: NameableKind, asked: string, place: Place): Choice {
  const found = candidates(catalogue, kind, asked, place);
  const here = within(catalogue, kind, found, place);
  const region = kind === 'city' && !isFit(here[0]) ? regionNamed(catalogue, asked, place) : null;
  if (region !== null) return region;
  const match = here[0] ?? null;
  const others = [...here.slice(1), ...found.filter(({ id }) => here.every((one) => one.id !== id))];
  const isPlace = kind === 'venue' || kind === 'city';
  const zone = match && isPlace ? (catalogue.reader.named.one(kind, match.id)?.timezone ?? null) : null;
  const several = match === null ? severalNamed(catalogue, kind, asked) : [];
  return { kind, text: asked, match, others: others.slice(0, mostOthers), zone, region, several };
}

/** The candidates in the place asked for; where none is, those of just that name that are near to it. */
function within(
  catalogue: Catalogue,
  kind: NameableKind,
  found: readonly Candidate[],
  place: Place,
): readonly Candidate[] {
  const here = found.filter((candidate) => isThere(catalogue, kind, candidate, place));
  if (here.length > 0 || kind !== 'venue') return here;
  return found.filter((candidate) => isFit(candidate) && isNearBy(catalogue, candidate, place)).map(lessSure);
}

const isFit = (candidate: Candidate | undefined): boolean => (candidate?.score ?? 0) >= sureScore;

/** All cities of a region, as one choice; null where no city is in one of that name. */
function regionNamed(catalogue: Catalogue, asked: string, place: Place): Choice | null {
  const { name, within: wherein } = splitPlace(catalogue, 'city', asked);
  const where = { ...place, ...wherein };
  for (const text of [asked, name, ...formsOf('city', asked)]) {
    const cities = citiesOfRegion(catalogue, text).filter(
      ({ country }) => where.country === undefined || country === where.country,
    );
    const [first] = cities;
    if (first?.region == null) continue;
    // Of namesakes the one with the most venues is meant, as with cities.
    const own = cities.filter(({ country }) => country === first.country);
    const found = own.map((city) => candidateOf({ ...city, city: null }, sureScore));
    return {
      kind: 'city',
      text: asked,
      match: found[0] ?? null,
      others: [],
      zone: catalogue.reader.named.one('city', first.id)?.timezone ?? null,
      region: { name: first.region, cities: own },
      several: [],
    };
  }
  return null;
}

const between = /\s*[,;/&+]\s*|\s+(?:or|and|oder|und|ou|et|o|e|y|of|en)\s+/iu;

/** What the parts of a text name, where each is the name of one. */
function severalNamed(catalogue: Catalogue, kind: NameableKind, asked: string): Candidate[] {
  const parts = asked.split(between).filter(Boolean);
  if (parts.length < 2 || parts.length > mostSeveral) return [];
  const each = parts.map((part) => choose(catalogue, kind, part));
  return each.every(isSure) ? each.flatMap(({ match }) => match ?? []) : [];
}

/** Whether the name is the record's own, an alias or its slug: no part, no guess. */
export const isSure = ({ match }: Choice): boolean => isFit(match ?? undefined);

/** What a text may mean: as it stands, else in one of the forms that people give a name, else as search guesses it. */
function candidates(
  catalogue: Catalogue,
  kind: NameableKind,
  asked: string,
  place: Place,
): readonly Candidate[] {
  const found = straight(catalogue, kind, asked, place);
  if (isWhole(found)) return found;
  const parted = partedName(catalogue, kind, asked);
  if (parted !== null) return straight(catalogue, kind, parted, place);
  const inForms = formsOf(kind, asked).map((form) => straight(catalogue, kind, form, place).map(lessSure));
  const sure = inForms.find((some) => isFit(some[0]));
  if (sure) return sure;
  // "Bay Area" is no city that has "Bay" in its name.
  if (found.length > 0 || kind === 'city') return found;
  return inForms.find((some) => some.length > 0) ?? [];
}

/** The name that a text has without its spaces; null where there is none. */
function partedName({ reader }: Catalogue, kind: NameableKind, asked: string): string | null {
  if (kind !== 'artist' && kind !== 'venue') return null;
  return partings(asked).find((text) => reader.named.isCalled(kind, text)) ?? null;
}

/** What a text means as it stands, or with its place beside it. */
function straight(
  catalogue: Catalogue,
  kind: NameableKind,
  asked: string,
  place: Place,
): readonly Candidate[] {
  const bySlug = ofSlug(catalogue, kind, asked);
  const wholly = named(catalogue, kind, asked);
  if (bySlug.length > 0) return eachOnce([...bySlug, ...wholly]);
  if (isWhole(wholly) || kind === 'genre') return wholly;
  const { name, within } = splitPlace(catalogue, kind, asked);
  if (name !== asked) {
    const inPlace = named(catalogue, kind, name).filter((one) => isIn(one, { ...place, ...within }));
    if (inPlace.length > 0) return inPlace.map(lessSure);
  }
  if (kind !== 'city') return wholly;
  const inRegion = citiesInRegion(catalogue, asked, place);
  return inRegion.length > 0 ? inRegion.map(lessSure) : wholly;
}

/** The cities that a text names with their state or province behind it: "Portland, OR", "Springfield, Missouri". */
function citiesInRegion(catalogue: Catalogue, asked: string, place: Place): readonly Candidate[] {
  for (const { name, region } of splitRegions(asked)) {
    const called = named(catalogue, 'city', name).filter((one) => isIn(one, place));
    const found = called.filter((one) => isOfRegion(cityPlace(catalogue, one.slug), region));
    if (found.length > 0) return found;
  }
  return [];
}

const isWhole = (found: readonly Candidate[]): boolean => (found[0]?.score ?? 0) >= scores.alias;

function ofSlug({ reader }: Catalogue, kind: NameableKind, text: string): Candidate[] {
  const id = reader.find(kind, text);
  const record = id === null ? null : reader.named.one(kind, id);
  return record === null ? [] : [candidateOf(record, 1)];
}

/** The records that the whole text names, best first, then as search ranks them. What says too little is no beginning. */
function named(catalogue: Catalogue, kind: NameableKind, text: string): readonly Candidate[] {
  if (kind === 'city' || kind === 'genre') {
    const few = fewNamed(catalogue, kind, text);
    return areEmpty(searchWords(text)) ? few.filter(({ score }) => score >= scores.alias) : few;
  }
  if (areEmpty(searchWords(text), kind)) {
    return eachOnce(
      catalogue.reader.named
        .called(kind, text)
        .map((record) => candidateOf(record, scores[record.is_alias ? 'alias' : 'name'])),
    );
  }
  return catalogue.search
    .named(kind, text, mostLookedAt)
    .map((record) => candidateOf(record, scores[record.how]))
    .sort((a, b) => b.score - a.score);
}
