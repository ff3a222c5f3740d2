/** Prefixes of addresses, by which callers are counted. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  customerPrefix,
  networkPrefix,
  providerPrefix,
  regionPrefix,
  sitePrefix,
} from '../../src/access/address-prefixes.ts';

test('an address has a network, a site, a region and a provider', () => {
  const cases: [address: string, ...prefixes: string[]][] = [
    [
      '2001:db8:1234:56ff:1:2:3:4',
      '2001:db8:1234:56ff::/64',
      '2001:db8:1234:5600::/56',
      '2001:db8:1234::/48',
      '2001:db8::/32',
    ],
    ['192.0.2.77', '192.0.2.77/32', '192.0.2.77/32', '192.0.2.0/24', '192.0.0.0/16'],
    ['::ffff:192.0.2.77', '192.0.2.77/32', '192.0.2.77/32', '192.0.2.0/24', '192.0.0.0/16'],
    ['::1', '::/64', '::/56', '::/48', '::/32'],
    ['unknown', 'unknown', 'unknown', 'unknown', 'unknown'],
    ['', '', '', '', ''],
  ];
  for (const [address, ...prefixes] of cases) {
    assert.deepEqual(
      [networkPrefix, sitePrefix, regionPrefix, providerPrefix].map((of) => of(address)),
      prefixes,
      address,
    );
  }
});

test('a customer is a /48 of IPv6, and one address of IPv4', () => {
  assert.equal(customerPrefix('2001:db8:1234:56ff::1'), '2001:db8:1234::/48');
  assert.equal(customerPrefix('192.0.2.77'), '192.0.2.77/32');
});

test('another last bit of the prefix is another prefix', () => {
  assert.equal(sitePrefix('2001:db8:0:1200::'), sitePrefix('2001:db8:0:12ff::'));
  assert.notEqual(sitePrefix('2001:db8:0:1200::'), sitePrefix('2001:db8:0:1300::'));
  assert.notEqual(networkPrefix('2001:db8:0:1200::'), networkPrefix('2001:db8:0:1201::'));
});
