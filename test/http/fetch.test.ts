/** The one way out: what it refuses, and when it gives up. Nothing here leaves this machine. */
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { FetchFailure, type FetchFailureReason } from '../../src/fetch/fetch-failure.ts';
import { createGuardedFetch, type FetchOptions, type HostResolver } from '../../src/fetch/guarded-fetch.ts';

type Reply = (request: IncomingMessage, response: ServerResponse) => void;
const replies: Record<string, Reply> = {};
const seen: IncomingMessage[] = [];
const server = createServer((request, response) => {
  seen.push(request);
  const reply = replies[(request.url ?? '').split('?')[0] as string];
  if (reply) reply(request, response);
  else response.writeHead(404).end('none');
});
let port = 0;
before(
  () =>
    new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', () => {
        port = (server.address() as AddressInfo).port;
        resolve();
      });
    }),
);
after(() => {
  server.closeAllConnections();
  server.close();
});

const userAgent = 'cratebase/0.0.0 (+https://music.example)';
const here = createGuardedFetch({ allow: ['127.0.0.0/8'], userAgent });
const strict = createGuardedFetch({ allow: [], userAgent });
const at = (path: string, host = '127.0.0.1') => `http://${host}:${port}${path}`;
const naming =
  (names: Record<string, string[]>): HostResolver =>
  async (name) =>
    (names[name] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

const failsWith = (reason: FetchFailureReason) => (failure: unknown) => {
  assert.ok(failure instanceof FetchFailure, String(failure));
  assert.equal(failure.reason, reason, failure.message);
  assert.doesNotMatch(failure.message, /127\.0\.0\.1|ECONN|undici|\n/);
  return true;
};

describe('addresses', () => {
  const hosts = [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '017700000001',
    '0.0.0.0',
    '0',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '192.0.0.1',
    '192.0.2.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '１２７.0.0.1',
    '[::]',
    '[::1]',
    '[::127.0.0.1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::ffff:0:127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b:1::7f00:1]',
    '[2002:7f00:1::]',
    '[2001:0:7f00:1::]',
    '[2001:db8::1]',
    '[fc00::1]',
    '[fd00:ec2::254]',
    '[fe80::1]',
    '[fec0::1]',
    '[ff02::1]',
    '[4000::1]',
    '[5f00::1]',
  ];
  for (const host of hosts) {
    it(`${host} is not fetched from, nor when a name stands for it`, async () => {
      await assert.rejects(strict(`https://${host}/`), failsWith('refused'));
      await assert.rejects(strict(`http://${host}/`, { allowHttp: true }), failsWith('refused'));
      const address = new URL(`http://${host}`).hostname.replace(/[[\]]/g, '');
      const fetch = createGuardedFetch({
        allow: [],
        userAgent,
        resolve: naming({ 'evil.example': [address] }),
      });
      await assert.rejects(fetch('https://evil.example/'), failsWith('refused'));
    });
  }

  it('one private address among public ones is enough', async () => {
    const resolve = naming({ 'evil.example': ['93.184.216.34', '10.0.0.7'] });
    const fetch = createGuardedFetch({ allow: [], userAgent, resolve });
    await assert.rejects(fetch('https://evil.example/'), failsWith('refused'));
  });

  it('the connection goes to the address that was checked, also if the name resolves to another one later', async () => {
    const answers = ['127.0.0.1', '10.0.0.7'];
    let asked = 0;
    const resolve: HostResolver = async () => [{ address: answers[asked++] as string, family: 4 }];
    const fetch = createGuardedFetch({ allow: ['127.0.0.0/8'], userAgent, resolve });
    replies['/close'] = (_request, response) => response.writeHead(200, { Connection: 'close' }).end('here');
    assert.equal(await (await fetch(at('/close', 'shifty.example'))).text(), 'here');
    assert.equal(asked, 1, 'resolved once for one connection');
    await assert.rejects(fetch(at('/close', 'shifty.example')), failsWith('refused'));
    assert.equal(asked, 2);
  });

  it('localhost is its address', async () => {
    await assert.rejects(strict('https://localhost/'), failsWith('refused'));
    await assert.rejects(strict('https://LOCALHOST:8080/'), failsWith('refused'));
  });

  const oddities: string[] = [
    'ftp://example.com/',
    'file:///etc/passwd',
    'data:text/plain,hi',
    'gopher://example.com/',
    'https://user:secret@example.com/',
    'https://user@example.com/',
    'https://example.com./',
    'https://localhost./',
    'nonsense',
    '',
  ];
  for (const address of oddities) {
    it(`${JSON.stringify(address)} is refused before anything is resolved`, async () => {
      const fetch = createGuardedFetch({ allow: [], userAgent, resolve: () => assert.fail('resolved') });
      await assert.rejects(fetch(address, { allowHttp: true }), failsWith('refused'));
    });
  }

  it('http is for allowed addresses, or if the caller permits it', async () => {
    replies['/'] = (_request, response) => response.end('hello');
    assert.equal(await (await here(at('/'))).text(), 'hello');
    await assert.rejects(strict('http://93.184.216.34/'), failsWith('refused'));
    const resolve = naming({ 'public.example': ['93.184.216.34'], 'mine.example': ['127.0.0.1'] });
    const fetch = createGuardedFetch({ allow: ['127.0.0.1'], userAgent, resolve });
    await assert.rejects(fetch('http://public.example/'), failsWith('refused'));
    assert.equal((await fetch(at('/', 'mine.example'))).status, 200);
  });

  it('an allowed range means its addresses in every form, and no others', async () => {
    assert.equal((await here(`http://[::ffff:127.0.0.1]:${port}/`)).status, 200);
    await assert.rejects(here('http://10.0.0.1/'), failsWith('refused'));
    await assert.rejects(here('http://[::1]/'), failsWith('refused'));
  });

  it('a name that is not known, and one without an address', async () => {
    const fetch = createGuardedFetch({ allow: [], userAgent, resolve: naming({}) });
    await assert.rejects(fetch('https://none.example/'), failsWith('unreachable'));
    const unknown = Object.assign(new Error('getaddrinfo ENOTFOUND none.example'), { code: 'ENOTFOUND' });
    const failing = createGuardedFetch({ allow: [], userAgent, resolve: () => Promise.reject(unknown) });
    await assert.rejects(failing('https://none.example/'), failsWith('unreachable'));
  });
});

describe('redirects', () => {
  const to = (location: string, status = 302): Reply => {
    return (_request, response) => response.writeHead(status, { Location: location }).end('moved');
  };

  it('are followed, so many and no more', async () => {
    replies['/'] = (_request, response) => response.end('hello');
    replies['/a'] = to('/b', 301);
    replies['/b'] = to('?', 307);
    replies['/c'] = to(at('/?q=1'), 308);
    replies['/round'] = to('/round');
    const answer = await here(at('/c'));
    assert.deepEqual([answer.url, await answer.text()], [at('/?q=1'), 'hello']);
    await assert.rejects(here(at('/round')), failsWith('redirects'));
    await assert.rejects(here(at('/c'), { maxRedirects: 0 }), failsWith('redirects'));
    assert.equal((await here(at('/c'), { maxRedirects: 1 })).status, 200);
  });

  const targets = [
    'http://10.0.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'http://[::1]/',
    'file:///etc/passwd',
    'https://a:b@example.com/',
    '//2852039166/',
  ];
  for (const target of targets) {
    it(`${target} is refused there as well`, async () => {
      replies['/away'] = to(target);
      await assert.rejects(here(at('/away')), failsWith('refused'));
    });
  }

  it('take no credential to another host, and no body where GET is next', async () => {
    replies['/end'] = (_request, response) => response.end('end');
    replies['/same'] = to('/end', 307);
    const resolve = naming({ 'one.example': ['127.0.0.1'], 'two.example': ['127.0.0.1'] });
    const fetch = createGuardedFetch({ allow: ['127.0.0.1'], userAgent, resolve });
    const headers = { authorization: 'Bearer x', cookie: 'a=b', 'x-api-key': 'k', 'if-none-match': '"e"' };
    replies['/other'] = to(at('/end', 'two.example'), 302);
    await (await fetch(at('/same', 'one.example'), { headers })).text();
    assert.equal(seen.at(-1)?.headers.authorization, 'Bearer x');
    await (await fetch(at('/other', 'one.example'), { headers })).text();
    const last = seen.at(-1)?.headers as Record<string, string>;
    assert.deepEqual(
      [last.authorization, last.cookie, last['x-api-key'], last['if-none-match'], last['user-agent']],
      [undefined, undefined, undefined, '"e"', userAgent],
    );
    const posted = { method: 'POST', body: 'a=1', headers: { 'content-type': 'text/x' } } as const;
    await (await fetch(at('/other', 'one.example'), posted)).text();
    assert.deepEqual([seen.at(-1)?.method, seen.at(-1)?.headers['content-type']], ['GET', undefined]);
  });
});

describe('caps', () => {
  const big = Buffer.alloc(2_000_000);
  const sending = (content: Buffer, headers: Record<string, string>): Reply => {
    return (_request, response) => response.writeHead(200, headers).end(content);
  };
  const small: FetchOptions = { maxBytes: 100_000 };

  it('on what is announced, sent, and decoded', async () => {
    replies['/big'] = sending(big, { 'Content-Length': String(big.length) });
    replies['/chunked'] = (_request, response) => {
      for (let piece = 0; piece < 20; piece += 1) response.write(Buffer.alloc(100_000));
      response.end();
    };
    replies['/bomb'] = sending(gzipSync(big), { 'Content-Encoding': 'gzip' });
    replies['/brotli'] = sending(brotliCompressSync(big), { 'Content-Encoding': 'br' });
    replies['/deflate'] = sending(deflateSync(big), { 'Content-Encoding': 'deflate' });
    await assert.rejects(here(at('/big'), small), failsWith('too_large'));
    for (const path of ['/chunked', '/bomb', '/brotli', '/deflate']) {
      const answer = await here(at(path), small);
      await assert.rejects(answer.bytes(), failsWith('too_large'), path);
      assert.equal((await (await here(at(path))).bytes()).length, big.length, path);
    }
  });

  it('on time: to the headers, between pieces, and in all', async () => {
    replies['/silent'] = () => {};
    replies['/stuck'] = (_request, response) => void response.write('first');
    replies['/drip'] = (request, response) => {
      const timer = setInterval(() => response.write('x'), 20);
      request.on('close', () => clearInterval(timer));
    };
    await assert.rejects(here(at('/silent'), { timeoutMs: 50 }), failsWith('timeout'));
    const stuck = await here(at('/stuck'), { timeoutMs: 50 });
    await assert.rejects(stuck.text(), failsWith('timeout'));
    const drip = await here(at('/drip'), { deadlineMs: 300 });
    await assert.rejects(drip.text(), failsWith('timeout'));
    const slow = createGuardedFetch({ allow: [], userAgent, resolve: () => new Promise(() => {}) });
    const kept = setInterval(() => {}, 1_000);
    await assert.rejects(slow('https://slow.example/', { deadlineMs: 50 }), failsWith('timeout'));
    clearInterval(kept);
  });

  it('an answer that breaks off, or is not what it says', async () => {
    replies['/cut'] = (_request, response) => {
      response.writeHead(200, { 'Content-Length': '100' });
      response.write('half', () => response.destroy());
    };
    replies['/liar'] = sending(Buffer.from('no archive'), { 'Content-Encoding': 'gzip' });
    replies['/odd'] = sending(Buffer.from('x'), { 'Content-Encoding': 'rot13' });
    replies['/member'] = sending(Buffer.from('x'), { 'Content-Encoding': 'constructor' });
    replies['/truncated'] = sending(gzipSync('hello world').subarray(0, 20), { 'Content-Encoding': 'gzip' });
    const textOf = async (path: string) => (await here(at(path))).text();
    await assert.rejects(textOf('/cut'), failsWith('unreachable'));
    await assert.rejects(textOf('/liar'), failsWith('unreadable'));
    await assert.rejects(textOf('/odd'), failsWith('unreadable'));
    await assert.rejects(textOf('/member'), failsWith('unreadable'));
    await assert.rejects(textOf('/truncated'), failsWith('unreadable'));
    await assert.rejects(async () => (await here(at('/none'))).json(), failsWith('unreadable'));
    await assert.rejects(here('http://127.0.0.1:1/'), failsWith('unreachable'));
  });

  it('a reader that stops early leaves nothing open', async () => {
    replies['/endless'] = (request, response) => {
      const timer = setInterval(() => response.write('x'.repeat(1_000)), 1);
      request.on('close', () => clearInterval(timer));
      request.once('close', () => closed());
    };
    let closed = () => {};
    const ended = new Promise<void>((resolve) => {
      closed = resolve;
    });
    for await (const piece of (await here(at('/endless'))).body) {
      assert.ok(piece.length > 0);
      break;
    }
    await ended;
    const controller = new AbortController();
    const given = await here(at('/endless'), { signal: controller.signal });
    controller.abort();
    await assert.rejects(given.text(), failsWith('unreachable'));
    (await here(at('/endless'))).cancel();
  });
});

it('sends its user agent and the given headers, and keeps no cookies', async () => {
  replies['/cookie'] = (_request, response) => {
    response.writeHead(200, { 'Set-Cookie': 'a=b', ETag: '"x"', 'X-Many': ['1', '2'] }).end('{"a":1}');
  };
  const answer = await here(at('/cookie'), { accept: 'application/json' });
  assert.deepEqual(
    [answer.status, answer.headers.etag, answer.headers['set-cookie']],
    [200, '"x"', undefined],
  );
  assert.deepEqual(await answer.json(), { a: 1 });
  await (await here(at('/cookie'))).text();
  const { headers } = seen.at(-1) as IncomingMessage;
  assert.deepEqual([headers.cookie, headers['user-agent']], [undefined, userAgent]);
  assert.equal((await here(at('/cookie'), { method: 'HEAD' })).status, 200);
});
