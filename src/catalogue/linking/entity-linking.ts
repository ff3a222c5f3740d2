/**
 * Which record a name means, when people or models write it: by slug, name, alias, beginning, some of its words, or
 * with a typo, and with a place beside it. The same words choose the same record as long as the catalogue is the same.
 */
import { LRUCache } from 'lru-cache';
import type { NameableKind } from '../../store/search/named-records.ts';
import { normalizeForSearch } from '../../text/fold.ts';
import type { Catalogue } from '../handlers.ts';
import { type CityLocation, citiesOfRegion, findCity } from '../places/cities.ts';
import {
  isRecordInPlace,
  isVenueNear,
  matchesPlace,
  type PlaceConstraint,
  splitPlace,
} from '../places/place-suffix.ts';
import { isInState, splitStateSuffix } from '../places/states.ts';
import {
  bestPerRecord,
  type Candidate,
  exactScore,
  matchScores,
  toCandidate,
  withPartialPenalty,
} from './candidates.ts';
import { areInsignificant, nameForms, respacedForms } from './name-forms.ts';
import { lookUpSmallKind } from './small-kind-lookup.ts';

/** What a name was taken for. It is remembered and shared between calls: nobody may change it. */
export type EntityLink = {
  readonly kind: NameableKind;
  /** The name as it was given. */
  readonly text: string;
  readonly match: Candidate | null;
  /** What it may mean as well, best first. */
  readonly alternatives: readonly Candidate[];
  /** The zone of the match, where it is a venue or city and that is known. */
  readonly zone: string | null;
  /** Where the name is a region's: the name of that, and its cities, the match among them. */
  readonly region: { readonly name: string; readonly cities: readonly CityLocation[] } | null;
  /** Where the text names none but several, joined by "or", a comma and the like: those. */
  readonly listedMatches: readonly Candidate[];
};
const maxAlternatives = 5;
/** Longer texts name nothing. */
const maxNameLength = 200;
/** How many candidates are looked at for those in the right place. */
const maxScannedCandidates = 30;
const maxListedMatches = 5;

/** Agents ask for the same few names again and again, and a choice is the same as long as the catalogue is. */
const maxCachedLinks = 5_000;
type LinkCache = { state: string; choices: LRUCache<string, EntityLink | readonly EntityLink[]> };
const linkCaches = new WeakMap<Catalogue['reader'], LinkCache>();

function linkCacheOf({ reader }: Catalogue): LinkCache['choices'] {
  const { revision, lastSyncedTs } = reader.state();
  const state = `${revision} ${lastSyncedTs}`;
  let memory = linkCaches.get(reader);
  if (memory?.state !== state) {
    memory = { state, choices: new LRUCache({ max: maxCachedLinks }) };
    linkCaches.set(reader, memory);
  }
  return memory.choices;
}

/** What was found out for a key before, as long as the catalogue is the same; else found out now. */
export function cachedLink<T extends EntityLink | readonly EntityLink[]>(
  catalogue: Catalogue,
  key: string,
  compute: () => T,
): T {
  const choices = linkCacheOf(catalogue);
  const known = choices.get(key) as T | undefined;
  if (known !== undefined) return known;
  const found = deepFreeze(compute());
  choices.set(key, found);
  return found;
}

/** The same, and nothing in it can be changed any more: what one call did to it would be the next one's answer. */
function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const member of Object.values(value)) deepFreeze(member);
  return Object.freeze(value);
}

/** A text cut to the length that a name may have. */
export const truncateName = (text: string): string => text.slice(0, maxNameLength).trim();

/**
 * Chooses the record that a name means.
 * @param place where it has to be; namesakes elsewhere are only mentioned
 */
export function linkEntity(
  catalogue: Catalogue,
  kind: NameableKind,
  text: string,
  place: PlaceConstraint = {},
): EntityLink {
  const asked = truncateName(text);
  const key = JSON.stringify([kind, asked, place.city, place.country, place.cities?.map(({ id }) => id)]);
  return cachedLink(catalogue, key, () => linkEntityUncached(catalogue, kind, asked, place));
}

function linkEntityUncached(
  catalogue: Catalogue,
  kind: NameableKind,
  asked: string,
  place: PlaceConstraint,
): EntityLink {
  const found = findCandidates(catalogue, kind, asked, place);
  const here = candidatesInPlace(catalogue, kind, found, place);
  const region = kind === 'city' && !isExactCandidate(here[0]) ? linkRegion(catalogue, asked, place) : null;
  if (region !== null) return region;
  const match = here[0] ?? null;
  const others = [...here.slice(1), ...found.filter(({ id }) => here.every((one) => one.id !== id))];
  const isPlace = kind === 'venue' || kind === 'city';
  const zone =
    match && isPlace ? (catalogue.reader.namedRecords.byId(kind, match.id)?.timezone ?? null) : null;
  const several = match === null ? linkListed(catalogue, kind, asked) : [];
  return {
    kind,
    text: asked,
    match,
    alternatives: others.slice(0, maxAlternatives),
    zone,
    region,
    listedMatches: several,
  };
}

/** The candidates in the place asked for; where none is, those of just that name that are near to it. */
function candidatesInPlace(
  catalogue: Catalogue,
  kind: NameableKind,
  found: readonly Candidate[],
  place: PlaceConstraint,
): readonly Candidate[] {
  const here = found.filter((candidate) => isRecordInPlace(catalogue, kind, candidate, place));
  if (here.length > 0 || kind !== 'venue') return here;
  return found
    .filter((candidate) => isExactCandidate(candidate) && isVenueNear(catalogue, candidate, place))
    .map(withPartialPenalty);
}

const isExactCandidate = (candidate: Candidate | undefined): boolean => (candidate?.score ?? 0) >= exactScore;

/** All cities of a region, as one choice; null where no city is in one of that name. */
function linkRegion(catalogue: Catalogue, asked: string, place: PlaceConstraint): EntityLink | null {
  const { name, within: wherein } = splitPlace(catalogue, 'city', asked);
  const where = { ...place, ...wherein };
  for (const text of [asked, name, ...nameForms('city', asked)]) {
    const cities = citiesOfRegion(catalogue, text).filter(
      ({ country }) => where.country === undefined || country === where.country,
    );
    const [first] = cities;
    if (first?.region == null) continue;
    // Of namesakes the one with the most venues is meant, as with cities.
    const own = cities.filter(({ country }) => country === first.country);
    const found = own.map((city) => toCandidate({ ...city, city: null }, exactScore));
    return {
      kind: 'city',
      text: asked,
      match: found[0] ?? null,
      alternatives: [],
      zone: catalogue.reader.namedRecords.byId('city', first.id)?.timezone ?? null,
      region: { name: first.region, cities: own },
      listedMatches: [],
    };
  }
  return null;
}

const between = /\s*[,;/&+]\s*|\s+(?:or|and|oder|und|ou|et|o|e|y|of|en)\s+/iu;

/** What the parts of a text name, where each is the name of one. */
function linkListed(catalogue: Catalogue, kind: NameableKind, asked: string): Candidate[] {
  const parts = asked.split(between).filter(Boolean);
  if (parts.length < 2 || parts.length > maxListedMatches) return [];
  const each = parts.map((part) => linkEntity(catalogue, kind, part));
  return each.every(isExactLink) ? each.flatMap(({ match }) => match ?? []) : [];
}

/** Whether the name is the record's own, an alias or its slug: no part, no guess. */
export const isExactLink = ({ match }: EntityLink): boolean => isExactCandidate(match ?? undefined);

/** What a text may mean: as it stands, else in one of the forms that people give a name, else as search guesses it. */
function findCandidates(
  catalogue: Catalogue,
  kind: NameableKind,
  asked: string,
  place: PlaceConstraint,
): readonly Candidate[] {
  const found = exactCandidates(catalogue, kind, asked, place);
  if (hasExactCandidate(found)) return found;
  const parted = findRespacedName(catalogue, kind, asked);
  if (parted !== null) return exactCandidates(catalogue, kind, parted, place);
  const inForms = nameForms(kind, asked).map((form) =>
    exactCandidates(catalogue, kind, form, place).map(withPartialPenalty),
  );
  const sure = inForms.find((some) => isExactCandidate(some[0]));
  if (sure) return sure;
  // "Bay Area" is no city that has "Bay" in its name.
  if (found.length > 0 || kind === 'city') return found;
  return inForms.find((some) => some.length > 0) ?? [];
}

/** The name that a text has without its spaces; null where there is none. */
function findRespacedName({ reader }: Catalogue, kind: NameableKind, asked: string): string | null {
  if (kind !== 'artist' && kind !== 'venue') return null;
  return respacedForms(asked).find((text) => reader.namedRecords.hasName(kind, text)) ?? null;
}

/** What a text means as it stands, or with its place beside it. */
function exactCandidates(
  catalogue: Catalogue,
  kind: NameableKind,
  asked: string,
  place: PlaceConstraint,
): readonly Candidate[] {
  const bySlug = candidateBySlug(catalogue, kind, asked);
  const wholly = candidatesByName(catalogue, kind, asked);
  if (bySlug.length > 0) return bestPerRecord([...bySlug, ...wholly]);
  if (hasExactCandidate(wholly) || kind === 'genre') return wholly;
  const { name, within } = splitPlace(catalogue, kind, asked);
  if (name !== asked) {
    const inPlace = candidatesByName(catalogue, kind, name).filter((one) =>
      matchesPlace(one, { ...place, ...within }),
    );
    if (inPlace.length > 0) return inPlace.map(withPartialPenalty);
  }
  if (kind !== 'city') return wholly;
  const inRegion = citiesInRegion(catalogue, asked, place);
  return inRegion.length > 0 ? inRegion.map(withPartialPenalty) : wholly;
}

/** The cities that a text names with their state or province behind it: "Portland, OR", "Springfield, Missouri". */
function citiesInRegion(catalogue: Catalogue, asked: string, place: PlaceConstraint): readonly Candidate[] {
  for (const { name, region } of splitStateSuffix(asked)) {
    const called = candidatesByName(catalogue, 'city', name).filter((one) => matchesPlace(one, place));
    const found = called.filter((one) => isInState(findCity(catalogue, one.slug), region));
    if (found.length > 0) return found;
  }
  return [];
}

const hasExactCandidate = (found: readonly Candidate[]): boolean =>
  (found[0]?.score ?? 0) >= matchScores.alias;

function candidateBySlug({ reader }: Catalogue, kind: NameableKind, text: string): Candidate[] {
  const id = reader.find(kind, text);
  const record = id === null ? null : reader.namedRecords.byId(kind, id);
  return record === null ? [] : [toCandidate(record, 1)];
}

/** The records that the whole text names, best first, then as search ranks them. What says too little is no beginning. */
function candidatesByName(catalogue: Catalogue, kind: NameableKind, text: string): readonly Candidate[] {
  if (kind === 'city' || kind === 'genre') {
    const few = lookUpSmallKind(catalogue, kind, text);
    return areInsignificant(normalizeForSearch(text))
      ? few.filter(({ score }) => score >= matchScores.alias)
      : few;
  }
  if (areInsignificant(normalizeForSearch(text), kind)) {
    return bestPerRecord(
      catalogue.reader.namedRecords
        .byExactName(kind, text)
        .map((record) => toCandidate(record, matchScores[record.is_alias ? 'alias' : 'name'])),
    );
  }
  return catalogue.search
    .findByName(kind, text, maxScannedCandidates)
    .map((record) => toCandidate(record, matchScores[record.how]))
    .sort((a, b) => b.score - a.score);
}
