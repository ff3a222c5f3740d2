/**
 * A real festival (two weekends of three days, 14 stages, 819 sets) as four sellers would list it: days, stages and
 * tickets for several days, which are different events with the same title, place and acts.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { EventLine, LabelledListing, Scene } from './matching-listings.ts';
import { type Random, randomOf } from './random.ts';

const file = fileURLToPath(new URL('../../shared/data/festivals/tomorrowland-2024.ndjson', import.meta.url));

type Entry = { name: string; stage: string; set_start_at: string };
/** A day, or a stage of it, with its acts by the time of their sets. */
type Part = { show: number; date: string; day: number; stage: string | null; entries: Entry[] };

const dayMs = 86_400_000;
/** Sets after midnight are of the day before. */
const dayOf = (start: string): string =>
  new Date(Date.parse(`${start}Z`) - 8 * 3_600_000).toISOString().slice(0, 10);

function readParts(): Part[] {
  const edition = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { kind: string; lineup?: Entry[] })
    .find(({ kind }) => kind === 'edition');
  const entries = (edition?.lineup ?? []).map((entry) => ({ ...entry, stage: entry.stage.trim() }));
  const dates = [...new Set(entries.map((entry) => dayOf(entry.set_start_at)))].sort().slice(1);
  const inTime = (list: Entry[]) => list.toSorted((a, b) => (a.set_start_at < b.set_start_at ? -1 : 1));
  return dates
    .flatMap((date, at): Omit<Part, 'show'>[] => {
      const own = entries.filter((entry) => dayOf(entry.set_start_at) === date);
      const stages = [...new Set(own.map(({ stage }) => stage))].sort();
      return [null, ...stages].map((stage) => ({
        date,
        day: (at % 3) + 1,
        stage,
        entries: inTime(own.filter((entry) => stage === null || entry.stage === stage)),
      }));
    })
    .map((part, show) => ({ ...part, show }));
}

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const weekdayOf = (date: string): string => weekdays[new Date(`${date}T00:00Z`).getUTCDay()] as string;
const weekendOf = ({ date }: Part): number => (date < '2024-07-23' ? 1 : 2);

/** The headliners in the opinion of a seller: the acts that play last. */
const few = (part: Part, most: number, draw: Random): string[] =>
  part.entries.slice(-Math.max(1, most - draw.whole(0, 2))).map(({ name }) => name);

type Seller = {
  name: string;
  lists(part: Part): boolean;
  write(part: Part, draw: Random): Omit<EventLine, 'external_id'>;
};
const lineup = (names: readonly string[]) => names.map((name) => ({ name }));
const ground = { external_id: 'de-schorre', name: 'De Schorre', city: 'Boom', country: 'BE' };

const sellers: readonly Seller[] = [
  {
    name: 'festival',
    lists: () => true,
    write: (part) => ({
      name:
        part.stage === null
          ? `Tomorrowland 2024 – ${weekdayOf(part.date)}`
          : `Tomorrowland 2024 – ${weekdayOf(part.date)} – ${part.stage}`,
      start_at: `${part.date}T12:00`,
      timezone: 'Europe/Brussels',
      venue: ground,
      lineup: part.entries.map(({ name, stage }) => ({ name, stage })),
    }),
  },
  {
    name: 'stages',
    lists: ({ stage }) => stage !== null,
    write: (part, draw) => ({
      name: `${part.stage} at Tomorrowland (Day ${part.day})`,
      start_at: draw.chance(0.5) ? part.date : `${part.date}T12:00:00+02:00`,
      venue: { external_id: 's1', name: 'Recreatiedomein De Schorre', city: 'Boom', country: 'BE' },
      lineup: lineup(part.entries.filter(() => draw.chance(0.9)).map(({ name }) => name)),
    }),
  },
  {
    name: 'days',
    lists: ({ stage }) => stage === null,
    write: (part, draw) => ({
      name: `Tomorrowland Belgium 2024 - Weekend ${weekendOf(part)}, Day ${part.day}`,
      start_at: `${part.date}T10:00:00Z`,
      timezone: 'Europe/Brussels',
      venue: { external_id: 'd1', name: 'De Schorre', city: 'Boom', country: 'BE' },
      lineup: lineup(few(part, 12, draw)),
    }),
  },
  {
    name: 'calendar',
    lists: ({ stage }) => stage === null,
    write: (part, draw) => ({
      name: `Tomorrowland: ${few(part, 4, draw).join(', ')}`,
      start_at: part.date,
      venue: { name: 'De Schorre, Boom', city: 'Boom', country: 'BE' },
      lineup: lineup(few(part, 6, draw)),
    }),
  },
];

/** Tickets for a weekend, which are none of its days. */
function passes(show: number): LabelledListing[] {
  return ['festival', 'days'].flatMap((source) =>
    [1, 2].map((weekend): LabelledListing => {
      const start = weekend === 1 ? '2024-07-19' : '2024-07-26';
      const name =
        source === 'festival'
          ? `Tomorrowland 2024 – Full Madness Pass Weekend ${weekend}`
          : `Tomorrowland Belgium 2024 - Weekend ${weekend} - 3 Day Pass`;
      const end = new Date(Date.parse(`${start}T00:00Z`) + 2 * dayMs).toISOString().slice(0, 10);
      return {
        show: show + weekend,
        source,
        event: line(source, `pass${weekend}`, { name, start_at: start, end_at: end, venue: ground }),
      };
    }),
  );
}

const line = (source: string, id: string, said: Omit<EventLine, 'external_id'>): EventLine =>
  ({ kind: 'event', external_id: `${source}-${id}`, ...said }) as EventLine;

/** The festival as four sellers list it; null where its programme is not here. */
export function festivalScene(): Scene | null {
  if (!existsSync(file)) return null;
  const parts = readParts();
  const listings = parts.flatMap((part) =>
    sellers
      .filter((seller) => seller.lists(part))
      .map((seller, at): LabelledListing => {
        const said = seller.write(part, randomOf(`${seller.name} ${part.show}`, at));
        return { show: part.show, source: seller.name, event: line(seller.name, String(part.show), said) };
      }),
  );
  return { scene: 'festival', tag: 'festival', listings: [...listings, ...passes(parts.length)] };
}
