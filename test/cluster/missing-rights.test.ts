/** The role of a cluster lacks rights in PostgreSQL: the start, /readyz and `doctor` name them, and requests get 503. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClusterAddressParts } from '../../src/cluster/address.ts';
import { folder, run } from '../support/cli-run.ts';
import { queryAt } from '../support/cluster.ts';
import { clusterUrl } from '../support/cluster-url.ts';
import { skipWithoutPostgres as skip, usePostgres } from '../support/postgres.ts';
import { type Served, serve } from '../support/serve-process.ts';

const role = 'cratebase_limited';
const cwd = folder();
let owner: ClusterAddressParts;
let env: Record<string, string>;
let key: string;

const server = usePostgres(async () => {
  const admin = (await server.createDatabase()) as ClusterAddressParts;
  await queryAt(admin, `CREATE ROLE ${role} LOGIN`);
  await queryAt(admin, `CREATE DATABASE ${role} OWNER ${role}`);
  owner = { ...admin, database: role };
  env = { CRATEBASE_CLUSTER: clusterUrl({ ...owner, user: role }) };
  await json(['cluster', 'init']);
  await json(['accounts', 'create', 'ada@example.com']);
  ({ key } = await json<{ key: string }>(['keys', 'create', 'ada@example.com', '--name', 'one']));
});

async function json<T>(args: string[]): Promise<T> {
  const { status, stdout, stderr } = await run([...args, '--json'], { cwd, env });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout) as T;
}

const ready = async ({ url }: Served) => (await fetch(`${url}/readyz`)).json();
const call = ({ url }: Served) =>
  fetch(`${url}/api/v1/stats`, { headers: { authorization: `Bearer ${key}` } });

test('rights that are missing are named', { skip }, async (t) => {
  const whole = await serve('--no-sync --data whole', { cwd, env });
  t.after(() => whole.stop());
  assert.deepEqual(await ready(whole), { status: 'ok', accounts: 'ok' });
  assert.equal((await call(whole)).status, 200);
  assert.ok(whole.log().every(({ level }) => level !== 'error'));

  await queryAt(owner, `REVOKE INSERT, UPDATE ON usage_months FROM ${role}`);
  await queryAt(owner, `REVOKE DELETE ON passkeys FROM ${role}`);
  await queryAt(owner, 'REVOKE EXECUTE ON FUNCTION renew_lease FROM PUBLIC');
  await queryAt(owner, `REVOKE EXECUTE ON FUNCTION renew_lease FROM ${role}`);
  const missing = [
    'DELETE on passkeys',
    'EXECUTE on renew_lease',
    'INSERT on usage_months',
    'UPDATE on usage_months',
  ];
  const limited = await serve('--no-sync --data limited', { cwd, env });
  t.after(() => limited.stop());
  const line = limited.log().find(({ message }) => message === 'the role of PostgreSQL lacks rights');
  assert.deepEqual(
    [line?.level, line?.missing, line?.advice],
    [
      'error',
      missing.join(', '),
      'give the role of PostgreSQL the rights of docs/guides/several-machines.md',
    ],
  );
  // The node that runs already says it as well.
  for (const node of [limited, whole])
    assert.deepEqual(await ready(node), { status: 'ok', accounts: 'ok', missing_rights: missing });
  const answer = await call(limited);
  const { error } = (await answer.json()) as { error: { type: string; message: string } };
  assert.deepEqual(
    [answer.status, error.type, error.message],
    [503, 'unavailable', 'The service lacks a right in its database. The operator has to grant it.'],
  );
  const failed = limited.log().find(({ trouble }) => trouble === '42501');
  assert.match(String(failed?.error), /permission denied for table usage_months/);
  assert.equal(failed?.stack, undefined);
  const doctor = await run(['doctor'], { cwd, env });
  assert.match(
    doctor.stdout,
    /FAILED +cluster: The role of PostgreSQL lacks rights: DELETE on passkeys, EXECUTE on renew_lease, /,
  );

  await queryAt(owner, `GRANT INSERT, UPDATE ON usage_months TO ${role}`);
  await queryAt(owner, `GRANT DELETE ON passkeys TO ${role}`);
  await queryAt(owner, `GRANT EXECUTE ON FUNCTION renew_lease TO ${role}`);
  while (JSON.stringify(await ready(limited)).includes('missing')) await new Promise(setImmediate);
  assert.equal((await call(limited)).status, 200);
});
