/** The address of a client behind a proxy, in each form in which proxies write it. */
import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { clientAddress } from '../../src/http/client-address.ts';

const behindProxy = (forwarded: string) =>
  clientAddress(
    {
      headers: { 'x-forwarded-for': forwarded },
      socket: { remoteAddress: '127.0.0.1' },
    } as unknown as IncomingMessage,
    true,
  );

test('the last entry of X-Forwarded-For is the client, with or without a port', () => {
  const cases: [string, string][] = [
    ['192.0.2.7', '192.0.2.7'],
    ['192.0.2.7:5555', '192.0.2.7'],
    ['198.51.100.1:1, 192.0.2.7:443 ', '192.0.2.7'],
    ['2001:DB8::1', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['[::ffff:192.0.2.7]:80', '192.0.2.7'],
  ];
  for (const [forwarded, address] of cases) assert.equal(behindProxy(forwarded), address, forwarded);
});

test('an entry that is no address counts as the proxy', () => {
  for (const forwarded of ['', 'unknown', '192.0.2.700:80', '192.0.2.7:', '192.0.2.7:555555', '192.0.2.7:x'])
    assert.equal(behindProxy(forwarded), '127.0.0.1', forwarded);
});
