/**
 * The MCP conformance suite (@modelcontextprotocol/conformance) against the running program: every `server` scenario of
 * 2026-07-28 and of 2025-11-25 is either run here, or named with the reason why it says nothing about this service.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server as HttpServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { feed, feedNow } from '../support/feed.ts';
import { importFeed, type Server, startServer, temporaryFolder } from '../support/program.ts';

const suite = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
);

// ------------------------------------------------------------------------------------------------ what can apply

const fixture = 'calls a tool of the suite’s own, which a service with tools of its own does not have';
const noPrompts = 'there are no prompts, and the capability is not declared';
const noResources = 'there are no resources, and the capability is not declared';
const noCompletion = 'there is nothing to complete: no prompts, no resource templates';
const noLogging = 'the service sends no log messages, and the capability is not declared';
const noInput = 'the tools never ask back (and the suite calls a tool of its own)';
const noSubscribe = 'there are no resources to subscribe to';

const reasons: Record<string, string> = {
  'tools-call-simple-text': fixture,
  'tools-call-image': fixture,
  'tools-call-audio': fixture,
  'tools-call-embedded-resource': fixture,
  'tools-call-mixed-content': fixture,
  'tools-call-with-logging': fixture,
  'tools-call-error': fixture,
  'tools-call-with-progress': fixture,
  'tools-call-sampling': fixture,
  'tools-call-elicitation': fixture,
  'json-schema-2020-12': fixture,
  'elicitation-sep1034-defaults': fixture,
  'elicitation-sep1330-enums': fixture,
  'http-custom-header-server-validation': 'no tool mirrors a parameter into a header (x-mcp-header)',
  'completion-complete': noCompletion,
  'logging-set-level': noLogging,
  'resources-list': noResources,
  'resources-read-text': noResources,
  'resources-read-binary': noResources,
  'resources-templates-read': noResources,
  'resources-subscribe': noSubscribe,
  'resources-unsubscribe': noSubscribe,
  'prompts-list': noPrompts,
  'prompts-get-simple': noPrompts,
  'prompts-get-with-args': noPrompts,
  'prompts-get-embedded-resource': noPrompts,
  'prompts-get-with-image': noPrompts,
  'input-required-result-basic-elicitation': noInput,
  'input-required-result-basic-sampling': noInput,
  'input-required-result-basic-list-roots': noInput,
  'input-required-result-request-state': noInput,
  'input-required-result-multiple-input-requests': noInput,
  'input-required-result-multi-round': noInput,
  'input-required-result-non-tool-request': noInput,
  'input-required-result-result-type': noInput,
  'input-required-result-tampered-state': noInput,
  'input-required-result-capability-check': noInput,
};

/** Checks of scenarios that are run, which cannot apply for the same reasons. The suite must say so itself. */
const exceptions: Record<string, Record<string, string>> = {
  'server-stateless': {
    'sep-2575-server-rejects-undeclared-capability': fixture,
    'sep-2575-missing-capability-http-400': fixture,
    'sep-2575-http-server-no-independent-requests-on-stream': fixture,
    'sep-2575-server-no-log-without-loglevel': fixture,
  },
  caching: {
    'sep-2549-prompts-list-caching-hints': noPrompts,
    'sep-2549-resources-list-caching-hints': noResources,
    'sep-2549-resources-templates-list-caching-hints': noResources,
  },
};
const untestable = /^Not testable: server does not list|-32601: Method not found/;

/** What is run, by revision. */
const run: Record<string, readonly string[]> = {
  '2026-07-28': [
    'server-stateless',
    'tools-list',
    'server-sse-multiple-streams',
    'sep-2164-resource-not-found',
    'dns-rebinding-protection',
    'caching',
    'http-header-validation',
    'input-required-result-missing-input-response',
    'input-required-result-unsupported-methods',
    'input-required-result-ignore-extra-params',
    'input-required-result-validate-input',
  ],
  '2025-11-25': [
    'server-initialize',
    'server-session-lifecycle',
    'ping',
    'tools-list',
    'server-sse-polling',
    'server-sse-multiple-streams',
    'dns-rebinding-protection',
  ],
};

// ------------------------------------------------------------------------------------------------ running it

type Check = { id: string; status: string; errorMessage?: string };

/** The suite's own command; resolves also where it fails, since its checks are judged here. */
function conformance(args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(process.execPath, [suite, ...args], { timeout: 60_000 }, (_failure, out, err) =>
      resolve(`${out}${err}`),
    );
  });
}

/** Passes everything on, with the credential added. Its own name becomes the server's; any other is left as it is. */
function makeProxy({ url, key }: Server): Promise<HttpServer> {
  const { host, hostname, port } = new URL(url);
  const proxy = createServer((incoming, outgoing) => {
    const own = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const headers = { ...incoming.headers, authorization: `Bearer ${key}` };
    if (headers.host === own) headers.host = host;
    const passed = request(
      { hostname, port, method: incoming.method, path: incoming.url, headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    passed.on('error', () => outgoing.destroy());
    incoming.pipe(passed);
  });
  return new Promise((resolve) => proxy.listen(0, '127.0.0.1', () => resolve(proxy)));
}

describe('conformance', () => {
  const folder = temporaryFolder();
  let server: Server;
  let proxy: HttpServer;
  let url: string;
  before(async () => {
    const dataFile = join(folder.path, 'conformance.db');
    importFeed(dataFile, feed);
    server = await startServer({ dataFile, now: feedNow, plan: 'pro' });
    proxy = await makeProxy(server);
    url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`;
  });
  after(async () => {
    proxy.closeAllConnections();
    proxy.close();
    await server.stop();
    folder.remove();
  });

  for (const [revision, scenarios] of Object.entries(run)) {
    it(`${revision}: every scenario is run or excused`, async () => {
      const listed = await conformance(['list', '--server', '--spec-version', revision]);
      const names = [...listed.matchAll(/^ {2}- (\S+)/gm)].map((match) => match[1] as string);
      assert.ok(names.length > 20, listed);
      const missing = names.filter((name) => !scenarios.includes(name) && !(name in reasons));
      assert.deepEqual(missing, []);
      assert.deepEqual(
        scenarios.filter((name) => !names.includes(name)),
        [],
        'scenarios that are not there',
      );
    });

    for (const scenario of scenarios) {
      it(`${revision}: ${scenario}`, async () => {
        const output = join(folder.path, `${revision}-${scenario}`);
        const args = ['--url', url, '--scenario', scenario, '--spec-version', revision, '-o', output];
        const said = await conformance(['server', ...args]);
        const [result] = readdirSync(output);
        const checks = JSON.parse(
          readFileSync(join(output, result as string, 'checks.json'), 'utf8'),
        ) as Check[];
        assert.ok(checks.length > 0, said);
        const excused = exceptions[scenario] ?? {};
        for (const { id, status, errorMessage } of checks) {
          if (id in excused) assert.match(errorMessage ?? '', untestable, id);
          else assert.notEqual(status, 'FAILURE', `${id}: ${errorMessage}\n${said}`);
        }
      });
    }
  }
});
