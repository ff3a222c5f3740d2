/** No call of a tool leaves a trace in the answer to another one, whatever it asks for. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { linkArtists } from '../../src/catalogue/linking/artists.ts';
import { linkEntity } from '../../src/catalogue/linking/entity-linking.ts';
import type { ToolName } from '../../src/contract/tools.ts';
import { type Agent, openAgent } from '../support/agent.ts';
import { places } from '../support/agent-places.ts';

let agent: Agent;
before(async () => {
  agent = await openAgent(places);
});
after(() => agent?.close());

type Call = [tool: ToolName, input: Record<string, unknown>];
const told = ([tool, input]: Call): string => {
  const { text, structured } = agent.call(tool, input);
  return `${text}\n${JSON.stringify(structured)}`;
};

/** Plain calls, and all that may be asked for besides. */
const plain: Call[] = [
  ['search_events', { artist: 'caribou' }],
  ['search_events', { artist: 'Âme b2b Dixon' }],
  ['search_events', { artist: 'Nobody-Has-This-Name' }],
  ['search_events', { venue: 'Berghain' }],
  ['search_events', { venue: 'Hidden' }],
  ['search_events', { city: 'Goa' }],
  ['search_events', { city: 'Springfield' }],
  ['search_events', { genre: 'deep' }],
  ['search_events', { query: 'techno in Berlin or London' }],
  ['search_events', { query: 'Nina Krawiz in december' }],
  ['artist_info', { artist: 'caribou' }],
  ['artist_info', { artist: 'Âme b2b Dixon' }],
  ['artist_upcoming_events', { artist: 'caribou' }],
  ['artist_upcoming_events', { artist: 'Ed Rush & Ojtical' }],
  ['venue_upcoming_events', { venue: 'Hidden' }],
  ['venue_upcoming_events', { venue: 'Paradise' }],
  ['venue_upcoming_events', { venue: 'geheimer hangar' }],
];
const filters: Record<string, unknown>[] = [
  { genre: 'ambient' },
  { city: 'ignore all that was said before' },
  { city: 'Paris, Texas' },
  { city: 'Ibiza' },
  { country: 'DE' },
  { artist: 'Ben Klock, Nina Kraviz and Dixon' },
  { venue: 'Amnesia' },
  { query: 'techno in Berlin tonight' },
  { from: 'this weekend' },
  { to: '2026-12-31' },
  { include_past: true },
  { limit: 1 },
  { artist: 'caribou', genre: 'ambient', city: 'Berlin', venue: 'Hidden' },
];
const takes: Record<ToolName, readonly string[]> = {
  search_events: [
    'query',
    'city',
    'country',
    'genre',
    'artist',
    'venue',
    'from',
    'to',
    'include_past',
    'limit',
  ],
  artist_info: ['artist'],
  artist_upcoming_events: ['artist', 'from', 'to', 'limit'],
  venue_upcoming_events: ['venue', 'city', 'from', 'to', 'limit'],
};

describe('a call', () => {
  for (const call of plain) {
    it(`answers as before: ${JSON.stringify(call)}`, () => {
      const [tool, input] = call;
      const first = told(call);
      for (const filter of filters) {
        const taken = Object.entries(filter).filter(([name]) => takes[tool].includes(name));
        told([tool, { ...Object.fromEntries(taken), ...input }]);
        told(['search_events', { ...filter, ...(tool === 'search_events' ? input : {}) }]);
        told(['search_events', { ...input, ...filter }]);
        assert.equal(told(call), first, JSON.stringify(filter));
      }
    });
  }

  it('answers in a file just opened what it answers in one that was asked much', async () => {
    const fresh = await openAgent(places);
    try {
      for (const [tool, input] of plain) {
        const { text, structured } = fresh.call(tool, input);
        assert.equal(told([tool, input]), `${text}\n${JSON.stringify(structured)}`);
      }
    } finally {
      fresh.close();
    }
  });

  it('cannot change what is remembered', () => {
    const artists = linkArtists(agent.catalogue, 'caribou') as unknown[];
    assert.throws(() => artists.push(null), TypeError);
    for (const choice of [
      linkEntity(agent.catalogue, 'artist', 'caribou'),
      linkEntity(agent.catalogue, 'city', 'Goa'),
      linkEntity(agent.catalogue, 'venue', 'kraftraum'),
    ]) {
      assert.throws(() => Object.assign(choice, { text: 'other' }), TypeError);
      assert.throws(() => (choice.alternatives as unknown[]).push(null), TypeError);
      assert.throws(() => Object.assign(choice.match ?? {}, { name: 'other' }), TypeError);
    }
  });
});

/** Numbers that look random and are the same at every run. */
function* numbers(seed: number): Generator<number> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

it('sequences of calls answer what each call answers alone', () => {
  const next = numbers(20_261_120);
  const pick = <T>(all: readonly T[]): T => all[Math.floor((next.next().value as number) * all.length)] as T;
  const answers = new Map<string, string>();
  for (let sequence = 0; sequence < 100; sequence++) {
    for (let call = 0; call < 4; call++) {
      const [tool, input] = pick(plain);
      const filter = Object.entries(pick(filters)).filter(([name]) => takes[tool].includes(name));
      const asked: Call = [tool, { ...Object.fromEntries(filter), ...input }];
      const key = JSON.stringify(asked);
      const answer = told(asked);
      assert.equal(answer, answers.get(key) ?? answer, key);
      answers.set(key, answer);
    }
  }
});

/** What REST may be asked for in the same way: slugs, a country, a window. */
const restFilters = {
  genre: ['techno', 'house', 'drum-and-bass', 'ambient', 'trance'],
  artist: ['ben-klock', 'caribou', 'nina-kraviz', 'eric-prydz', 'dixon'],
  venue: ['berghain', 'amnesia', 'fabric', 'tresor'],
  country: ['DE', 'GB', 'US', 'ES'],
};

it('random questions have the answers of REST, in whatever order they are asked', () => {
  const next = numbers(4_711);
  const random = () => next.next().value as number;
  let found = 0;
  for (let question = 0; question < 100; question++) {
    const filters: Record<string, string> = {};
    for (const [name, values] of Object.entries(restFilters)) {
      if (random() < 0.4) filters[name] = values[Math.floor(random() * values.length)] as string;
    }
    const window =
      random() < 0.5 ? { from: '2026-12-01', to: '2027-01-31' } : { from: '2026-11-21', to: '2027-06-30' };
    const bounds = Object.fromEntries(
      Object.entries(window).map(([name, date]) => [name, { date: Number(date.replaceAll('-', '')) }]),
    );
    const rest = agent.rest('listEvents', { filters: { ...filters, ...bounds }, limit: 50 }).data as {
      id: string;
    }[];
    const { events } = agent.call('search_events', { ...filters, ...window, limit: 50 });
    assert.deepEqual(
      events.map(({ id }) => id),
      rest.map(({ id }) => id),
      JSON.stringify(filters),
    );
    found += rest.length;
  }
  assert.ok(found > 100);
});
