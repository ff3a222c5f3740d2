/** The measured requests. Their addresses come from answers of the server, as a client would follow them. */
import { fetchBody } from './fetch.ts';
import { Random } from './random.ts';

export const groups = ['lists', 'details', 'search', 'start', 'filters', 'peers', 'workers'] as const;
export type Group = (typeof groups)[number];
export const caseIds: readonly string[] = [
  'list_same',
  'list_headers',
  'list_random',
  'detail_same',
  'detail_random',
  'detail_headers',
  'detail_select',
  ...['1_same', 1, 2, 3, 5, 8, 'words'].map((length) => `search_${length}`),
];

export type Case = {
  id: string;
  title: string;
  group: Group;
  paths: string[];
  /** Every request has an address of its own, so that no cache of answers helps. */
  cold: boolean;
  /**
   * What cratebase is compared with: the same body from memory, without or with the same headers, or a page or a record from
   * one prepared select.
   */
  bare: 'memory' | 'memory-headers' | 'select-page' | 'select-record';
  goal: { ratio: number } | { p99Ms: number } | null;
};

/** What a walk through all events brought. */
export type Walk = {
  requests: number;
  events: number;
  cursors: string[];
  /** Leads to the last page of 50 that is full; null where there are too few events. */
  deepest: string | null;
  slugs: string[];
  names: string[];
};

type Item = { slug: string; name: string; lineup: { name: string }[] };
type Page = { data: Item[]; page: { next_cursor: string | null } };

const eventsPath = '/api/v1/events';
const walkLimit = 100;
const pageLimit = 50;
const maxPaths = 10_000;
const maxSamples = 50_000;

export const firstPage = `${eventsPath}?limit=${pageLimit}`;

/** Walks the list of events to its end. */
export async function walkEvents(from: string, key: string): Promise<Walk> {
  const random = new Random(1);
  const walk: Walk = { requests: 0, events: 0, cursors: [], deepest: null, slugs: [], names: [] };
  const passed: { cursor: string; events: number }[] = [];
  let cursor: string | null = null;
  do {
    const path = `${eventsPath}?limit=${walkLimit}${cursor === null ? '' : `&cursor=${cursor}`}`;
    const { data, page } = JSON.parse((await fetchBody(from, path, key)).toString()) as Page;
    for (const item of data) {
      keep(walk.slugs, item.slug, walk.events, random);
      keep(walk.names, item.lineup[0]?.name ?? item.name, walk.events, random);
      walk.events++;
    }
    walk.requests++;
    cursor = page.next_cursor;
    if (cursor !== null) {
      keep(walk.cursors, cursor, walk.requests, random);
      passed.push({ cursor, events: walk.events });
      if (passed.length > 3) passed.shift();
    }
  } while (cursor !== null);
  walk.deepest = passed.findLast(({ events }) => walk.events - events >= pageLimit)?.cursor ?? null;
  return walk;
}

/** Keeps a fair sample of all that are seen, at most so many. */
function keep(sample: string[], one: string, seen: number, random: Random): void {
  if (sample.length < maxSamples) sample.push(one);
  else if (random.chance(maxSamples / (seen + 1))) sample[random.whole(0, maxSamples - 1)] = one;
}

function shuffled(list: readonly string[], random: Random): string[] {
  const mixed = [...list];
  for (let at = mixed.length - 1; at > 0; at--) {
    const other = random.whole(0, at);
    [mixed[at], mixed[other]] = [mixed[other] as string, mixed[at] as string];
  }
  return mixed.slice(0, maxPaths);
}

/** All cases that are compared with the bare server. */
export function casesOf(walk: Walk, now: number): Case[] {
  const random = new Random(2);
  const today = new Date(now).toISOString().slice(0, 10);
  const samePage = [`${firstPage}&from=${today}`];
  const detailPaths = shuffled(walk.slugs, new Random(3)).map((slug) => `${eventsPath}/${slug}`);
  return [
    {
      id: 'list_same',
      title: 'list, the same page',
      group: 'lists',
      paths: samePage,
      cold: false,
      bare: 'memory',
      goal: { ratio: 0.75 },
    },
    {
      id: 'list_headers',
      title: 'the same, bare with its headers',
      group: 'lists',
      paths: samePage,
      cold: false,
      bare: 'memory-headers',
      goal: null,
    },
    {
      id: 'list_random',
      title: 'list, random cold pages',
      group: 'lists',
      paths: shuffled(walk.cursors, random).map((cursor) => `${firstPage}&cursor=${cursor}`),
      cold: true,
      bare: 'select-page',
      goal: { ratio: 0.7 },
    },
    {
      id: 'detail_same',
      title: 'event detail, the same',
      group: 'details',
      paths: [`${eventsPath}/${walk.slugs[0]}`],
      cold: false,
      bare: 'memory',
      goal: { ratio: 0.4 },
    },
    {
      id: 'detail_random',
      title: 'event details, random cold',
      group: 'details',
      paths: detailPaths,
      cold: true,
      bare: 'memory',
      goal: { ratio: 0.45 },
    },
    {
      id: 'detail_headers',
      title: 'the same, bare with its headers',
      group: 'details',
      paths: detailPaths,
      cold: true,
      bare: 'memory-headers',
      goal: null,
    },
    {
      id: 'detail_select',
      title: 'the same, bare with a select',
      group: 'details',
      paths: detailPaths,
      cold: true,
      bare: 'select-record',
      goal: null,
    },
    ...searchCases(walk.names, random),
  ];
}

function searchCases(names: readonly string[], random: Random): Case[] {
  const someNames = shuffled(names, random);
  const wordsOf = (name: string) =>
    name
      .toLowerCase()
      .split(/[^\p{L}]+/u)
      .filter(Boolean);
  const words = [...new Set(someNames.flatMap(wordsOf))];
  const beginnings = (length: number) => [
    ...new Set(words.filter((word) => word.length >= length).map((word) => word.slice(0, length))),
  ];
  const pairs = someNames
    .map(wordsOf)
    .filter(([first = '', second = '']) => first.length > 1 && second.length > 2)
    .map(([first, second = '']) => `${first} ${second.slice(0, 3)}`);
  const search = (id: string, title: string, queries: readonly string[]): Case => ({
    id: `search_${id}`,
    title: `search, ${title}`,
    group: 'search',
    paths: shuffled(queries, random)
      .slice(0, 500)
      .map((query) => `/api/v1/search?q=${encodeURIComponent(query)}`),
    cold: true,
    bare: 'memory',
    goal: null,
  });
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  const goal = { p99Ms: 10 };
  return [
    { ...search('1_same', 'the same letters', letters), cold: false, goal },
    { ...search('1', 'one letter, cold', letters), goal },
    search('2', 'two letters, cold', beginnings(2)),
    search('3', 'three letters, cold', beginnings(3)),
    search('5', 'five letters, cold', beginnings(5)),
    search('8', 'eight letters, cold', beginnings(8)),
    search('words', 'two words, cold', [...new Set(pairs)]),
  ].filter(({ paths }) => paths.length > 0);
}

/** The two ends of the list, read cold. */
export const depthPaths = ({ deepest }: Walk): { first: string; deepest: string } => ({
  first: firstPage,
  deepest: deepest === null ? firstPage : `${firstPage}&cursor=${deepest}`,
});

/** Lists, details and searches in turn. */
export function mixedPaths(walk: Walk, now: number): string[] {
  const ids = ['list_random', 'detail_random', 'search_2', 'detail_random', 'search_5', 'list_same'];
  const lists = ids.map((id) => casesOf(walk, now).find((one) => one.id === id)?.paths ?? []);
  const longest = Math.max(...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) =>
    lists.flatMap((list) => (list.length > 0 ? [list[at % list.length] as string] : [])),
  ).flat();
}
