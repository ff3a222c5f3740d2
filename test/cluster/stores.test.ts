/** The stores of accounts give the same answers in the data file and in PostgreSQL. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { PostgresEngine } from '../../src/cluster/postgres-engine.ts';
import { AccountAuditLog } from '../../src/store/access/account-audit-log.ts';
import { AccountStateStore } from '../../src/store/access/account-states.ts';
import { AccountStore } from '../../src/store/access/accounts.ts';
import { ApiKeyStore } from '../../src/store/access/api-keys.ts';
import { AttemptStore } from '../../src/store/access/attempts.ts';
import { ExportPlanStore } from '../../src/store/access/export-plans.ts';
import { ExternalLoginStore } from '../../src/store/access/external-logins.ts';
import { OAuthStore } from '../../src/store/access/oauth.ts';
import { OneTimeLinkStore } from '../../src/store/access/one-time-links.ts';
import { PasskeyStore } from '../../src/store/access/passkeys.ts';
import { PendingAccountStore } from '../../src/store/access/pending-accounts.ts';
import { PlanLimitStore } from '../../src/store/access/plan-limits.ts';
import { SecondFactorStore } from '../../src/store/access/second-factors.ts';
import { SessionStore } from '../../src/store/access/sessions.ts';
import { UsageStore } from '../../src/store/access/usage.ts';
import { openDatabase } from '../../src/store/database.ts';
import type { Engine, Tx } from '../../src/store/engine/engine.ts';
import { SqliteEngine } from '../../src/store/engine/sqlite-engine.ts';
import { createCluster } from '../support/cluster.ts';
import { skipWithoutPostgres as skip, usePostgres } from '../support/postgres.ts';
import { temporaryFolder } from '../support/program.ts';

const server = usePostgres();

/** Runs the steps in both, each in a transaction of its own, and compares what each returns. */
async function compare(steps: Record<string, (tx: Tx) => Promise<unknown>>): Promise<void> {
  const folder = temporaryFolder();
  const sqlite = openDatabase(join(folder.path, 'c.db'), { create: true });
  const cluster = await createCluster(server);
  const postgres = new PostgresEngine(cluster.address);
  const inFile = new SqliteEngine(sqlite);
  for (const [name, step] of Object.entries(steps)) {
    const run = async (engine: Engine) => normalize(await engine.write(step));
    const [expected, actual] = [await run(inFile), await run(postgres)];
    assert.deepEqual(actual, expected, name);
    // A step that gives nothing compares nothing.
    assert.notEqual(JSON.stringify(expected), '[]', name);
  }
  await postgres.close();
  sqlite.close();
  folder.remove();
}

/** Undefined members, and the rows of a driver, as JSON. */
const normalize = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));

const accounts = new AccountStore();
const account = (name: string, created: number) => ({
  id: `acc_${name}`,
  email: `${name}@example.com`,
  plan: 'free' as const,
  password_hash: name === 'a' ? 'hash' : null,
  created_ts: created,
});
const addAccounts = {
  'accounts, one twice': async (tx: Tx) => [
    await accounts.insert(tx, account('a', 1)),
    await accounts.insert(tx, account('b', 1_795_000_000_000)),
    await accounts.insert(tx, { ...account('a', 3), id: 'acc_other' }),
  ],
};

test('accounts, keys, sessions and what belongs to them', { skip }, async () => {
  const [keys, sessions, states] = [new ApiKeyStore(), new SessionStore(), new AccountStateStore()];
  const key = (id: string, created: number) => ({
    id: `key_${id}`,
    account_id: 'acc_a',
    public_id: id,
    name: 'n',
    secret_hash: 's',
    last_four: 'last',
    created_ts: created,
    expires_ts: null,
    scope: 'all' as const,
  });
  const session = (id: string, used: number) => ({
    id,
    token_hash: `hash ${id}`,
    account_id: 'acc_a',
    address: '::1',
    user_agent: 'x',
    created_ts: 5,
    last_used_ts: used,
  });
  const all = { text: '', role: null, suspended: false, page: 1, pageSize: 10 };
  await compare({
    ...addAccounts,
    'the order of emails is that of their bytes': async (tx) => {
      for (const name of ['y_b', 'yb', 'y-c', 'y.a', 'éa', 'za'])
        await accounts.insert(tx, { ...account(name, 7), id: `acc_${name}` });
      const emails = (await accounts.all(tx)).map(({ email }) => email);
      for (const name of ['y_b', 'yb', 'y-c', 'y.a', 'éa', 'za'])
        await accounts.delete(tx, `${name}@example.com`);
      return emails;
    },
    changes: async (tx) => {
      await accounts.setPlan(tx, 'a@example.com', 'pro');
      await accounts.setPassword(tx, 'b@example.com', 'new');
      await accounts.setLimits(tx, 'b@example.com', 7, 1e12);
      await accounts.setRole(tx, 'acc_a', 'operator');
      await accounts.setSuspended(tx, 'acc_b', 9);
      return [
        await accounts.all(tx),
        await accounts.countOperators(tx),
        await accounts.passwordHashOf(tx, 'b@example.com'),
      ];
    },
    found: async (tx) => [
      await accounts.byEmail(tx, 'a@example.com'),
      await accounts.byId(tx, 'acc_b'),
      await accounts.byId(tx, 'none'),
      await accounts.isOnlyOperator(tx, { role: 'operator', suspended_ts: null }),
      await accounts.usedInMonth(tx, 'acc_a', '2026-10'),
    ],
    searched: async (tx) => [
      await accounts.search(tx, all),
      await accounts.search(tx, { ...all, text: 'A@' }),
      await accounts.search(tx, { ...all, text: '_%' }),
      await accounts.search(tx, { ...all, suspended: true }),
      await accounts.search(tx, { ...all, role: 'operator', pageSize: 1, page: 2 }),
    ],
    states: async (tx) => [
      await states.setVerified(tx, 'acc_a', 4),
      await states.setVerified(tx, 'acc_a', 5),
      await states.byId(tx, 'acc_a'),
      await states.clearVerified(tx, 'acc_a'),
      await states.byEmail(tx, 'a@example.com'),
    ],
    keys: async (tx) => [
      await keys.insert(tx, key('one', 1)),
      await keys.insert(tx, key('two', 2)),
      await keys.insert(tx, { ...key('two', 2), id: 'key_3' }),
      await keys.expire(tx, 'key_one', 50),
      await keys.expire(tx, 'key_one', 90),
      await keys.revoke(tx, 'key_two', 7),
      await keys.revoke(tx, 'key_two', 8),
      await keys.all(tx),
      await keys.ofAccount(tx, 'a@example.com'),
      await keys.ofAccountId(tx, 'acc_a'),
      await keys.byId(tx, 'key_one'),
      await keys.byPublicId(tx, 'two'),
      await keys.findForVerification(tx, 'one'),
      await keys.findOwned(tx, 'acc_b', 'key_one'),
      await keys.findOwned(tx, 'acc_a', 'key_one'),
    ],
    sessions: async (tx) => {
      for (const [id, used] of [
        ['s1', 10],
        ['s2', 20],
        ['s3', 30],
        ['s4', 40],
      ] as const)
        await sessions.insert(tx, session(id, used));
      return [
        await sessions.byToken(tx, 'hash s2'),
        await sessions.touch(tx, 's1', 99),
        await sessions.ofAccount(tx, 'acc_a'),
        await sessions.delete(tx, 'acc_a', 's2'),
        await sessions.delete(tx, 'acc_b', 's1'),
        await sessions.prune(tx, 0, 30),
        await sessions.ofAccount(tx, 'acc_a'),
        await sessions.deleteOthers(tx, 'acc_a', 's1'),
        await sessions.ofAccount(tx, 'acc_a'),
      ];
    },
    'everything goes with the account': async (tx) => {
      await accounts.delete(tx, 'a@example.com');
      return [await accounts.all(tx), await keys.all(tx), await sessions.ofAccount(tx, 'acc_a')];
    },
  });
});

test('links, logins, passkeys, second factors and waiting accounts', { skip }, async () => {
  const [links, logins, passkeys, factors, pending] = [
    new OneTimeLinkStore(),
    new ExternalLoginStore(),
    new PasskeyStore(),
    new SecondFactorStore(),
    new PendingAccountStore(),
  ];
  const link = (hash: string, expires: number, payload: string | null = null) => ({
    token_hash: hash,
    purpose: 'reset' as const,
    account_id: payload === null ? 'acc_a' : null,
    payload,
    created_ts: 1,
    expires_ts: expires,
  });
  const login = {
    issuer: 'https://i',
    subject: 's',
    account_id: 'acc_a',
    email: 'x@i',
    created_ts: 1,
    last_used_ts: null,
  };
  const passkey = (id: string) => ({
    id,
    account_id: 'acc_a',
    name: 'n',
    public_key: 'k',
    sign_count: 4_000_000_000,
    transports: '[]',
    created_ts: 1,
    last_used_ts: null,
  });
  const waiting = (email: string, region: string, created: number) => ({
    email,
    password_hash: 'h',
    address: '::1',
    region,
    created_ts: created,
  });
  await compare({
    ...addAccounts,
    links: async (tx) => [
      await links.insert(tx, link('l1', 10)),
      await links.insert(tx, link('l1', 11)),
      await links.insert(tx, link('l2', 20, 'p')),
      await links.insert(tx, link('l3', 30, 'q')),
      await links.insert(tx, link('l4', 5)),
      await links.find(tx, 'l1', 'reset'),
      await links.find(tx, 'l1', 'verify'),
      await links.delete(tx, 'l1', 'reset'),
      await links.delete(tx, 'l1', 'reset'),
      await links.deleteWith(tx, 'p', 'reset'),
      await links.find(tx, 'l2', 'reset'),
      await links.deleteOf(tx, 'acc_a', 'reset'),
      await links.find(tx, 'l4', 'reset'),
      await links.prune(tx, 30),
      await links.find(tx, 'l3', 'reset'),
    ],
    logins: async (tx) => [
      await logins.insert(tx, login),
      await logins.touch(tx, 'https://i', 's', 8),
      await logins.find(tx, 'https://i', 's'),
      await logins.ofAccount(tx, 'acc_a'),
      await logins.delete(tx, 'https://i', 's'),
      await logins.ofAccount(tx, 'acc_a'),
    ],
    passkeys: async (tx) => [
      await passkeys.insert(tx, passkey('p1')),
      await passkeys.insert(tx, passkey('p1')),
      await passkeys.insert(tx, passkey('p2')),
      await passkeys.use(tx, 'p1', 4_000_000_001, 7),
      await passkeys.byId(tx, 'p1'),
      await passkeys.rename(tx, 'acc_a', 'p2', 'm'),
      await passkeys.rename(tx, 'acc_b', 'p2', 'm'),
      await passkeys.ofAccount(tx, 'acc_a'),
      await passkeys.delete(tx, 'acc_a', 'p1'),
      await passkeys.delete(tx, 'acc_b', 'p2'),
    ],
    'second factors': async (tx) => [
      await factors.set(tx, {
        account_id: 'acc_a',
        secret: 'x',
        confirmed_ts: null,
        last_step: 0,
        created_ts: 1,
      }),
      await factors.set(tx, {
        account_id: 'acc_a',
        secret: 'y',
        confirmed_ts: null,
        last_step: 0,
        created_ts: 2,
      }),
      await factors.confirm(tx, 'acc_a', 3),
      await factors.useStep(tx, 'acc_a', 5),
      await factors.useStep(tx, 'acc_a', 5),
      await factors.find(tx, 'acc_a'),
      await factors.setCodes(tx, 'acc_a', ['c1', 'c2']),
      await factors.useCode(tx, 'acc_a', 'c1', 4),
      await factors.useCode(tx, 'acc_a', 'c1', 4),
      await factors.codesLeft(tx, 'acc_a'),
      await factors.delete(tx, 'acc_a'),
      await factors.delete(tx, 'acc_a'),
      await factors.codesLeft(tx, 'acc_a'),
    ],
    'waiting accounts': async (tx) => {
      for (const [number, region] of ['r', 'r', 'r', 'q', 'r'].entries())
        await pending.insert(tx, waiting(`w${number}@example.com`, region, number));
      await pending.insert(tx, waiting('w0@example.com', 'other', 9));
      return [
        await pending.all(tx),
        await pending.trim(tx, 3),
        await pending.all(tx),
        await pending.delete(tx, 'w3@example.com'),
        await pending.delete(tx, 'none'),
        await pending.prune(tx, 1),
        await pending.all(tx),
        await pending.byEmail(tx, 'w1@example.com'),
      ];
    },
  });
});

test('OAuth clients, grants and tokens', { skip }, async () => {
  const oauth = new OAuthStore();
  const client = (id: string, region: string, created: number, metadata: object = {}) => ({
    id,
    metadata: JSON.stringify(metadata),
    origin: 'o',
    region,
    created_ts: created,
  });
  const item = (kind: string, id: string, expires: number, more: object = {}) => ({
    kind,
    id,
    grant_id: null,
    payload: `{"id":"${id}"}`,
    expires_ts: expires,
    origin: null,
    region: null,
    ...more,
  });
  const app = {
    redirectUris: JSON.stringify(['https://app.example/cb', 'http://127.0.0.1/é']),
    name: 'App “x”',
  };
  const metadata = { client_name: app.name, redirect_uris: JSON.parse(app.redirectUris) };
  const grant = { id: 'app_1', account_id: 'acc_a', client_id: 'known', payload: '{}' };
  const left = async (tx: Tx, names: string[], kind: string) => {
    const found: string[] = [];
    for (const name of names) if ((await oauth.item(tx, kind, name)) !== undefined) found.push(name);
    return found;
  };
  const clients = ['known', 'c1', 'c2', 'c3', 'q1'];
  const named = async (tx: Tx) => {
    const found: unknown[] = [];
    for (const id of clients) found.push([id, await oauth.client(tx, id)]);
    return found;
  };
  await compare({
    ...addAccounts,
    clients: async (tx) => {
      await oauth.insertClient(tx, client('known', 'r', 1, metadata));
      for (const [index, id] of ['c1', 'c2', 'c3'].entries())
        await oauth.insertClient(tx, client(id, 'r', 10 + index));
      await oauth.insertClient(tx, client('q1', 'q', 5));
      return [
        await oauth.isAuthorizedApp(tx, app),
        await oauth.markClientUsed(tx, 'known', 3),
        await oauth.isAuthorizedApp(tx, app),
        await oauth.isAuthorizedApp(tx, { ...app, name: '' }),
        await oauth.countRegistrations(tx, { origin: 'o', region: 'r' }, 4),
        await oauth.cleanup.trimUnusedClients(tx, 2, 0),
        await named(tx),
      ];
    },
    grants: async (tx) => [
      await oauth.setGrant(tx, grant, 20),
      await oauth.setGrant(tx, { ...grant, payload: '{"v":2}' }, 30),
      await oauth.grant(tx, 'app_1'),
      await oauth.describeGrant(tx, 'app_1', {
        name: 'App',
        uri: null,
        host: 'h',
        verified: 1,
        scopes: 'a b',
      }),
      await oauth.connectedApps(tx, 'acc_a', 1),
      await oauth.setItem(tx, item('AccessToken', 't1', 100, { grant_id: 'app_1' })),
      await oauth.token(tx, 't1'),
      await oauth.connectedApps(tx, 'acc_a', 1),
      await oauth.connectedApps(tx, 'acc_a', 100),
    ],
    items: async (tx) => [
      await oauth.setItem(tx, item('RefreshToken', 'r1', 100, { grant_id: 'app_1' })),
      await oauth.consume(tx, 'RefreshToken', 'r1', 5),
      await oauth.consume(tx, 'RefreshToken', 'r1', 6),
      await oauth.item(tx, 'RefreshToken', 'r1'),
      await oauth.setItem(tx, item('RefreshToken', 'r1', 200)),
      await oauth.item(tx, 'RefreshToken', 'r1'),
      await oauth.deleteItem(tx, 'RefreshToken', 'r1'),
      (await oauth.item(tx, 'RefreshToken', 'r1')) ?? null,
      await oauth.deleteItemsOf(tx, 'app_1', 'AccessToken'),
      (await oauth.token(tx, 't1')) ?? null,
    ],
    'waiting requests': async (tx) => {
      const from = { origin: 'o1', region: 'g1' };
      const names = Array.from({ length: 12 }, (_, index) => `i${index}`);
      // All end at the same time, so the order of insertion decides.
      for (const [index, name] of names.entries())
        await oauth.setItem(
          tx,
          item('Interaction', name, 1_000, {
            origin: index % 2 === 0 ? 'o1' : 'o2',
            region: index < 9 ? 'g1' : 'g2',
          }),
        );
      await oauth.cleanup.trimPending(tx, from, { own: 4, around: 7, all: 100 }, 10);
      const some = await left(tx, names, 'Interaction');
      await oauth.cleanup.trimPending(tx, from, { own: 4, around: 7, all: 3 }, 10);
      return [some, await left(tx, names, 'Interaction')];
    },
    settings: async (tx) => [
      await oauth.settings.add(tx, 'k', 'v'),
      await oauth.settings.add(tx, 'k', 'w'),
      await oauth.settings.read(tx, 'k'),
      await oauth.settings.read(tx, 'none'),
    ],
    prune: async (tx) => [
      await oauth.cleanup.pruneItems(tx, 50),
      await oauth.grant(tx, 'app_1'),
      await oauth.cleanup.pruneClients(tx, 12, 2),
      await named(tx),
      await oauth.deleteGrantOf(tx, 'acc_b', 'app_1'),
      await oauth.deleteGrant(tx, 'app_1'),
      await oauth.deleteGrantOf(tx, 'acc_a', 'app_1'),
    ],
  });
});

test('attempts, usage, limits of plans and the audit log', { skip }, async () => {
  const [attempts, usage, plans, exports, audit] = [
    new AttemptStore(),
    new UsageStore(),
    new PlanLimitStore(),
    new ExportPlanStore(),
    new AccountAuditLog(),
  ];
  const attempt = (subject: string, last: number) => ({
    subject,
    failed: 1,
    last_ts: last,
    next_allowed_ts: last,
  });
  const change = {
    plan: 'free' as const,
    effectiveTs: 1_795_000_000_000,
    window: 5,
    quota: 50,
    note: 'n',
    createdTs: 1,
  };
  const entry = {
    createdTs: 1,
    actor: 'account:a@example.com' as const,
    action: 'account.set-plan',
    subjectKind: 'account',
    subject: 'acc_a',
    recordId: null,
    details: { before: 'é' },
  };
  await compare({
    ...addAccounts,
    attempts: async (tx) => {
      for (let index = 0; index < 5; index += 1) await attempts.set(tx, attempt(`s${index}`, index));
      await attempts.set(tx, { ...attempt('s4', 4), failed: 9, next_allowed_ts: 1_795_000_000_000 });
      return [
        await attempts.trim(tx, 3),
        await attempts.get(tx, 's4'),
        (await attempts.get(tx, 's1')) ?? null,
        await attempts.prune(tx, 4, 4),
        (await attempts.get(tx, 's3')) ?? null,
        await attempts.delete(tx, 's4'),
        (await attempts.get(tx, 's4')) ?? null,
      ];
    },
    usage: async (tx) => [
      await usage.saveFormer(tx, { digest: 'd', month: '2026-10', used: 5 }),
      await usage.saveFormer(tx, { digest: 'd', month: '2026-10', used: 6 }),
      await usage.restoreFormer(tx, 'd', 'acc_a', '2026-10'),
      await usage.months(tx, 'acc_a', '2026-01'),
      await usage.saveFormer(tx, { digest: 'e', month: '2026-09', used: 5 }),
      await usage.pruneFormer(tx, '2026-10'),
      await usage.restoreFormer(tx, 'e', 'acc_b', '2026-10'),
      await usage.months(tx, 'acc_b', '2026-01'),
      await usage.days(tx, 'acc_a', '2026-01-01'),
      await usage.monthsByChannel(tx, 'acc_a', '2026-01'),
      await usage.pruneDays(tx, '2026-01-01'),
    ],
    plans: async (tx) => [
      await plans.version(tx),
      await plans.set(tx, change),
      await plans.set(tx, { ...change, window: 6 }),
      await plans.version(tx),
      await plans.all(tx),
      await plans.delete(tx, change),
      await plans.all(tx),
      await exports.plans(tx),
      await exports.set(tx, ['pro', 'free']),
      await exports.plans(tx),
    ],
    audit: async (tx) => {
      const [one, other] = [await audit.add(tx, entry), await audit.add(tx, entry)];
      // The numbers of a cluster begin above those of data files.
      const first = tx.dialect === 'postgres' ? 1_000_000_000 : 0;
      return [
        one - first,
        other - first,
        await audit.markUndone(tx, one, other),
        await audit.renameActor(tx, entry.actor, 'account:acc_a'),
        { ...(await audit.find(tx, one)), id: one - first, undoneBy: other - first },
        (await audit.find(tx, 99)) ?? null,
      ];
    },
  });
});
