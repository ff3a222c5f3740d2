/** Answers that are computed in parts, one read of the catalogue in each, equal those that are computed at once. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openSearch } from '../../src/catalogue/search.ts';
import { DividedWork } from '../../src/divided-work.ts';
import { importFeed } from '../../src/ingest/import/import-feed.ts';
import { ToolRegistry } from '../../src/mcp/server.ts';
import type { ToolContext } from '../../src/mcp/tool.ts';
import { allTools } from '../../src/mcp/tool-list.ts';
import { openDatabase } from '../../src/store/database.ts';
import { openCatalogueReader } from '../../src/store/reader.ts';
import { agentNow } from '../support/agent.ts';
import { temporaryFolder } from '../support/program.ts';

const day = 86_400_000;
const artists = ['Rho Delta', 'Mira Volt', 'Anselm Kray'];
const cities = ['Berlin', 'Leipzig'];
/** Starts from six years before to half a year after the time of the questions. */
const starts = Array.from({ length: 60 }, (_, at) => agentNow + 180 * day - at * 40 * day);

async function* lines() {
  for (const [at, start] of starts.entries()) {
    const artist = artists[at % 3] as string;
    const event = {
      kind: 'event',
      external_id: `e${at}`,
      name: `Klubnacht presents: ${artist}`,
      start_at: new Date(start).toISOString(),
      end_at: new Date(start + 6 * 3_600_000).toISOString(),
      venue: { name: at % 2 ? 'Tresor' : 'Werk Zwei', city: cities[at % 2], country: 'DE' },
      lineup: [{ name: artist }],
      genres: ['Techno'],
    };
    yield Buffer.from(`${JSON.stringify(event)}\n`);
  }
  for (const [at, days] of [10, 40, 70].entries()) {
    const start_at = new Date(agentNow - days * day).toISOString();
    const event = {
      kind: 'event',
      external_id: `last${at}`,
      name: 'Letzter Tanz',
      start_at,
      city: 'Leipzig',
    };
    yield Buffer.from(`${JSON.stringify(event)}\n`);
  }
}

const questions: [tool: string, input: Record<string, unknown>][] = [
  ['search_events', { query: 'Klubnacht presents: Rho Delta' }],
  ['search_events', { query: 'Klubnacht presents Mira Vold' }],
  ['search_events', { query: 'klubnacht with Anselm Kray in Leipzig under 20 euros' }],
  ['search_events', { query: 'last klubnacht with Rho Delta at Tresor' }],
  ['search_events', { query: 'presents', artist: 'Mira Volt', include_past: true }],
  ['search_events', { query: 'Ploranta kivesso' }],
  ['search_events', { query: 'techno in Berlin next month' }],
  ['artist_info', { artist: 'Rho Dellta' }],
  ['artist_upcoming_events', { artist: 'Anselm Kray' }],
  ['venue_upcoming_events', { venue: 'Tresor' }],
  ['event_info', { event: 'Letzter Tanz' }],
];

describe('answers in parts', () => {
  const folder = temporaryFolder();
  const path = join(folder.path, 'parts.db');
  before(async () => {
    const sqlite = openDatabase(path, { create: true });
    await importFeed(sqlite, { source: 'parts', type: 'feed', now: agentNow, input: lines() });
    sqlite.close();
  });
  after(() => folder.remove());

  /** Opens the file with empty caches. */
  function open() {
    const sqlite = openDatabase(path, { create: false });
    after(() => sqlite.close());
    const catalogue = { reader: openCatalogueReader(sqlite), search: openSearch(sqlite) };
    const identity = { name: 'cratebase', version: '0', baseUrl: 'https://music.example' };
    const registry = new ToolRegistry(allTools, identity, true);
    const context: ToolContext = { ...identity, plan: 'pro', now: agentNow, catalogue };
    return { catalogue, call: (tool: string, input: object) => registry.callTool(tool, input, context) };
  }

  for (const [tool, input] of questions) {
    it(`${tool} ${JSON.stringify(input)}`, () => {
      const { catalogue, call } = open();
      const divided = new DividedWork(() => catalogue.reader.state().revision, 0);
      let parts = 1;
      let part = divided.run(() => call(tool, input));
      for (; !part.isDone; parts += 1) part = divided.run(() => call(tool, input));
      assert.deepEqual(part.result, open().call(tool, input));
      assert.ok(parts > 1, 'the question has several steps');
    });
  }

  it('counts past events by name in spans that have each event once', () => {
    const past = (artist: string) => {
      const result = open().call('search_events', { query: 'presents', artist, include_past: true });
      return (result as { structuredContent: { past: { count: number } } }).structuredContent.past.count;
    };
    const isPast = (start: number) => start + 6 * 3_600_000 <= agentNow;
    const counts = artists.map((_, which) => starts.filter((s, at) => at % 3 === which && isPast(s)).length);
    assert.deepEqual(artists.map(past), counts);
  });
});
