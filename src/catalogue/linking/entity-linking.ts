/**
 * Links a name to a record: by slug, name, alias, prefix, some of its words, or with a typo, and with an optional
 * place. The result is deterministic for the same catalogue.
 */
import { LRUCache } from 'lru-cache';
import type { NameableKind } from '../../store/search/named-records.ts';
import { normalizeForSearch } from '../../text/fold.ts';
import { findCity, type RegionOfCities, regionAround, regionNamed } from '../places/cities.ts';
import {
  isRecordInPlace,
  isVenueNear,
  matchesPlace,
  type PlaceConstraint,
  splitPlace,
} from '../places/place-suffix.ts';
import { isInState, splitStateSuffix } from '../places/states.ts';
import type { Catalogue } from '../request.ts';
import {
  bestPerRecord,
  type Candidate,
  exactScore,
  matchScores,
  toCandidate,
  withPartialPenalty,
} from './candidates.ts';
import { areInsignificant, nameForms, respacedForms } from './name-forms.ts';
import { richerNamesakes } from './similar-names.ts';
import { lookUpSmallKind } from './small-kind-lookup.ts';

/** The result of linking a name. It is cached and shared between calls, and therefore frozen. */
export type EntityLink = {
  readonly kind: NameableKind;
  /** The name as given. */
  readonly text: string;
  readonly match: Candidate | null;
  /** Other possible records, best first. */
  readonly alternatives: readonly Candidate[];
  /** The time zone of a matched venue or city, if known. */
  readonly zone: string | null;
  /** For a region: its name and its cities, including the match. */
  readonly region: RegionOfCities | null;
  /** For a text that lists several names ("or", a comma): their matches. */
  readonly listedMatches: readonly Candidate[];
  /** For a match that is a bare name: the record with details that is one letter away. */
  readonly richer: Candidate | null;
};
const maxAlternatives = 5;
/** Longer texts are truncated. */
const maxNameLength = 200;
/** Maximum number of candidates checked for the requested place. */
const maxScannedCandidates = 30;
const maxListedMatches = 5;

/** Agents repeat the same few names, and a link is valid as long as the catalogue is unchanged. */
const maxCachedLinks = 5_000;
type LinkCache = { revision: number; choices: LRUCache<string, EntityLink | readonly EntityLink[]> };
const linkCaches = new WeakMap<Catalogue['reader'], LinkCache>();

function linkCacheOf({ reader }: Catalogue): LinkCache['choices'] {
  const { revision } = reader.state();
  let memory = linkCaches.get(reader);
  if (memory?.revision !== revision) {
    memory = { revision, choices: new LRUCache({ max: maxCachedLinks }) };
    linkCaches.set(reader, memory);
  }
  return memory.choices;
}

/** Returns the cached link of a key, or computes it. A change of the catalogue clears the cache. */
export function cachedLink<T extends EntityLink | readonly EntityLink[]>(
  catalogue: Catalogue,
  key: string,
  compute: () => T,
): T {
  const choices = linkCacheOf(catalogue);
  const cached = choices.get(key) as T | undefined;
  if (cached !== undefined) return cached;
  const link = deepFreeze(compute());
  choices.set(key, link);
  return link;
}

/** Freezes a value and everything in it, because cached links are shared between calls. */
function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const member of Object.values(value)) deepFreeze(member);
  return Object.freeze(value);
}

/** Truncates a text to the maximum length of a name. */
export const truncateName = (text: string): string => text.slice(0, maxNameLength).trim();

/**
 * Links a name to a record.
 * @param place the required location; namesakes elsewhere become alternatives
 */
export function linkEntity(
  catalogue: Catalogue,
  kind: NameableKind,
  text: string,
  place: PlaceConstraint = {},
): EntityLink {
  const nameText = truncateName(text);
  const key = JSON.stringify([kind, nameText, place.city, place.country, place.cities?.map(({ id }) => id)]);
  return cachedLink(catalogue, key, () => linkEntityUncached(catalogue, kind, nameText, place));
}

function linkEntityUncached(
  catalogue: Catalogue,
  kind: NameableKind,
  nameText: string,
  place: PlaceConstraint,
): EntityLink {
  const candidates = findCandidates(catalogue, kind, nameText, place);
  const here = candidatesInPlace(catalogue, kind, candidates, place);
  const region =
    kind === 'city' && !isExactCandidate(here[0]) ? linkRegion(catalogue, nameText, place) : null;
  if (region !== null) return region;
  const match = here[0] ?? null;
  const around = kind === 'city' && match ? regionAround(catalogue, nameText, match.slug) : null;
  const others = [...here.slice(1), ...candidates.filter(({ id }) => here.every((one) => one.id !== id))];
  const isPlace = kind === 'venue' || kind === 'city';
  const zone =
    match && isPlace ? (catalogue.reader.namedRecords.byId(kind, match.id)?.timezone ?? null) : null;
  const several = match === null ? linkListed(catalogue, kind, nameText) : [];
  const isNamedByListings = kind === 'artist' || kind === 'venue';
  const richer =
    match && isExactCandidate(match) && isNamedByListings ? richerNamesakes(catalogue, kind, match) : [];
  const alternatives = [...richer, ...others.filter(({ id }) => richer.every((one) => one.id !== id))];
  return {
    kind,
    text: nameText,
    match,
    alternatives: alternatives.slice(0, maxAlternatives),
    richer: richer[0] ?? null,
    zone,
    region: around,
    listedMatches: several,
  };
}

/** Returns the candidates in the requested place; if there is none, exact matches near it. */
function candidatesInPlace(
  catalogue: Catalogue,
  kind: NameableKind,
  candidates: readonly Candidate[],
  place: PlaceConstraint,
): readonly Candidate[] {
  const here = candidates.filter((candidate) => isRecordInPlace(catalogue, kind, candidate, place));
  if (here.length > 0 || kind !== 'venue') return here;
  return candidates
    .filter((candidate) => isExactCandidate(candidate) && isVenueNear(catalogue, candidate, place))
    .map(withPartialPenalty);
}

const isExactCandidate = (candidate: Candidate | undefined): boolean => (candidate?.score ?? 0) >= exactScore;

/** Links all cities of a region as one choice; null if no city has this region. */
function linkRegion(catalogue: Catalogue, nameText: string, place: PlaceConstraint): EntityLink | null {
  const { name, within: statedPlace } = splitPlace(catalogue, 'city', nameText);
  const where = { ...place, ...statedPlace };
  for (const text of [nameText, name, ...nameForms('city', nameText)]) {
    const region = regionNamed(catalogue, text, where.country);
    const [first] = region?.cities ?? [];
    if (region === null || first === undefined) continue;
    const candidates = region.cities.map((city) => toCandidate({ ...city, city: null }, exactScore));
    return {
      kind: 'city',
      text: nameText,
      match: candidates[0] ?? null,
      alternatives: [],
      zone: catalogue.reader.namedRecords.byId('city', first.id)?.timezone ?? null,
      region,
      listedMatches: [],
      richer: null,
    };
  }
  return null;
}

const between = /\s*[,;/&+]\s*|\s+(?:or|and|oder|und|ou|et|o|e|y|of|en)\s+/iu;

/** Links the parts of a listed text, if every part is a name. */
function linkListed(catalogue: Catalogue, kind: NameableKind, nameText: string): Candidate[] {
  const parts = nameText.split(between).filter(Boolean);
  if (parts.length < 2 || parts.length > maxListedMatches) return [];
  const each = parts.map((part) => linkEntity(catalogue, kind, part));
  return each.every(isExactLink) ? each.flatMap(({ match }) => match ?? []) : [];
}

/** Whether the match is exact: the record's name, an alias or its slug. */
export const isExactLink = ({ match }: EntityLink): boolean => isExactCandidate(match ?? undefined);

/** Returns the candidates of a text: as written, then in its alternative forms, then by spelling correction. */
function findCandidates(
  catalogue: Catalogue,
  kind: NameableKind,
  nameText: string,
  place: PlaceConstraint,
): readonly Candidate[] {
  const candidates = exactCandidates(catalogue, kind, nameText, place);
  if (hasExactCandidate(candidates)) return candidates;
  const parted = findRespacedName(catalogue, kind, nameText);
  if (parted !== null) return exactCandidates(catalogue, kind, parted, place);
  const inForms = nameForms(kind, nameText).map((form) =>
    exactCandidates(catalogue, kind, form, place).map(withPartialPenalty),
  );
  const sure = inForms.find((some) => isExactCandidate(some[0]));
  if (sure) return sure;
  // "Bay Area" is not a city whose name contains "Bay".
  if (candidates.length > 0 || kind === 'city') return candidates;
  return inForms.find((some) => some.length > 0) ?? [];
}

/** Returns the name that equals the text except for spaces, or null. */
function findRespacedName({ reader }: Catalogue, kind: NameableKind, nameText: string): string | null {
  if (kind !== 'artist' && kind !== 'venue') return null;
  return respacedForms(nameText).find((text) => reader.namedRecords.hasName(kind, text)) ?? null;
}

/** Returns exact matches of the text, with or without a place in it. */
function exactCandidates(
  catalogue: Catalogue,
  kind: NameableKind,
  nameText: string,
  place: PlaceConstraint,
): readonly Candidate[] {
  const bySlug = candidateBySlug(catalogue, kind, nameText);
  const wholly = candidatesByName(catalogue, kind, nameText);
  if (bySlug.length > 0) return bestPerRecord([...bySlug, ...wholly]);
  if (hasExactCandidate(wholly) || kind === 'genre') return wholly;
  const { name, within } = splitPlace(catalogue, kind, nameText);
  if (name !== nameText) {
    const inPlace = candidatesByName(catalogue, kind, name).filter((one) =>
      matchesPlace(one, { ...place, ...within }),
    );
    if (inPlace.length > 0) return inPlace.map(withPartialPenalty);
  }
  if (kind !== 'city') return wholly;
  const inRegion = citiesInRegion(catalogue, nameText, place);
  return inRegion.length > 0 ? inRegion.map(withPartialPenalty) : wholly;
}

/** Returns the cities of a text that ends with their state or province: "Portland, OR", "Springfield, Missouri". */
function citiesInRegion(
  catalogue: Catalogue,
  nameText: string,
  place: PlaceConstraint,
): readonly Candidate[] {
  for (const { name, region } of splitStateSuffix(nameText)) {
    const called = candidatesByName(catalogue, 'city', name).filter((one) => matchesPlace(one, place));
    const inRegion = called.filter((one) => isInState(findCity(catalogue, one.slug), region));
    if (inRegion.length > 0) return inRegion;
  }
  return [];
}

const hasExactCandidate = (candidates: readonly Candidate[]): boolean =>
  (candidates[0]?.score ?? 0) >= matchScores.alias;

function candidateBySlug({ reader }: Catalogue, kind: NameableKind, text: string): Candidate[] {
  const id = reader.find(kind, text);
  const record = id === null ? null : reader.namedRecords.byId(kind, id);
  return record === null ? [] : [toCandidate(record, 1)];
}

/**
 * Returns the records that match the whole text, best first, then in search order. Insignificant words do not match
 * as a prefix.
 */
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
