/** Reads the labelled listings of events (bench/listings) and compares their pairs. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compareEvents } from '../src/matching/events/compare-events.ts';
import { explainMatch } from '../src/matching/explain.ts';
import type { EventFacts, MatchResult, VenueFacts } from '../src/matching/model.ts';
import { fold } from '../src/text/fold.ts';
import type { Judged } from './matching-figures.ts';

/** The files of listings, in the order in which they were written. */
export const splits = [
  'dev',
  'held',
  'blind',
  'programme',
  'sellers',
  'last',
  'abroad',
  'weekends',
  'gigs',
  'clubs',
  'world',
  'cities',
] as const;
export type Split = (typeof splits)[number];
type VenueLine = Omit<VenueFacts, 'externalId' | 'postalCode'> & {
  external_id: string;
  postal_code?: string;
  timezone?: string;
};
export type EventLine = {
  external_id: string;
  name: string;
  start_at: string;
  end_at?: string;
  timezone?: string;
  status?: string;
  venue?: { external_id?: string; name: string; city?: string; country?: string };
  city?: string;
  country?: string;
  url?: string;
  lineup?: { name: string; billing?: string; stage?: string }[];
  tickets?: NonNullable<EventFacts['tickets']>[number][];
  festival?: { festival: { name: string }; edition: string };
};
/** A listing: the number of its event in the scene, its source, and the lines of its feed. */
export type LabelledListing = {
  show: number;
  source: string;
  clock?: 'local';
  event: EventLine;
  venue?: VenueLine;
};
export type Scene = { scene: string; tag: string; listings: LabelledListing[] };

/** The cities that a fresh catalogue knows, with their names in other languages. */
export const seedCities = fileURLToPath(new URL('../seed/cities.ndjson', import.meta.url));

type CityLine = { name: string; country: string; aliases?: string[] };
let cityNames: Map<string, string[]> | null = null;

/** All names of a city, as the catalogue would know them. */
function namesOfCity(city: string, country: string): string[] {
  cityNames ??= new Map(
    readFileSync(seedCities, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as CityLine)
      .flatMap((line) => {
        const names = [line.name, ...(line.aliases ?? [])];
        return names.map((name) => [cityKey(name, line.country), names]);
      }),
  );
  return cityNames.get(cityKey(city, country)) ?? [];
}

const cityKey = (name: string, country: string): string => `${fold(name)}/${country}`;

/** The scenes of a split. */
export function readScenes(split: Split): Scene[] {
  const path = fileURLToPath(new URL(`listings/${split}.ndjson`, import.meta.url));
  if (!existsSync(path)) throw new Error(`${path} is missing: it belongs to the source tree`);
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Scene);
}

/** A listing as the facts that are compared. */
export function asListing({ source, clock, event, venue }: LabelledListing): EventFacts {
  const at = event.venue;
  return {
    source,
    externalId: event.external_id,
    name: event.name,
    startAt: event.start_at,
    endAt: event.end_at,
    zone: event.timezone ?? venue?.timezone,
    clock: clock ?? 'instant',
    venue: at && {
      name: at.name,
      source,
      externalId: at.external_id,
      city: at.city,
      cityAliases: at.city && at.country ? namesOfCity(at.city, at.country) : null,
      country: at.country,
      address: venue?.address,
      postalCode: venue?.postal_code,
      latitude: venue?.latitude,
      longitude: venue?.longitude,
    },
    city: at?.city ?? event.city,
    cityAliases: !at && event.city && event.country ? namesOfCity(event.city, event.country) : null,
    country: at?.country ?? event.country,
    lineup: event.lineup,
    tickets: event.tickets,
    url: event.url,
    festival: event.festival && { name: event.festival.festival.name, edition: event.festival.edition },
    status: event.status,
  };
}

/** Compares every pair of listings of a scene; a possible match counts as not matched. */
export function judgeScenes(scenes: readonly Scene[]): Judged[] {
  return scenes.flatMap(({ scene, tag, listings }) =>
    pairsOf(listings).map(([a, b]) => {
      const judgement = compareEvents(asListing(a), asListing(b));
      return {
        tag,
        same: a.show === b.show,
        found: judgement.outcome === 'same',
        describe: () => `${scene}\n  ${brief(a)}\n  ${brief(b)}\n  ${explain(judgement)}`,
      };
    }),
  );
}

export const pairsOf = <T>(items: readonly T[]): [T, T][] =>
  items.flatMap((item, at) => items.slice(at + 1).map((other): [T, T] => [item, other]));

export const brief = ({ source, event }: LabelledListing): string =>
  [
    source,
    JSON.stringify(event.name),
    event.start_at,
    event.timezone ?? '(no zone)',
    [event.venue?.name, event.venue?.city].filter(Boolean).join(', '),
    (event.lineup ?? []).map(({ name }) => name).join('; '),
  ].join(' | ');

/** The result of two listings, without the facts that a catalogue adds. */
export const explained = (a: LabelledListing, b: LabelledListing): string =>
  explain(compareEvents(asListing(a), asListing(b)));

function explain(result: MatchResult): string {
  const { outcome, score, rule, reasons } = explainMatch(result);
  return `${outcome} ${score} by ${rule}: ${reasons.map(({ weight, text }) => `${weight > 0 ? '+' : ''}${weight} ${text}`).join('; ')}`;
}
