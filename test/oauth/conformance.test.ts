/**
 * The MCP conformance suite's scenarios for authorization servers, against the running program: for both revisions each
 * is run, and none is excused.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Browser } from '../support/http-browser.ts';
import { openStage, type Stage } from '../support/oauth.ts';

const suite = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
);
const revisions = ['2026-07-28', '2025-11-25'];
const scenarios = ['authorization-server-metadata-endpoint', 'authorization-code-grant'];

/** The suite's own command. `onText` hears what it says as it says it. */
function conformance(args: readonly string[], onText: (text: string) => void = () => {}): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [suite, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (piece) => {
        said += piece;
        onText(said);
      });
    }
    child.once('close', () => resolve(said));
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}

describe('conformance of the authorization server', () => {
  let stage: Stage;
  let person: Browser;
  before(async () => {
    stage = await openStage();
    person = await stage.service.member('conformance@example.com');
  });
  after(() => stage.close());

  /** Runs all (the second takes over what the first found); the address that it names the person opens, and says yes. */
  async function run(revision: string, client: readonly string[]): Promise<void> {
    const output = mkdtempSync(join(tmpdir(), 'cratebase-test-'));
    const port = await freePort();
    let opened: Promise<unknown> | undefined;
    const said = await conformance(
      [
        'authorization',
        ...['--url', stage.service.url, '--spec-version', revision],
        ...['--resource', stage.service.resource, '--port', String(port), '-o', output],
        ...client,
      ],
      (text) => {
        const address = /^\S*\/oauth\/authorize\?\S+$/m.exec(text)?.[0];
        if (address === undefined || !text.includes(`${address}\n`)) return;
        opened ??= person.decide(address).then((back) => fetch(back));
      },
    );
    await opened;
    const results = readdirSync(output, { recursive: true }) as string[];
    const checks = results
      .filter((path) => path.endsWith('checks.json'))
      .flatMap(
        (path) =>
          JSON.parse(readFileSync(join(output, path), 'utf8')) as {
            id: string;
            status: string;
            errorMessage?: string;
          }[],
      );
    assert.ok(checks.length > 0, said);
    for (const { id, status, errorMessage } of checks) {
      assert.ok(['SUCCESS', 'INFO'].includes(status), `${id}: ${status} ${errorMessage}\n${said}`);
    }
    const ids = checks.map(({ id }) => id);
    for (const id of ['authorization-server-metadata', 'authorization-code-grant'])
      assert.ok(ids.includes(id), said);
  }

  for (const revision of revisions) {
    it(`${revision}: every scenario is run`, async () => {
      const listed = await conformance(['list', '--authorization', '--spec-version', revision]);
      const names = [...listed.matchAll(/^ {2}- (\S+)/gm)].map((match) => match[1] as string);
      assert.deepEqual(names.sort(), [...scenarios].sort());
    });

    // Where a server lets clients in without a secret, the suite never shows one: oauth-clients.test.ts has those.
    it(`${revision}: metadata and code grant`, async () => {
      const client = await stage.service.register({
        client_name: 'Conformance',
        redirect_uris: ['http://127.0.0.1/callback'],
      });
      await run(revision, ['--client-id', client.client_id]);
    });
  }
});
