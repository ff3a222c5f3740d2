/** What is changed on one node of a cluster holds for the next request on another, and what happens without PostgreSQL. */
import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { plans } from '../../src/contract/plans.ts';
import { reasonToSkip } from '../support/executable.ts';
import { type Browser, csrfOf } from '../support/http-browser.ts';
import { Service } from '../support/oauth.ts';
import { PostgresServer, skipWithoutPostgres } from '../support/postgres.ts';
import type { Server } from '../support/program.ts';
import { FaultCluster, get, kill, type Node } from './cluster-nodes.ts';
import { folder, report, tries } from './fault-table.ts';

const file = 'test/faults/cluster-changes.test.ts';
const cwd = folder();
const email = 'ada@example.com';
const password = 'correct horse battery staple';
const dashboard = '/account/developer';

type Listed = { connected_apps: { id: string; name: string }[]; keys: { id: string; name: string }[] };

let server: PostgresServer;
let cluster: FaultCluster;
let one: Node;
let two: Node;
let pages: Service;
const agent = new Agent({ keepAlive: true });
/** The status of a list, for a key, on the second node. */
const ask = (key: string | null, path = '/api/v1/events') => get(agent, two.url + path, key);

describe('changes in a cluster', { skip: reasonToSkip() || skipWithoutPostgres }, () => {
  before(async () => {
    server = new PostgresServer();
    await server.start();
    cluster = await FaultCluster.create(server, cwd);
    one = await cluster.startNode('one');
    // All nodes have the address of the service; here, it is that of the first.
    two = await cluster.startNode('two', cluster.address, ['--base-url', one.url]);
    await cluster.command('accounts', 'create', email);
    await cluster.commandWith(`${password}\n`, 'accounts', 'set-password', email);
    pages = new Service({ url: one.url } as Server);
  });
  after(async () => {
    agent.destroy();
    await kill(...[one, two].filter((node) => node !== undefined));
    await server?.remove();
  });

  test('a key revoked or a plan changed on one node holds on the other', async () => {
    const browser = await signIn();
    for (let attempt = 0; attempt < tries; attempt += 1) {
      const name = `key ${attempt}`;
      const { key, id } = await cluster.command<{ key: string; id: string }>(
        ...['keys', 'create', email, '--name', name],
      );
      for (const plan of ['pro', 'free'] as const) {
        await cluster.command('accounts', 'set-plan', email, plan);
        const { status, headers } = await ask(key);
        assert.deepEqual([status, headers['x-quota-limit']], [200, String(plans[plan].quota)]);
      }
      const path = `${dashboard}/keys/${id}/revoke`;
      await submit(browser, path);
      assert.equal((await ask(key)).status, 401);
    }
    const outcome = 'the next request on another node has the quota of the new plan, and 401 for the key';
    report({ fault: 'key revoked, plan changed on one node', tried: tries, outcome, test: file });
  });

  test('an app disconnected on one node is refused on the other', async () => {
    const browser = await signIn();
    for (let attempt = 0; attempt < tries; attempt += 1) {
      const name = `App ${attempt}`;
      const { access_token: token, refresh_token: refresh } = await pages.connect(browser, {
        client_name: name,
      });
      assert.equal(await callMcp(token), 200);
      const { connected_apps: apps } = await cluster.command<Listed>('accounts', 'show', email);
      const { id } = apps.find((app) => app.name === name) as { id: string };
      await submit(browser, `${dashboard}/apps/${id}/disconnect`);
      assert.equal(await callMcp(token), 401);
      assert.notEqual(refresh, undefined);
    }
    const outcome = 'the next call with its token on another node gets 401';
    report({ fault: 'OAuth grant ended on one node', tried: tries, outcome, test: file });
  });

  test('a session ended or a password changed on one node holds on the other', async () => {
    let current = password;
    for (let attempt = 0; attempt < tries; attempt += 1) {
      const [first, second] = [await signIn(current), await signIn(current)];
      for (const browser of [first, second]) assert.ok(await isSignedInOnTwo(browser));
      const cookie = first.jar.header(dashboard);
      await submit(first, '/account/sign-out', {}, dashboard);
      assert.ok(!(await isSignedInOnTwo(cookie)), 'signed out');
      const third = await signIn(current);
      const next = `${password} ${attempt}`;
      const fields = { password: current, new_password: next };
      await submit(third, '/account/security/password', fields, '/account/security');
      assert.ok(!(await isSignedInOnTwo(second)), 'another browser');
      assert.equal((await trySignInOnTwo(current)).status, 401);
      current = next;
    }
    const outcome =
      'the next page on another node asks to sign in, in every other browser; the old password is refused';
    report({ fault: 'session ended, password changed on one node', tried: tries, outcome, test: file });
  });

  test('without PostgreSQL, keys get 503 at once and pages go on; all are back within a second', async () => {
    const { key } = await cluster.command<{ key: string }>('keys', 'create', email, '--name', 'away');
    let [slowestMs, slowestPageMs, slowestBackMs, asked] = [0, 0, 0, 0];
    for (let attempt = 0; attempt < tries; attempt += 1) {
      assert.equal((await ask(key)).status, 200);
      await server.crash();
      for (let request = 0; request < 2; request += 1) {
        const since = performance.now();
        const refused = await ask(key);
        slowestMs = Math.max(slowestMs, performance.now() - since);
        assert.equal(refused.status, 503);
        assert.match(refused.text, /unavailable/);
        assert.ok(Number(refused.headers['retry-after']) >= 1);
        for (const path of ['/', '/docs', '/openapi.json', '/healthz', '/readyz']) {
          asked += 1;
          const before = performance.now();
          assert.equal((await ask(null, path)).status, 200, path);
          slowestPageMs = Math.max(slowestPageMs, performance.now() - before);
        }
      }
      await server.start();
      const since = performance.now();
      while ((await ask(key)).status !== 200) await sleep(20);
      slowestBackMs = Math.max(slowestBackMs, performance.now() - since);
    }
    assert.ok(slowestPageMs < 1_000, `a page took ${slowestPageMs} ms`);
    const outcome = `503 after ${Math.round(slowestMs)} ms at most; ${asked} of ${asked} pages 200, after ${Math.round(slowestPageMs)} ms at most; back ${Math.round(slowestBackMs)} ms after PostgreSQL`;
    report({ fault: 'PostgreSQL away', tried: tries, outcome, test: file });
  });
});

async function signIn(given = password): Promise<Browser> {
  const browser = pages.person();
  const seen = await browser.signIn(email, await browser.walk('/account/sign-in'), given);
  assert.equal(seen.status, 200, seen.text);
  assert.ok(await isSignedInOnTwo(browser), 'signed in');
  return browser;
}

/** Opens a page on the first node, and sends its form to `path`. */
async function submit(
  browser: Browser,
  path: string,
  fields: Record<string, string> = {},
  page = path,
): Promise<void> {
  const { status, text } = await browser.ask(path, { csrf: csrfOf(await browser.walk(page)), ...fields });
  assert.equal(status, 303, text);
}

async function isSignedInOnTwo(browser: Browser | Record<string, string>): Promise<boolean> {
  const cookies = 'jar' in browser ? (browser as Browser).jar.header(dashboard) : browser;
  const { status } = await fetch(two.url + dashboard, { headers: { ...cookies }, redirect: 'manual' });
  return status === 200;
}

function trySignInOnTwo(given: string) {
  const person = new Service({ url: two.url } as Server).person({ origin: one.url });
  return person.walk('/account/sign-in').then((page) => person.signIn(email, page, given));
}

async function callMcp(token: string): Promise<number> {
  return (await new Service({ url: two.url } as Server).call(token)).status;
}
