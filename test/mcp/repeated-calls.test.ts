/** The same call again, over HTTP: it is counted, refused and answered as if it were new, and equals the path of the SDK. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { feed, feedNow } from '../support/feed.ts';
import {
  importFeed,
  runJson,
  type Server,
  startServer,
  temporaryFolder,
  usedRequests,
} from '../support/program.ts';

const folder = temporaryFolder();
const dataFile = join(folder.path, 'repeated.db');
const current = '2026-07-28';
const earlier = ['2025-03-26', '2025-06-18', '2025-11-25'];

let server: Server;
before(async () => {
  importFeed(dataFile, feed);
  server = await startServer({ dataFile, now: feedNow, plan: 'pro', window: 100_000 });
});
after(async () => {
  await server?.stop();
  folder.remove();
});

type Call = {
  tool: string;
  given?: Record<string, unknown>;
  revision?: string;
  /** Further members of `_meta`. With an unusual one the call takes the path of the SDK. */
  meta?: Record<string, unknown>;
  key?: string;
  id?: number | string;
  query?: string;
};

async function call({
  tool,
  given = {},
  revision = current,
  meta,
  key = server.key,
  id = 7,
  query = '',
}: Call) {
  const isCurrent = revision === current;
  const own = {
    'io.modelcontextprotocol/protocolVersion': current,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const _meta = isCurrent ? { ...own, ...meta } : meta;
  const params = { name: tool, arguments: given, ...(_meta && { _meta }) };
  const response = await fetch(`${server.url}/mcp${query}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': revision,
      ...(isCurrent && { 'mcp-method': 'tools/call', 'mcp-name': tool }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params }),
  });
  const type = response.headers.get('content-type');
  return { status: response.status, type, text: await response.text(), headers: response.headers };
}

const unusual = { 'example.org/trace': 'x' };
const berlin: Call = { tool: 'search_events', given: { city: 'Berlin', limit: 50 } };
const warm = async (one: Call) => {
  for (let again = 0; again < 3; again += 1) assert.equal((await call(one)).status, 200);
};
const used = (): number => usedRequests(dataFile, 'dev@localhost');

describe('a call', () => {
  const calls: Call[] = [
    berlin,
    { tool: 'artist_info', given: { artist: 'Ben Klock' } },
    { tool: 'artist_info', given: { artist: '' } },
    { tool: 'search_events', given: { country: 'Nowhere' } },
    { tool: 'search_events', given: { city: 'Łódź "quoted"\n' }, id: 'é"x' },
    { tool: 'event_info', given: { event: 'Klubnacht' }, query: '?tools=all' },
    { tool: 'artist_info', given: { artist: 'Ben Klock' }, query: '?tools=all' },
    { tool: 'no_such_tool' },
  ];
  for (const revision of [current, ...earlier]) {
    for (const one of calls) {
      it(`of revision ${revision} equals that of the SDK: ${one.tool} ${JSON.stringify(one.given)}`, async () => {
        const slow = await call({ ...one, revision, meta: unusual });
        for (const meta of [undefined, { progressToken: 3 }, undefined, undefined]) {
          const { status, type, text } = await call({ ...one, revision, ...(meta && { meta }) });
          assert.deepEqual({ status, type, text }, { status: slow.status, type: slow.type, text: slow.text });
        }
      });
    }
  }

  it('is counted each time', async () => {
    const first = used();
    for (let again = 0; again < 5; again += 1) await call(berlin);
    for (let again = 0; again < 2; again += 1) await call({ ...berlin, revision: '2025-06-18' });
    assert.equal(used(), first + 7);
  });

  it('shows what was imported meanwhile, at once', async () => {
    await warm(berlin);
    const added = { kind: 'event', external_id: 'new-1', name: 'Brandneu', start_at: '2026-11-25T22:00' };
    importFeed(dataFile, [{ ...added, city: 'Berlin', country: 'DE' }], 'another');
    assert.match((await call(berlin)).text, /Brandneu/);
    assert.match((await call({ ...berlin, revision: '2025-06-18' })).text, /Brandneu/);
  });

  it('shows an edit at once', async () => {
    const one: Call = { tool: 'artist_info', given: { artist: 'Ben Klock' } };
    await warm(one);
    runJson(['edit', 'artist/ben-klock', 'real_name=Somebody Else', '--data', dataFile]);
    assert.match((await call(one)).text, /Somebody Else/);
    await warm(one);
    runJson(['forget', 'artist/ben-klock', '--name', 'remove', '--yes', '--data', dataFile]);
    assert.doesNotMatch((await call(one)).text, /Somebody Else/);
  });

  it('is answered for the plan that the account has now', async () => {
    await warm(berlin);
    const paid = (await call(berlin)).text;
    runJson(['accounts', 'set-plan', 'dev@localhost', 'free', '--data', dataFile]);
    const free = (await call(berlin)).text;
    assert.notEqual(free, paid);
    const refused = await call({ tool: 'artist_upcoming_events', given: { artist: 'Nina Kraviz' } });
    assert.match(refused.text, /is not part of the Free plan/);
    runJson(['accounts', 'set-plan', 'dev@localhost', 'pro', '--data', dataFile]);
    assert.equal((await call(berlin)).text, paid);
  });

  it('follows a new name of the service', async () => {
    runJson(['accounts', 'set-plan', 'dev@localhost', 'free', '--data', dataFile]);
    await warm(berlin);
    runJson(['settings', 'set', 'name=Club Calendar', '--data', dataFile]);
    const deadline = Date.now() + 20_000;
    while (!(await call(berlin)).text.includes('Club Calendar')) {
      assert.ok(Date.now() < deadline, 'the old name is still shown');
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    runJson(['accounts', 'set-plan', 'dev@localhost', 'pro', '--data', dataFile]);
  });

  it('is refused from the moment on at which the key is revoked', async () => {
    const made = runJson<{ id: string; key: string }>([
      'keys',
      'create',
      'dev@localhost',
      '--name',
      'second',
      '--data',
      dataFile,
    ]);
    await warm({ ...berlin, key: made.key });
    runJson(['keys', 'revoke', made.id, '--data', dataFile]);
    assert.equal((await call({ ...berlin, key: made.key })).status, 401);
    assert.equal((await call({ ...berlin, key: made.key, revision: '2025-06-18' })).status, 401);
    assert.equal((await call(berlin)).status, 200);
  });
});
