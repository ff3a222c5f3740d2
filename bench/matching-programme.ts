/**
 * A real programme (2,497 nights of one venue: residents, weekly titles, two floors a night) as other sellers would list
 * it: four lists derived from it with seeded random numbers. The construction says which listings are one show. It adds the
 * density that small scenes lack: the same names week by week, in one venue.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { tokenize } from '../src/text/tokens.ts';
import type { LabelledListing, Scene } from './matching-listings.ts';
import { type Night, type Seller, sellers } from './matching-sellers.ts';
import { type Random, randomOf } from './random.ts';

const folder = fileURLToPath(new URL('../../shared/data/berghain/', import.meta.url));
const dayMs = 86_400_000;

type FeedEvent = {
  kind: string;
  external_id: string;
  name: string;
  start_at: string;
  lineup?: { name: string; stage?: string }[];
};

/** A set that begins before this hour belongs to the evening before, and has its date. */
const morning = 10 * 60;

/** When a night begins, by its earliest set, in minutes of its date; beyond 1,440 after midnight. */
function beginnings(): Map<string, number> {
  const begins = new Map<string, number>();
  for (const line of readFileSync(`${folder}lineups.csv`, 'utf8').split('\n').slice(1)) {
    const [, id, hour, minute] = /^(\d+),.*,\d{4}-\d\d-\d\dT(\d\d):(\d\d):00Z,[^,]*$/.exec(line.trim()) ?? [];
    if (id === undefined) continue;
    const clock = Number(hour) * 60 + Number(minute);
    const begin = clock < morning ? clock + 1_440 : clock;
    begins.set(id, Math.min(begins.get(id) ?? begin, begin));
  }
  return begins;
}

/** The nights of the venue; null where the programme is not here. */
function readNights(years: readonly number[] | null): Night[] | null {
  if (!existsSync(folder)) return null;
  const begins = beginnings();
  const events = readFileSync(`${folder}feed.ndjson`, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as FeedEvent);
  const draws = new Map<string, number>();
  for (const { name } of events.flatMap(({ lineup }) => lineup ?? []))
    draws.set(name, (draws.get(name) ?? 0) + 1);
  return events
    .filter(
      ({ kind, start_at }) => kind === 'event' && (years?.includes(Number(start_at.slice(0, 4))) ?? true),
    )
    .map((event): Night => {
      const acts = [...new Map((event.lineup ?? []).map((act) => [act.name, act])).values()];
      const usual = new Date(`${event.start_at}T00:00Z`).getUTCDay() >= 5 ? 1_440 : 20 * 60;
      return {
        id: event.external_id,
        title: event.name,
        day: Date.parse(`${event.start_at}T00:00Z`) / dayMs,
        begin: begins.get(event.external_id) ?? usual,
        acts: acts.map(({ name, stage }) => ({ name, stage: stage ?? null, draws: draws.get(name) ?? 1 })),
        house: null,
      };
    });
}

/** Other venues of the town, that only some of the sellers list: on the same dates, with names that play everywhere. */
const houses: readonly (readonly [house: string, nights: readonly string[]])[] = [
  ['Tresor', ['New Faces', 'Tresor meets Klubnacht', 'True Romance', 'Headquarters']],
  ['://about blank', ['Buttons', 'Staub', 'Homopatik']],
  ['Watergate', ['Watergate Nacht', 'Innervisions', 'Finest Friday Afterhour']],
  ['Ostgut Freischwimmer', ['Sunday Swim', 'Perlonized Open Air']],
  ['Lido', ['Karrera Klub', 'Concert']],
];

/** Nights elsewhere: one for every sixth of the programme, some with an act that plays in the venue that very night. */
function elsewhere(nights: readonly Night[]): Night[] {
  return nights
    .filter((_, at) => at % 6 === 0)
    .map((night, at): Night => {
      const draw = randomOf('elsewhere', at);
      const [house, titles] = draw.pick(houses);
      const others = Array.from({ length: draw.whole(1, 5) }, () => draw.pick(nights).acts[0]?.name);
      const guest = draw.chance(0.3) ? night.acts[0]?.name : undefined;
      const names = [...others, guest].filter((name) => name !== undefined);
      return {
        id: `x${at}`,
        title: draw.pick(titles),
        day: night.day,
        begin: draw.pick([20 * 60, 23 * 60, 1_440]),
        acts: [...new Set(names)].map((name) => ({ name, stage: null, draws: 1 + (name.length % 9) })),
        house,
      };
    });
}

/**
 * The programme and what four sellers make of it and of the town's other nights.
 * @param anniversaryYears only these; all where null
 * @returns one scene for each pair of sellers to be measured in one catalogue; null where the programme is not here
 */
export function programmeScene(years: readonly number[] | null = null): Scene | null {
  const nights = readNights(years);
  if (nights === null) return null;
  const all = [...nights, ...elsewhere(nights)];
  const listings = all.flatMap((night, show) =>
    sellers.flatMap((seller, at) => listed(seller, night, show, randomOf(`${seller.name} ${night.id}`, at))),
  );
  return { scene: 'programme', tag: 'programme', listings };
}

function listed(seller: Seller, night: Night, show: number, draw: Random): LabelledListing[] {
  const written = draw.chance(seller.share(night)) ? seller.write(night, draw) : null;
  if (written === null) return [];
  return [{ show, source: seller.name, ...(seller.clock ? { clock: seller.clock } : {}), ...written }];
}

/** Words of the town and its venues, which all listings share. */
const everywhere =
  /^(?:berghain|panorama|bar|kantine|berlin|germany|nacht|night|klub|club|live|concert|with|and|und|the|friday|finest)$/;
const telling = ({ event }: LabelledListing): Set<string> =>
  new Set(
    tokenize([event.name, ...(event.lineup ?? []).map(({ name }) => name)].join(' ')).filter(
      (word) => word.length > 2 && !everywhere.test(word),
    ),
  );

/** Whether two listings share a word of a title or an act: without one they cannot be matched. */
export function haveInCommon(a: LabelledListing, b: LabelledListing): boolean {
  const words = telling(b);
  return [...telling(a)].some((word) => words.has(word));
}
