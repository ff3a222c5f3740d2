/** The agent tools on a real data file: the starter catalogue of a fixed day, and a feed that adds to it. */
import { join } from 'node:path';
import { handleOperation } from '../../src/catalogue/handlers.ts';
import type { Catalogue, OperationRequest } from '../../src/catalogue/request.ts';
import { openSearch } from '../../src/catalogue/search.ts';
import type { OperationId } from '../../src/contract/operations.ts';
import type { Plan } from '../../src/contract/plans.ts';
import type { ToolEvent, ToolInterpretedName, ToolMatch, ToolName } from '../../src/contract/tools.ts';
import { importFeed } from '../../src/ingest/import/import-feed.ts';
import { importStarter, requestStarter } from '../../src/ingest/starter.ts';
import { tools } from '../../src/mcp/tool-list.ts';
import { openDatabase } from '../../src/store/database.ts';
import { openCatalogueReader } from '../../src/store/reader.ts';
import { withBaseUrl } from '../../src/store/records/serialize.ts';
import { temporaryFolder } from './program.ts';

/** Noon UTC of a Friday. */
export const agentNow = Date.parse('2026-11-20T12:00:00Z');
const baseUrl = 'https://music.example';

const berghain = { name: 'Berghain', city: 'Berlin', country: 'DE' };
const playing = (...names: string[]) => names.map((name) => ({ name }));
let count = 0;
const event = (name: string, start_at: string, more: object) => ({
  kind: 'event',
  external_id: `e${++count}`,
  name,
  start_at,
  ...more,
});

/** Records that the starter catalogue lacks: fixed events, and peculiarities of real listings. */
const feed = [
  { kind: 'venue', external_id: 'v1', name: 'Kraftraum', city: 'Cologne', country: 'DE' },
  { kind: 'venue', external_id: 'v2', name: 'Kraftraum', city: 'Vienna', country: 'AT' },
  { kind: 'artist', external_id: 'a1', name: 'Rho Delta', country: 'DE', genres: ['Techno'] },
  { kind: 'artist', external_id: 'a2', name: 'Rho Delta', country: 'FR', aliases: ['Émile Rhô'] },
  { kind: 'artist', external_id: 'a3', name: '!!!', country: 'US' },
  { kind: 'artist', external_id: 'a4', name: 'Kito & Kante', country: 'SE' },
  event('Klubnacht', '2026-10-03T23:59', {
    venue: berghain,
    lineup: playing('Ben Klock'),
    genres: ['Techno'],
  }),
  event('Long Friday', '2026-11-20T09:00', {
    venue: { name: 'Sisyphos', city: 'Berlin', country: 'DE' },
    lineup: playing('Rho Delta'),
  }),
  event('Klubnacht', '2026-12-05T23:59', {
    end_at: '2026-12-07T10:00',
    venue: berghain,
    lineup: playing('Ben Klock', 'Nina Kraviz', 'Marcel Dettmann', 'DVS1', 'Len Faki', 'Luke Slater', 'Âme'),
    genres: ['Techno'],
    status: 'scheduled',
  }),
  event('Innervisions Late', '2026-12-12T22:00', {
    venue: { name: 'Tresor', city: 'Berlin', country: 'DE' },
    lineup: playing('Âme', 'Dixon'),
    genres: ['House'],
    status: 'cancelled',
  }),
  event('Dezemberfest', '2026-12-18', {
    end_at: '2026-12-19',
    city: 'Berlin',
    country: 'DE',
    lineup: playing('Dixon'),
  }),
  event('Forest Gathering', '2026-12-19T20:00', {
    city: 'Berlin',
    country: 'DE',
    lineup: playing('Nina Kraviz'),
  }),
  event('Somewhere', '2026-12-20T20:00:00Z', {
    venue: { name: 'Geheimer Hangar' },
    timezone: 'Europe/Berlin',
    lineup: playing('Nina Kraviz'),
  }),
  event('Silvester', '2026-12-31T22:00', {
    venue: berghain,
    lineup: playing('Marcel Dettmann'),
    genres: ['Techno'],
  }),
  event('Honolulu Night', '2026-11-21T22:00', {
    city: 'Honolulu',
    country: 'US',
    timezone: 'Pacific/Honolulu',
  }),
  event('Kraft 1', '2026-12-01T22:00', { venue: { external_id: 'v1', name: 'Kraftraum' } }),
  event('Kraft 2', '2026-12-02T22:00', { venue: { external_id: 'v2', name: 'Kraftraum' } }),
  event('Open Air Sommergarten', '2027-06-01T14:00', { city: 'Berlin', country: 'DE' }),
];

async function* bytes(lines: readonly object[]) {
  for (const line of lines) yield Buffer.from(`${JSON.stringify(line)}\n`);
}

/** The result of a call. */
export type Told = {
  text: string;
  structured: Record<string, unknown>;
  match: ToolMatch | null;
  others: ToolMatch[];
  names: ToolInterpretedName[];
  events: ToolEvent[];
  /** Names of the events, in order. */
  titles: string[];
  hasMore: boolean;
  artist: Record<string, unknown> | null;
};

export type Agent = {
  catalogue: Catalogue;
  /** Calls a tool and validates the result against its output schema. */
  call(name: ToolName, input: object, plan?: Plan, now?: number): Told;
  /** Returns the body of a REST operation. */
  rest(operation: OperationId, asked?: Partial<OperationRequest>): { data: unknown };
  close(): void;
};

/** Creates the file and opens the tools on it. `more` has further records of the feed. */
export async function openAgent(more: readonly object[] = []): Promise<Agent> {
  const folder = temporaryFolder();
  const sqlite = openDatabase(join(folder.path, 'catalogue.db'), { create: true });
  requestStarter(sqlite);
  await importStarter(sqlite, agentNow);
  const report = await importFeed(sqlite, {
    source: 'test',
    type: 'feed',
    now: agentNow,
    alone: true,
    input: bytes([...feed, ...more]),
  });
  if (report.rejected.length > 0) throw new Error(JSON.stringify(report.rejected));
  const catalogue: Catalogue = { reader: openCatalogueReader(sqlite), search: openSearch(sqlite) };
  return {
    catalogue,
    call: (name, input, plan = 'premium', now = agentNow) => callTool(catalogue, name, input, plan, now),
    rest: (operation, asked = {}) => ask(catalogue, operation, asked),
    close: () => {
      sqlite.close();
      folder.remove();
    },
  };
}

function callTool(catalogue: Catalogue, name: ToolName, input: object, plan: Plan, now: number): Told {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  const call = { plan, baseUrl, name: 'cratebase', now, catalogue };
  const { structured, text } = tool.run(tool.input.parse(input), call);
  const read = tool.output.parse(structured) as Record<string, unknown>;
  // A strict parser writes the members in the order of its shape: in another order the texts would differ.
  if (JSON.stringify(read) !== JSON.stringify(structured))
    throw new Error('the members stand in another order');
  const events = (read.events ?? []) as ToolEvent[];
  return {
    text,
    structured,
    match: read.match as ToolMatch | null,
    others: read.other_matches as ToolMatch[],
    names: (read.names ?? []) as ToolInterpretedName[],
    events,
    titles: events.map((one) => one.name),
    hasMore: read.has_more === true,
    artist: (read.artist ?? null) as Record<string, unknown> | null,
  };
}

function ask(
  catalogue: Catalogue,
  operation: OperationId,
  asked: Partial<OperationRequest>,
): { data: unknown } {
  const question: OperationRequest = {
    operation,
    slug: '',
    edition: '',
    filters: {},
    limit: 100,
    cursor: undefined,
    q: '',
    now: agentNow,
    ...asked,
  };
  return JSON.parse(withBaseUrl(handleOperation(question, catalogue), baseUrl)) as { data: unknown };
}
