/** Cached answers of the tools equal computed ones at every moment, and after every change of the catalogue. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openSearch } from '../../src/catalogue/search.ts';
import type { Plan } from '../../src/contract/plans.ts';
import { importFeed } from '../../src/ingest/import/import-feed.ts';
import { AnswerCache } from '../../src/mcp/answer-cache.ts';
import { ToolRegistry } from '../../src/mcp/server.ts';
import type { ToolContext } from '../../src/mcp/tool.ts';
import { allTools } from '../../src/mcp/tool-list.ts';
import { openDatabase } from '../../src/store/database.ts';
import { openCatalogueReader } from '../../src/store/reader.ts';
import { agentNow } from '../support/agent.ts';
import { temporaryFolder } from '../support/program.ts';

const identity = { name: 'cratebase', version: '0', baseUrl: 'https://music.example' };
const hour = 3_600_000;

const berlin = { name: 'Tresor', city: 'Berlin', country: 'DE' };
const event = (external_id: string, name: string, start_at: string, end_at: string, more = {}) => ({
  kind: 'event',
  external_id,
  name,
  start_at,
  end_at,
  venue: berlin,
  lineup: [{ name: 'Rho Delta' }],
  genres: ['Techno'],
  ...more,
});
/** Starts and ends at odd times around midnight in Berlin and in Kathmandu (UTC+5:45). */
const feed = [
  { kind: 'city', external_id: 'c1', name: 'Berlin', country: 'DE', timezone: 'Europe/Berlin' },
  { kind: 'city', external_id: 'c2', name: 'Kathmandu', country: 'NP', timezone: 'Asia/Kathmandu' },
  { kind: 'genre', external_id: 'g1', name: 'Techno', parent: null },
  { kind: 'artist', external_id: 'a1', name: 'Rho Delta', country: 'DE' },
  { kind: 'festival', external_id: 'f1', name: 'Spreewald Days', city: 'Berlin', country: 'DE' },
  {
    kind: 'edition',
    external_id: 'd1',
    festival: { external_id: 'f1', name: 'Spreewald Days' },
    edition: '2026',
    name: 'Spreewald Days 2026',
    start_at: '2026-11-21T13:37',
    end_at: '2026-11-22T02:11',
    timezone: 'Europe/Berlin',
    lineup: [{ name: 'Rho Delta' }],
  },
  event('e1', 'Matinee', '2026-11-20T14:07', '2026-11-20T16:23'),
  event('e2', 'Nachtschicht', '2026-11-20T23:59', '2026-11-21T05:41'),
  event('e3', 'Fruehstueck', '2026-11-21T06:02', '2026-11-21T11:19'),
  event('e4', 'Samstag', '2026-11-21T22:00', '2026-11-22T08:00'),
  event('e5', 'Later', '2026-12-05T22:00', '2026-12-06T08:00'),
  event('e6', 'Thamel Night', '2026-11-21T00:05', '2026-11-21T03:55', {
    venue: { name: 'Purple Haze', city: 'Kathmandu', country: 'NP' },
  }),
];
async function* bytes(lines: readonly object[]) {
  for (const line of lines) yield Buffer.from(`${JSON.stringify(line)}\n`);
}

type Question = [tool: string, input: Record<string, unknown>];
const questions: Question[] = [
  ['search_events', {}],
  ['search_events', { city: 'Berlin' }],
  ['search_events', { city: 'Berlin', include_past: true, to: '2026-11-21T03:13:00Z' }],
  ['search_events', { query: 'techno in Berlin tonight' }],
  ['search_events', { query: 'what is on in Berlin now' }],
  ['search_events', { query: 'Kathmandu today' }],
  ['search_events', { city: 'Berlin', from: 'this weekend' }],
  ['search_events', { city: 'Kathmandu', from: 'tomorrow' }],
  ['search_events', { query: 'festivals in Berlin' }],
  ['search_events', { query: 'Matinee' }],
  ['artist_info', { artist: 'Rho Delta' }],
  ['artist_upcoming_events', { artist: 'Rho Delta', from: 'today' }],
  ['artist_upcoming_events', { artist: 'Rho Delta' }],
  ['venue_upcoming_events', { venue: 'Tresor' }],
  ['event_info', { event: 'Nachtschicht' }],
  ['festival_info', { festival: 'Spreewald Days' }],
  ['genre_info', { genre: 'Techno' }],
  ['search', { query: 'nacht' }],
  ['fetch', { id: 'venues/tresor' }],
];

describe('the cache of answers', () => {
  const folder = temporaryFolder();
  const sqlite = openDatabase(join(folder.path, 'catalogue.db'), { create: true });
  const load = async (lines: readonly object[], now = agentNow) => {
    const options = { source: 'test', type: 'feed', now, alone: true } as const;
    const report = await importFeed(sqlite, { ...options, input: bytes(lines) });
    assert.deepEqual(report.rejected, []);
  };
  let context: (now: number, plan?: Plan) => ToolContext;
  let cache: AnswerCache;
  let cached: ToolRegistry;
  let computed: ToolRegistry;
  before(async () => {
    await load(feed);
    const catalogue = { reader: openCatalogueReader(sqlite), search: openSearch(sqlite) };
    context = (now, plan = 'pro') => ({ plan, baseUrl: identity.baseUrl, name: 'cratebase', now, catalogue });
    cache = new AnswerCache(catalogue.reader);
    cached = new ToolRegistry(allTools, identity, true, cache);
    computed = new ToolRegistry(allTools, identity, true);
  });
  after(() => {
    sqlite.close();
    folder.remove();
  });
  /** Ends the snapshot, as the end of a turn of the event loop does. */
  const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
  const ask = (registry: ToolRegistry, [tool, input]: Question, now = agentNow, plan?: Plan) =>
    registry.callToolAsJson(tool, input, context(now, plan))?.toString() ?? '';

  it('returns what was computed before, from the third time on', () => {
    const question: Question = ['search_events', { city: 'Berlin', limit: 3 }];
    const answers = [1, 2, 3, 4].map(() => cached.callToolAsJson(...question, context(agentNow)));
    assert.notEqual(answers[0], answers[1]);
    assert.equal(answers[1], answers[2], 'the third answer is not the second one');
    assert.equal(answers[2], answers[3]);
    assert.deepEqual(answers[3], answers[0]);
    // Members in another order, defaults and nulls are the same question.
    const same = { limit: 3, city: 'Berlin', query: null, include_past: 'false' };
    assert.equal(cached.callToolAsJson('search_events', same, context(agentNow)), answers[3]);
  });

  it('equals computed answers at every moment of two and a half days, in both directions', async () => {
    const moments = Array.from({ length: 100 }, (_, at) => agentNow - 3 * hour + at * 2_163_111);
    const edges = [
      '2026-11-20T15:23:00Z',
      '2026-11-20T23:00:00Z',
      '2026-11-20T18:15:00Z',
      '2026-11-21T03:13:00Z',
    ];
    for (const edge of edges) moments.push(Date.parse(edge) - 1, Date.parse(edge), Date.parse(edge) + 1);
    let hits = 0;
    for (const now of [...moments.sort((a, b) => a - b), ...moments.toReversed()]) {
      for (const question of questions) {
        const before = cached.callToolAsJson(...question, context(now));
        assert.equal(
          before?.toString(),
          ask(computed, question, now),
          `${question} at ${new Date(now).toISOString()}`,
        );
        if (cached.callToolAsJson(...question, context(now)) === before) hits += 1;
      }
      await nextTurn();
    }
    assert.ok(hits > 2_000, `only ${hits} answers came from the cache`);
  });

  it('equals the answers of a new reader, without any cache, after every import', async () => {
    for (let round = 0; round < 5; round += 1) {
      for (const question of questions) for (let again = 0; again < 3; again += 1) ask(cached, question);
      const start = `2026-11-2${round + 2}`;
      await load([
        event(`n${round}`, `Neu ${round}`, `${start}T20:00`, `${start}T23:00`),
        event(`u${round}`, `Ohne ${round}`, `${start}T20:00`, `${start}T23:00`, {
          venue: { name: 'Geheim' },
        }),
        { kind: 'artist', external_id: 'a1', name: 'Rho Delta', country: 'DE', aliases: [`RD${round}`] },
        { kind: 'venue', external_id: `v${round}`, name: `Saal ${round}`, city: 'Berlin', country: 'DE' },
        { kind: 'city', external_id: `t${round}`, name: `Stadt ${round}`, country: 'DE' },
      ]);
      await nextTurn();
      const fresh = { reader: openCatalogueReader(sqlite), search: openSearch(sqlite) };
      const all: Question[] = [
        ...questions,
        ['artist_info', { artist: 'RD4' }],
        ['search_events', { venue: 'Geheim' }],
        ['search_events', { city: 'Stadt 3' }],
        ['search_events', { query: 'Saal 2' }],
      ];
      for (const [tool, input] of all) {
        const told = computed
          .callToolAsJson(tool, input, { ...context(agentNow), catalogue: fresh })
          ?.toString();
        assert.equal(ask(cached, [tool, input]), told, `${tool} ${JSON.stringify(input)} in round ${round}`);
      }
      const listed = ask(cached, ['search_events', { city: 'Berlin', limit: 50 }]);
      assert.match(listed, new RegExp(`Neu ${round}`));
    }
  });

  it('keeps the plans apart', () => {
    const question: Question = ['search_events', { city: 'Berlin' }];
    for (let again = 0; again < 3; again += 1) ask(cached, question, agentNow, 'pro');
    for (const plan of ['free', 'premium', 'pro'] as const)
      assert.equal(ask(cached, question, agentNow, plan), ask(computed, question, agentNow, plan));
    assert.notEqual(ask(cached, question, agentNow, 'free'), ask(cached, question, agentNow, 'pro'));
    const refused = ask(cached, ['artist_upcoming_events', { artist: 'Rho Delta' }], agentNow, 'free');
    assert.match(refused, /is not part of the Free plan/);
  });

  it('follows the name and the attribution of the service', () => {
    const question: Question = ['search_events', { city: 'Berlin' }];
    const named = (name: string, attribution: string | null) =>
      cached.callToolAsJson(...question, { ...context(agentNow, 'free'), name, attribution })?.toString() ??
      '';
    for (let again = 0; again < 3; again += 1) named('cratebase', null);
    assert.match(named('Club Calendar', null), /Club Calendar/);
    assert.match(named('cratebase', 'With thanks to all clubs'), /With thanks to all clubs/);
  });

  it('stays below its bound, whatever is asked', () => {
    const small = new AnswerCache(context(agentNow).catalogue.reader, 50_000);
    const registry = new ToolRegistry(allTools, identity, true, small);
    for (let limit = 1; limit <= 50; limit += 1)
      for (let again = 0; again < 2; again += 1) ask(registry, ['search_events', { city: 'Berlin', limit }]);
    assert.ok(small.bytes > 5_000 && small.bytes <= 50_000, `${small.bytes} bytes`);
    // Questions that are asked once are not cached, and neither are very long ones.
    const before = small.bytes;
    for (let at = 0; at < 20; at += 1) ask(registry, ['search_events', { query: `once ${at}` }]);
    const long: Question = ['search_events', { query: 'x'.repeat(600) }];
    for (let again = 0; again < 3; again += 1) ask(registry, long);
    assert.equal(small.bytes, before);
  });
});
