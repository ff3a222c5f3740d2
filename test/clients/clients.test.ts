/**
 * The generated clients against a running service: all pages of a list, details, errors, `Retry-After` and entity tags.
 * A proxy in front of the service refuses the first request of each client, and counts.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server as HttpServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { outdatedFiles } from '../../clients/generate/main.ts';
import { Cratebase, CratebaseError } from '../../clients/typescript/index.ts';
import { bodySchemas } from '../../src/contract/openapi.ts';
import { type OperationId, operationIds } from '../../src/contract/operations.ts';
import type { Entry } from '../support/expect.ts';
import { feed, feedNow } from '../support/feed.ts';
import { importFeed, type Server, startServer, temporaryFolder } from '../support/program.ts';
import { walk } from '../support/rest-client.ts';

/** What each client reports of the same calls. */
type Report = {
  names: string[];
  edition: string;
  hits: number;
  error: string;
  wait: number;
  refused: string[];
};

const clients = fileURLToPath(new URL('../../clients/', import.meta.url));
const folder = temporaryFolder();
let server: Server;
let proxy: HttpServer;
let address: string;
let statuses: number[] = [];
/** The longest wait of the test that a client is asked for, in seconds. */
const longWait = 86_400;

before(async () => {
  const dataFile = join(folder.path, 'catalogue.db');
  importFeed(dataFile, feed);
  server = await startServer({ dataFile, now: feedNow, window: 1_000_000, quota: 1_000_000 });
  proxy = createServer((request, response) => {
    const refuse = (status: number, seconds: number, type: string) => {
      statuses.push(status);
      response.writeHead(status, { 'retry-after': String(seconds), 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { type, message: 'Wait.', param: null, request_id: 'r1' } }));
    };
    if (statuses.length === 0) return refuse(503, 1, 'unavailable');
    if (request.url?.includes('used-up')) return refuse(429, longWait, 'quota_exceeded');
    const { hostname, port } = new URL(server.url);
    const { host: _, ...headers } = request.headers;
    const onward = httpRequest({ hostname, port, path: request.url, headers }, (answer) => {
      statuses.push(answer.statusCode as number);
      response.writeHead(answer.statusCode as number, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
});
beforeEach(() => {
  statuses = [];
});
after(async () => {
  proxy?.closeAllConnections();
  proxy?.close();
  await server?.stop();
  folder.remove();
});

/** Asserts what a client read, and how it asked. */
async function assertReport(report: Report): Promise<void> {
  const events: Entry[] = await walk(server, 'listEvents', '/events');
  assert.deepEqual(
    report.names,
    [...events, ...events].map(({ name }) => name),
  );
  assert.ok(events.length > 100, 'more than two pages');
  assert.equal(report.edition, 'Dekmantel 2026');
  assert.ok(report.hits > 0);
  assert.equal(report.error, 'not_found 404');
  const refused = 'invalid_parameter 0';
  assert.deepEqual(
    report.refused,
    [refused, refused, refused],
    'no request asks for a list in place of a record',
  );
  assert.equal(report.wait, longWait, 'a wait of a day is thrown, not waited for');
  const pages = Math.ceil(events.length / 50);
  const count = (status: number) => statuses.filter((one) => one === status).length;
  assert.equal(count(503), 1);
  assert.equal(count(304), pages, 'the second walk is answered from the cache');
  assert.equal(count(200), pages + 2);
  assert.equal(count(429), 1);
}

/** Runs a program and returns the report that it prints. */
function runProgram(command: string, args: readonly string[], cwd: string, env = {}): Promise<Report> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...args, `${address}/api/v1`, server.key], {
      cwd,
      env: { ...process.env, ...env },
    });
    let [out, err] = ['', ''];
    child.stdout.on('data', (piece) => {
      out += piece;
    });
    child.stderr.on('data', (piece) => {
      err += piece;
    });
    child.once('error', reject);
    child.once('close', (status) =>
      status === 0 ? resolve(JSON.parse(out)) : reject(new Error(`${command} ended with ${status}: ${err}`)),
    );
  });
}

const isMissing = (command: string): string | false =>
  spawnSync(command, ['--version']).error === undefined || spawnSync(command, ['version']).error === undefined
    ? false
    : `${command} is not installed`;

/** The lines `name: value` of a block of a .bru file. */
function linesOf(text: string, block: string): Map<string, string> {
  const [, body = ''] = text.split(`${block} {\n`);
  const lines = (body.split('\n}')[0] ?? '').split('\n').map((line) => line.trim().split(': '));
  return new Map(lines.map(([name = '', value = '']) => [name, value]));
}

const python = `
import json, sys
from cratebase import Cratebase, CratebaseError
client = Cratebase(sys.argv[1], sys.argv[2])
names = [event["name"] for _ in range(2) for event in client.list_events(limit=50)]
error, wait = "", 0
try:
    client.get_event("no such event")
except CratebaseError as failure:
    error = f"{failure.type} {failure.status}"
try:
    client.get_artist("used-up")
except CratebaseError as failure:
    wait = failure.retry_after
refused = []
for call in (
    lambda: client.get_event(""),
    lambda: client.get_event(".."),
    lambda: list(client.list_event_lineup("")),
):
    try:
        call()
    except CratebaseError as failure:
        refused.append(f"{failure.type} {failure.status}")
edition = client.get_festival_edition("dekmantel", "2026")["name"]
hits = len(list(client.search("ben")))
print(json.dumps({"names": names, "edition": edition, "hits": hits, "error": error, "wait": wait, "refused": refused}))
`;

const go = `package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"cratebase.example/cratebase"
)

func main() {
	ctx := context.Background()
	client := cratebase.New(os.Args[1], os.Args[2], cratebase.Options{})
	report := map[string]any{}
	names := []string{}
	for walk := 0; walk < 2; walk++ {
		events := client.ListEvents(ctx, cratebase.ListEventsParams{Limit: 50})
		for events.Next() {
			names = append(names, events.Value().Name)
		}
		check(events.Err())
	}
	report["names"] = names
	var problem *cratebase.Error
	if _, err := client.GetEvent(ctx, "no such event"); errors.As(err, &problem) {
		report["error"] = fmt.Sprintf("%s %d", problem.Type, problem.Status)
	}
	if _, err := client.GetArtist(ctx, "used-up"); errors.As(err, &problem) {
		report["wait"] = problem.RetryAfter.Seconds()
	}
	refused := []string{}
	for _, slug := range []string{"", ".."} {
		if _, err := client.GetEvent(ctx, slug); errors.As(err, &problem) {
			refused = append(refused, fmt.Sprintf("%s %d", problem.Type, problem.Status))
		}
	}
	lineup := client.ListEventLineup(ctx, "", cratebase.ListEventLineupParams{})
	if !lineup.Next() && errors.As(lineup.Err(), &problem) {
		refused = append(refused, fmt.Sprintf("%s %d", problem.Type, problem.Status))
	}
	report["refused"] = refused
	edition, err := client.GetFestivalEdition(ctx, "dekmantel", "2026")
	check(err)
	report["edition"] = edition.Name
	hits := client.Search(ctx, cratebase.SearchParams{Q: "ben"})
	count := 0
	for hits.Next() {
		count++
	}
	check(hits.Err())
	report["hits"] = count
	check(json.NewEncoder(os.Stdout).Encode(report))
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
`;

describe('clients', () => {
  it('are what the document gives', () => {
    assert.deepEqual(outdatedFiles(), [], 'run npm run clients');
  });

  it('Bruno: every request is answered over the starter catalogue', async () => {
    const dataFile = join(folder.path, 'starter.db');
    const starter = await startServer({ dataFile, now: feedNow });
    const bruno = join(clients, 'bruno');
    try {
      const files = (readdirSync(bruno, { recursive: true }) as string[]).filter((path) =>
        /^[A-Z].*\.bru$/.test(path),
      );
      assert.equal(files.length, operationIds.length);
      for (const file of files) {
        const text = readFileSync(join(bruno, file), 'utf8');
        const url = /^ {2}url: \{\{baseUrl\}\}(.*)$/m.exec(text)?.[1] ?? '';
        const values = linesOf(text, 'params:path');
        const path = url.replace(/:(\w+)/g, (_, name) => encodeURIComponent(values.get(name) ?? ''));
        const answer = await starter.get(path);
        assert.equal(answer.status, 200, `${file}: ${path} ${answer.text.slice(0, 200)}`);
        const id = basename(file, '.bru') as OperationId;
        assert.ok(bodySchemas[id].safeParse(answer.json()).success, file);
      }
    } finally {
      await starter.stop();
    }
  });

  it('TypeScript', async () => {
    const client = new Cratebase({ baseUrl: `${address}/api/v1/`, key: server.key });
    const names: string[] = [];
    for (let walks = 0; walks < 2; walks++)
      for await (const { name } of client.listEvents({ limit: 50 })) names.push(name);
    const thrown = async (call: () => Promise<unknown>): Promise<CratebaseError> => {
      const failure = await call().catch((reason) => reason);
      assert.ok(failure instanceof CratebaseError);
      return failure;
    };
    const missing = await thrown(() => client.getEvent('no such event'));
    const usedUp = await thrown(() => client.getArtist('used-up'));
    const refused = await Promise.all([
      thrown(() => client.getEvent('')),
      thrown(() => client.getEvent('..')),
      thrown(() => client.listEventLineup('').page()),
    ]);
    const { name } = await client.getFestivalEdition('dekmantel', '2026');
    let hits = 0;
    for await (const _ of client.search({ q: 'ben' })) hits++;
    await assertReport({
      names,
      edition: name,
      hits,
      error: `${missing.type} ${missing.status}`,
      wait: usedUp.retryAfter ?? 0,
      refused: refused.map(({ type, status }) => `${type} ${status}`),
    });
  });

  it('Python', { skip: isMissing('python3') }, async () => {
    const program = join(folder.path, 'walk.py');
    writeFileSync(program, python);
    const env = { PYTHONPATH: join(clients, 'python'), PYTHONDONTWRITEBYTECODE: '1' };
    await assertReport(await runProgram('python3', [program], folder.path, env));
  });

  it('Go', { skip: isMissing('go') }, async () => {
    const program = join(folder.path, 'walk');
    mkdirSync(program);
    writeFileSync(join(program, 'main.go'), go);
    const module = join(clients, 'go');
    const replaced = `module walk\n\ngo 1.19\n\nrequire cratebase.example/cratebase v0.0.0\n\nreplace cratebase.example/cratebase => ${module}\n`;
    writeFileSync(join(program, 'go.mod'), replaced);
    const env = { GOFLAGS: '-mod=mod', GOPROXY: 'off', GOTOOLCHAIN: 'local' };
    const built = spawnSync('go', ['build', '-o', 'walk', '.'], {
      cwd: program,
      env: { ...process.env, ...env },
      encoding: 'utf8',
    });
    assert.equal(built.status, 0, built.stderr);
    await assertReport(await runProgram(join(program, 'walk'), [], program));
    assert.equal(spawnSync('gofmt', ['-l', '.'], { cwd: module, encoding: 'utf8' }).stdout, '');
    assert.equal(spawnSync('go', ['vet', './...'], { cwd: module, encoding: 'utf8' }).status, 0);
  });
});
