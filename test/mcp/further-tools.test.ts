/** The tools and resources that a client gets on request only, over HTTP with the SDK's client. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { agentFeed, askedAt } from '../../bench/agents/catalogue.ts';
import { extraOutputs, extraToolNames } from '../../src/contract/extra-tools.ts';
import { toolNames } from '../../src/contract/tools.ts';
import { importFeed, type Server, startServer, temporaryFolder } from '../support/program.ts';

const registryKey = 'A'.repeat(43).concat('=');
const folder = temporaryFolder();
let server: Server;
before(async () => {
  const dataFile = join(folder.path, 'tools.db');
  importFeed(dataFile, agentFeed);
  server = await startServer({
    dataFile,
    now: new Date(askedAt).toISOString(),
    plan: 'free',
    window: 100_000,
    more: ['--mcp-registry-key', registryKey],
  });
});
after(async () => {
  await server?.stop();
  folder.remove();
});

async function connect(path: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const headers = { Authorization: `Bearer ${server.key}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(path, server.url), { requestInit: { headers } }),
  );
  return client;
}

/** Calls a further tool and checks the result against its schema. */
async function call(name: keyof typeof extraOutputs, given: Record<string, unknown>) {
  const client = await connect('/mcp?tools=all');
  const result = await client.callTool({ name, arguments: given });
  await client.close();
  const structured = extraOutputs[name].parse(result.structuredContent);
  const [first] = result.content as { text: string }[];
  // biome-ignore lint/suspicious/noExplicitAny: fields are compared with literals
  return { structured: structured as any, text: first?.text ?? '', content: result.content as object[] };
}

describe('further tools', () => {
  it('are listed only for a client that asks for them', async () => {
    for (const [path, names] of [
      ['/mcp', toolNames.slice(0, 2)],
      ['/mcp?tools=some', toolNames.slice(0, 2)],
      ['/mcp?tools=all', [...toolNames.slice(0, 2), ...extraToolNames]],
    ] as const) {
      const client = await connect(path);
      const { tools } = await client.listTools();
      assert.deepEqual(
        tools.map(({ name }) => name),
        names,
      );
      assert.equal(client.getServerCapabilities()?.resources !== undefined, path.endsWith('all'));
      await client.close();
    }
  });
  it('describe an event with its set times', async () => {
    const { structured, text, content } = await call('event_info', { event: 'Kohle 20' });
    assert.equal(structured.event.name, 'Kohle 20');
    assert.equal(structured.lineup.length, 7);
    assert.match(text, /Minimum age 21/);
    assert.ok(
      content.some((part) => 'uri' in part && String(part.uri).startsWith('cratebase://events/kohle-20')),
    );
    assert.equal((await call('event_info', { event: 'No such event' })).structured.event, null);
  });
  it('describe a festival, a venue and a genre', async () => {
    const festival = await call('festival_info', { festival: 'Nordlicht' });
    assert.deepEqual(
      festival.structured.editions.map(({ edition }: { edition: string }) => edition),
      ['2027', '2026'],
    );
    assert.match(festival.text, /Hafen: .*Mira Voss/);
    const venue = await call('venue_info', { venue: 'Kohlenhalle', city: 'Berlin' });
    assert.equal(venue.structured.venue.capacity, 900);
    const genre = await call('genre_info', { genre: 'techno' });
    assert.deepEqual(
      genre.structured.genre.children.map(({ name }: { name: string }) => name),
      ['Dub Techno', 'Hard Techno'],
    );
  });
  it('list the tracks of the newest mix', async () => {
    const { structured, text } = await call('episode_tracklist', { episode: 'Mira Voss' });
    assert.equal(structured.episode.name, 'Mira Voss: Autumn Mix');
    assert.match(text, /2\. Tomas Brandt: Low Water \[Gelb Musik\]/);
  });
  it('search, and fetch what was found', async () => {
    const { structured, text } = await call('search', { query: 'mira' });
    assert.deepEqual(JSON.parse(text), structured);
    const [{ id }] = structured.results;
    assert.equal(id, 'artists/mira-voss');
    const fetched = await call('fetch', { id });
    assert.equal(fetched.structured.title, 'Mira Voss');
    assert.equal(JSON.parse(fetched.structured.text).country, 'DE');
  });
});

describe('resources', () => {
  it('have templates, and are the records of REST', async () => {
    const client = await connect('/mcp?tools=all');
    const { resourceTemplates } = await client.listResourceTemplates();
    assert.ok(resourceTemplates.some(({ uriTemplate }) => uriTemplate === 'cratebase://artists/{slug}'));
    const { contents } = await client.readResource({ uri: 'cratebase://artists/mira-voss' });
    const rest = await server.get('/api/v1/artists/mira-voss');
    assert.deepEqual(
      JSON.parse(String((contents[0] as { text: string }).text)),
      (rest.json() as { data: object }).data,
    );
    for (const uri of ['cratebase://artists/nobody', 'cratebase://accounts/1', 'file:///etc/passwd'])
      await assert.rejects(client.readResource({ uri }), /There is no resource/);
    await client.close();
  });
});

describe('discovery', () => {
  it('serves the registry entry and the proof of the domain', async () => {
    const proof = await server.get('/.well-known/mcp-registry-auth', { key: null });
    assert.deepEqual([proof.status, proof.text], [200, `v=MCPv1; k=ed25519; p=${registryKey}\n`]);
    const entry = (await server.get('/mcp/server.json', { key: null })).json() as {
      remotes: { url: string }[];
    };
    assert.equal(entry.remotes[0]?.url, `${server.url}/mcp`);
  });
});
