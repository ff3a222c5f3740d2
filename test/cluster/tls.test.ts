/** Connections to PostgreSQL over TCP: certificate and name are verified, and the server that is not a standby is found. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type ClusterAddressParts, parseClusterAddress } from '../../src/cluster/address.ts';
import { openClusterAccess } from '../../src/cluster/cluster-access.ts';
import { connectToPrimary } from '../../src/cluster/connection.ts';
import { readClusterFacts } from '../../src/cluster/server-facts.ts';
import { makeCertificate } from '../support/certificate.ts';
import { folder } from '../support/cli-run.ts';
import { createCluster } from '../support/cluster.ts';
import { PostgresServer, skipWithoutPostgres as skip } from '../support/postgres.ts';

const place = folder();
const ca = join(place, 'ca.pem');
const other = join(place, 'other.pem');
const proxies: Server[] = [];
let server: PostgresServer;
let target: { host: string; port: number };

/** The server of the test has an address that its certificate does not name. */
async function listen(host: string): Promise<number> {
  const proxy = createServer((near) => {
    const far = connect(target);
    near.pipe(far).pipe(near);
    for (const socket of [near, far]) socket.on('error', () => [near, far].map((one) => one.destroy()));
  });
  proxies.push(proxy);
  await new Promise<void>((resolve) => proxy.listen(0, host, resolve));
  return (proxy.address() as AddressInfo).port;
}

before(async () => {
  if (skip) return;
  const made = makeCertificate();
  writeFileSync(ca, made.cert);
  writeFileSync(other, makeCertificate().cert);
  server = new PostgresServer();
  target = server.offerTls(made);
  await server.start();
});
after(async () => {
  if (skip) return;
  for (const proxy of proxies) proxy.close();
  await server.remove();
});

test('the certificate must be of the named authority, and have the name of the address', {
  skip,
}, async () => {
  const { address } = await createCluster(server);
  const { user, database } = address as ClusterAddressParts;
  const [right, wrong] = [await listen('127.0.0.1'), await listen('127.0.0.2')];
  const open = async (at: string, file: string | null) => {
    const members = parseClusterAddress(`postgres://${user}@${at}/${database}?sslmode=verify-full`, file);
    const { server: facts } = await readClusterFacts(members);
    return facts.tls;
  };
  assert.equal(await open(`127.0.0.1:${right}`, ca), true);
  assert.equal(await open(`localhost:${right}`, ca), true);
  await assert.rejects(open(`127.0.0.1:${right}`, null), /self.signed/);
  await assert.rejects(open(`127.0.0.1:${right}`, other), /self.signed|unable to verify|signature/);
  await assert.rejects(open(`127.0.0.2:${wrong}`, ca), /127\.0\.0\.2 is not in the cert/);
});

test('of several servers, one that is away and a standby are passed over', { skip }, async () => {
  const { address } = await createCluster(server);
  const primary = address as ClusterAddressParts;
  const standby = new PostgresServer(server);
  await standby.start();
  try {
    const { host } = standby.addressOf(address) as ClusterAddressParts;
    const members = {
      ...primary,
      host: '/nowhere',
      others: [
        { host, port: 5432 },
        { host: primary.host, port: 5432 },
      ],
    };
    const client = await connectToPrimary(members);
    assert.equal((await client.query('SELECT pg_is_in_recovery() AS standby')).rows[0].standby, false);
    await client.end();
    const node = await openClusterAccess({ ...members, others: members.others.toReversed() });
    await node.accounts.create({ email: 'ada@example.com' });
    assert.equal((await node.accounts.list()).length, 1);
    await node.closed();
    await assert.rejects(connectToPrimary({ ...primary, host, port: 5432 }), /is a standby/);
  } finally {
    await standby.remove();
  }
});
