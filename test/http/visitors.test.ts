/** What visitors of one network may use: who asks too much is told to wait, and everybody else is answered. */
import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it, test } from 'node:test';
import { VisitorLimit } from '../../src/access/access.ts';
import { generateApiKey } from '../../src/access/api-key-format.ts';
import { feed } from '../support/feed.ts';
import { forgedLike } from '../support/forged-key.ts';
import { importFeed, type Server, startServer, temporaryFolder } from '../support/program.ts';

test('a network has a share each second, saves some of it, and waits when it is used up', () => {
  const time = { now: 0 };
  const limit = new VisitorLimit(100, () => time.now);
  assert.equal(limit.waitMs('192.0.2.1'), 0);
  limit.charge('192.0.2.1', 2_990);
  assert.equal(limit.waitMs('192.0.2.1'), 0, 'thirty seconds of it are saved up');
  limit.charge('192.0.2.1', 20);
  assert.equal(limit.waitMs('192.0.2.1'), 600, 'until it has half a second of its share again');
  assert.equal(limit.waitMs('192.0.2.2'), 0, 'another address of IPv4 is another network');
  time.now = 200;
  assert.equal(limit.waitMs('192.0.2.1'), 0);
  limit.charge('192.0.2.1', 1_000_000);
  assert.equal(limit.waitMs('192.0.2.1'), 3_500, 'a debt is bounded');
  time.now += 3_600_000;
  limit.charge('192.0.2.1', 3_001);
  assert.ok(limit.waitMs('192.0.2.1') > 0, 'no more is saved up in an hour');
});

test('an IPv6 network is a /64, and the wider one around it has four times as much', () => {
  const limit = new VisitorLimit(100, () => 0);
  limit.charge('2001:db8:1:1::1', 3_001);
  assert.ok(limit.waitMs('2001:db8:1:1:ffff::2') > 0);
  assert.equal(limit.waitMs('2001:db8:1:2::1'), 0);
  for (const third of ['2', '3', '4', '5', '6']) limit.charge(`2001:db8:1:${third}::1`, 2_000);
  assert.ok(limit.waitMs('2001:db8:1:7::1') > 0, 'the /48 is used up');
  assert.equal(limit.waitMs('2001:db8:2:1::1'), 0);
  for (let last = 1; last <= 4; last += 1) limit.charge(`198.51.100.${last}`, 3_000);
  limit.charge('198.51.100.5', 10);
  assert.ok(limit.waitMs('198.51.100.77') > 0, 'the /24 is used up');
});

test('0 is no limit, and a strange address is a network of its own', () => {
  const none = new VisitorLimit(0, () => 0);
  none.charge('192.0.2.1', 1_000_000);
  assert.equal(none.waitMs('192.0.2.1'), 0);
  const limit = new VisitorLimit(10, () => 0);
  limit.charge('unknown', 301);
  assert.ok(limit.waitMs('unknown') > 0);
  assert.equal(limit.waitMs(''), 0);
});

type VisitorResponse = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
};

describe('a server', () => {
  const folder = temporaryFolder();
  const agent = new Agent({ keepAlive: true, maxSockets: 400 });
  let server: Server;

  before(async () => {
    const dataFile = join(folder.path, 'c.db');
    importFeed(dataFile, feed);
    // 30 ms of processing are saved up; a page takes one or more.
    server = await startServer({ dataFile, more: ['--page-limit', '1', '--trust-proxy'] });
  });
  after(async () => {
    agent.destroy();
    await server.stop();
    folder.remove();
  });

  /** One request as it comes from an address. */
  function ask(
    path: string,
    from: string,
    headers: Record<string, string> = {},
    method = 'GET',
    { url } = server,
  ): Promise<VisitorResponse> {
    const { hostname, port } = new URL(url);
    const sent = { ...headers, 'x-forwarded-for': from };
    return new Promise((resolve, reject) => {
      const outgoing = request({ agent, hostname, port, path, method, headers: sent }, (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (piece: string) => {
          text += piece;
        });
        answer.once('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
      });
      outgoing.once('error', reject);
      outgoing.end();
    });
  }

  /** Asks until the network of an address is refused. */
  async function useUp(
    from: string,
    path = '/search?q=zzzz',
    headers: Record<string, string> = {},
    target = server,
  ): Promise<VisitorResponse> {
    for (let asked = 0; asked < 100; asked += 1) {
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, at) =>
          ask(`${path}${path.includes('?') ? `+${asked}x${at}` : ''}`, from, headers, 'GET', target),
        ),
      );
      const refused = answers.find(({ status }) => status === 429);
      if (refused) return refused;
    }
    assert.fail(`${from} is never refused`);
  }

  // Each test sends from a /24 of its own: the networks of one /24 share four times the time of one.
  const browser = { accept: 'text/html,application/xhtml+xml' };
  const key = () => ({ authorization: `Bearer ${server.key}` });

  it('charges the comparison of forged keys, and lets few of them be compared beyond the limit', async () => {
    const forgedKeys = (count: number, like = server.key) =>
      Array.from({ length: count }, () => forgedLike(like));
    const send = async (keys: string[], from: string) => {
      const answers = await Promise.all(
        keys.map((forged) => ask('/api/v1/genres', from, { authorization: `Bearer ${forged}` })),
      );
      return answers.map(({ status }) => status);
    };
    const [forged, unknown] = ['203.0.121.1', '203.0.122.1'];
    assert.equal((await ask('/api/v1/genres', unknown, key())).status, 200);
    // 30 ms: four comparisons of 8 ms, or three hundred refusals without one.
    await send(forgedKeys(6), forged);
    const refused = await send(forgedKeys(20), forged);
    assert.ok(refused.filter((status) => status === 401).length <= 2, String(refused));
    assert.ok(refused.filter((status) => status === 429).length >= 18, String(refused));
    assert.equal((await ask('/api/v1/genres', forged, key())).status, 200);
    const others = forgedKeys(26, generateApiKey());
    assert.deepEqual(new Set(await send(others, unknown)), new Set([401]), 'no key has this public part');
  });

  it('lets valid keys read the change feed and the exports', async () => {
    const from = '203.0.117.1';
    await useUp(from);
    const flood = Array.from({ length: 50 }, (_, at) => ask(`/search?q=zzzz+flood+${at}`, from));
    const paths = ['/changes?since=0', '/exports/catalogue.json'];
    const keyed = await Promise.all(paths.map((path) => ask(path, from, key())));
    for (const { status, text } of keyed) assert.notEqual(status, 429, text);
    assert.ok((await Promise.all(flood)).some(({ status }) => status === 429));
  });

  it('charges new maps, however many are asked for at the same time', async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, at) =>
        ask(`/media/map/1-${10 + at}.123,10.123-venue.svg`, '203.0.118.1'),
      ),
    );
    const drawn = answers.filter(({ status }) => status === 200).length;
    assert.ok(drawn >= 1 && drawn <= 15, `${drawn} maps`);
  });

  it('charges requests of apps for authorization, which take most of their time after the handler returned', async () => {
    const path =
      '/oauth/authorize?response_type=code&client_id=unknown&redirect_uri=http%3A%2F%2F127.0.0.1%2F';
    // From another region: the first request loads the library.
    await ask(path, '203.0.113.90');
    const answers = await Promise.all(Array.from({ length: 40 }, () => ask(path, '203.0.122.1')));
    const answered = answers.filter(({ status }) => status === 400).length;
    assert.ok(answered >= 1 && answered <= 20, `${answered} answered`);
    assert.ok(answers.every(({ status }) => status === 400 || status === 429));
  });

  it('charges new pictures of pages, however many are asked for at the same time', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => ask(`/og/events.png?from=2030-01-${10 + at}`, '203.0.119.1')),
    );
    const statuses = answers.map(({ status }) => status).sort();
    assert.ok(statuses.filter((status) => status === 200).length <= 2, statuses.join());
    assert.ok(statuses.includes(429), statuses.join());
  });

  it('tells a browser with a page to wait', async () => {
    const refused = await useUp('203.0.120.1', '/search?q=zzzz', browser);
    assert.match(String(refused.headers['content-type']), /^text\/html/);
    assert.match(String(refused.headers['retry-after']), /^[1-9]\d?$/);
    assert.match(refused.text, /Too many requests/);
    assert.ok(refused.text.length < 6_000, 'a small page');
    assert.ok(refused.headers['x-request-id']);
    assert.match(String(refused.headers['content-security-policy']), /default-src 'none'/);
  });

  it('tells a program with an error', async () => {
    const refused = await useUp('203.0.121.1', '/search/hits?q=zzzz');
    assert.equal(refused.headers['content-type'], 'application/json');
    const { error } = JSON.parse(refused.text) as { error: { type: string; message: string } };
    assert.equal(error.type, 'rate_limited');
    assert.match(error.message, /This network sent too many requests .* Wait \d+ s/);
  });

  it('counts pages, unknown paths, feeds, files of the sitemap and documentation alike', async () => {
    const paths = [
      '/nothing-here',
      '/sitemaps/event-0.xml',
      '/docs/nothing',
      '/artists/nobody.atom',
      '/robots.txt',
    ];
    for (const [at, path] of paths.entries())
      assert.equal((await useUp(`192.0.3.${at}`, path)).status, 429, path);
  });

  it('leaves all others and every good key alone', async () => {
    const from = '203.0.113.1';
    // Each round has another visitor: on a slow machine three pages take more than the 30 ms that a network has saved.
    for (const [other, path, headers] of [
      ['203.0.114.1', '/api/v1/artists', {}],
      ['203.0.115.1', '/api/v1/artists', { authorization: 'Bearer wrong' }],
      ['203.0.116.1', '/mcp', { authorization: 'Bearer wrong' }],
    ] as const) {
      const flood = useUp(from, path, headers);
      const good = await Promise.all([
        ask('/artists', other, browser),
        ask('/api/v1/artists', from, key()),
        ask('/healthz', from),
      ]);
      const refused = await flood;
      good.push(await ask('/api/v1/artists', from, key()));
      assert.deepEqual(
        good.map(({ status }) => status),
        [200, 200, 200, 200],
      );
      assert.ok(Number(refused.headers['retry-after']) >= 1);
      assert.equal(refused.headers['access-control-allow-origin'], '*');
    }
  });

  it('counts calls without a good key', async () => {
    const refused = await useUp('192.0.4.1', '/api/v1/stats', { authorization: 'Bearer wrong' });
    assert.equal((JSON.parse(refused.text) as { error: { type: string } }).error.type, 'rate_limited');
    assert.equal((await ask('/api/v1/stats', '192.0.4.1', key())).status, 200);
  });

  it('gives a refused network its share again', async () => {
    const refused = await useUp('192.0.5.1');
    const seconds = Number(refused.headers['retry-after']);
    assert.ok(seconds <= 4, `${seconds} s`);
    await new Promise((resolve) => setTimeout(resolve, (seconds + 1) * 1_000));
    assert.equal((await ask('/search', '192.0.5.1')).status, 200);
  });

  it('forgets who goes away while waiting', async () => {
    await useUp('192.0.6.1');
    const { hostname, port } = new URL(server.url);
    const sockets = Array.from({ length: 300 }, () => {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => {});
      socket.write('GET /search?q=zz HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 192.0.6.1\r\n\r\n');
      return socket;
    });
    await new Promise((resolve) => setTimeout(resolve, 100));
    for (const socket of sockets) socket.destroy();
    assert.equal((await ask('/api/v1/stats', '192.0.6.2', key())).status, 200);
  });

  it('two thousand connections that send nothing do no harm', async () => {
    const { hostname, port } = new URL(server.url);
    const sockets: Socket[] = [];
    const opened: Promise<void>[] = [];
    for (let at = 0; at < 2_000; at += 1) {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => {});
      sockets.push(socket);
      opened.push(
        new Promise((resolve) => socket.once('connect', () => resolve()).once('error', () => resolve())),
      );
    }
    await Promise.all(opened);
    const connected = sockets.filter(({ readyState }) => readyState === 'open').length;
    assert.ok(connected >= 1_900, `${connected} are open`);
    for (let at = 0; at < 20; at += 1) {
      assert.equal((await ask('/api/v1/stats', '192.0.7.1', key())).status, 200);
    }
    assert.equal((await ask('/artists', '192.0.8.1', browser)).status, 200);
    for (const socket of sockets) socket.destroy();
  });

  it('lets assets only be read', async () => {
    const { text } = await ask('/docs', '192.0.9.1', browser);
    const assets = [/"(\/assets\/style-[^"]+)"/, /"(\/docs\/assets\/docs-[^"]+)"/].map(
      (pattern) => pattern.exec(text)?.[1] as string,
    );
    for (const [at, path] of assets.entries()) {
      assert.equal((await ask(path, '192.0.9.2', {}, 'HEAD')).status, 200, path);
      const refused = await ask(path, `192.0.9.${3 + at}`, {}, 'POST');
      assert.deepEqual([refused.status, refused.headers.allow], [405, 'GET, HEAD'], path);
    }
  });

  it('sends the style sheets and scripts of a page to a network over its limit', async (t) => {
    const own = await startServer({
      dataFile: server.dataFile,
      more: ['--page-limit', '20', '--trust-proxy'],
    });
    t.after(own.stop);
    const from = '198.51.100.1';
    const shown = await ask('/artists', from, browser, 'GET', own);
    assert.equal(shown.status, 200);
    const refused = await useUp(from, '/search?q=zzzz', browser, own);
    const linked = [shown, refused].flatMap(({ text }) => [
      ...text.matchAll(/(?:href|src)="[^"]*(\/assets\/[^"]+)"/g),
    ]);
    const paths = new Set(linked.map(([, path]) => path as string));
    assert.ok(paths.size >= 3, [...paths].join());
    for (const path of paths) assert.equal((await ask(path, from, {}, 'GET', own)).status, 200, path);

    const [path] = paths;
    const flood = await useUp(from, path, {}, own);
    assert.equal(flood.status, 429, 'a flood of them is bounded');
    const other = await ask(path as string, '192.0.2.200', {}, 'GET', own);
    assert.equal(other.status, 200);
  });
});
