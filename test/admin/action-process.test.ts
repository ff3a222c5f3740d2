/** Actions of the console in their own process: results, refusals, crashes, order and limits. */
import assert from 'node:assert/strict';
import diagnostics from 'node:diagnostics_channel';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import { runAction } from '../../src/actions.ts';
import { openApp } from '../../src/app.ts';
import { createActionProcesses } from '../../src/cli/serve/action-process.ts';
import { readJsonLines } from '../../src/cli/serve/json-lines.ts';
import type { ActionCaller } from '../../src/contract/action-runner.ts';
import { Failure } from '../../src/failure.ts';
import { folder, program } from '../support/cli-run.ts';
import { importFeed } from '../support/program.ts';

const data = join(folder(), 'test.db');
const city = (name: string) => ({ kind: 'city', external_id: name, name, country: 'DE' });
const venue = (id: string, name: string) => ({
  kind: 'venue',
  external_id: id,
  name,
  city: 'Berlin',
  country: 'DE',
});
importFeed(data, [city('Berlin'), venue('v1', 'Club One'), venue('v2', 'Der zweite Raum')]);

const log: unknown[][] = [];
const options = {
  config: { data, baseUrl: null, fetchAllow: [] },
  log: (...parts: unknown[]) => void log.push(parts),
};
const processes = createActionProcesses({
  ...options,
  program: { command: process.execPath, args: [program] },
});
after(() => processes.stop());

const editor: ActionCaller = { actor: 'account:ada@example.com', role: 'editor' };
const user: ActionCaller = { actor: 'account:eve@example.com', role: 'user' };

test('an action returns its result; of two people who merge at once, one gets a clear refusal', async () => {
  const input = { a: 'venue/club-one', b: 'venue/der-zweite-raum' };
  const other: ActionCaller = { actor: 'account:bob@example.com', role: 'editor' };
  const [first, second] = await Promise.allSettled([
    processes.run<{ record: { slug: string } }>('record.merge', input, editor),
    processes.run('record.merge', input, other),
  ]);
  assert.equal(first.status, 'fulfilled');
  assert.equal(first.status === 'fulfilled' && first.value.record.slug, 'club-one');
  assert.equal(second.status, 'rejected');
  const { reason } = second as PromiseRejectedResult;
  assert.ok(reason instanceof Failure);
  assert.match(reason.message, /^Both name the same record, venue\/club-one\./);
});

test('input, role and name are checked', async () => {
  const refused: [string, unknown, ActionCaller, RegExp][] = [
    ['record.explain', { record: 'venue/nothing' }, editor, /venue\/nothing/],
    ['record.explain', {}, editor, /^record: /],
    ['record.explain', { record: 'venue/club-one' }, user, /^record.explain requires the role editor\.$/],
    ['record.nothing', {}, editor, /^There is no action record.nothing\.$/],
    ['toString', {}, editor, /^There is no action toString\.$/],
    ['source.add', { name: 'a', type: 'feed', url: '/etc/passwd' }, editor, /begins with https:/],
    ['source.add', { name: 'a', type: 'feed', url: 'file:///etc/passwd' }, editor, /begins with https:/],
    // A key of the operator would go to a host of the editor's choice.
    [
      'source.add',
      { name: 'a', type: 'ticketmaster', url: 'https://thief.example/' },
      editor,
      /carry the key/,
    ],
    [
      'source.preview',
      { name: '', type: 'ticketmaster', url: 'http://app.ticketmaster.com/' },
      editor,
      /carry the key/,
    ],
    [
      'source.preview',
      { name: '', type: 'ticketmaster', url: 'https://thief.example/' },
      editor,
      /carry the key/,
    ],
  ];
  for (const [action, input, caller, message] of refused) {
    await assert.rejects(
      async () => processes.run(action, input, caller),
      (failure: unknown) => failure instanceof Failure && message.test(failure.message),
    );
  }
});

test('a source is added, listed and removed', async () => {
  const input = { name: 'club', type: 'ical', url: 'https://club.example/events.ics', every: '6h' };
  const { added } = await processes.run<{ added: { name: string; every: string } }>(
    'source.add',
    input,
    editor,
  );
  assert.equal(added.name, 'club');
  await assert.rejects(processes.run('source.add', input, editor), /There is a source club already/);
  const list = await processes.run<{ name: string }[]>('source.list', {}, editor);
  assert.ok(list.some(({ name }) => name === 'club'));
  const removed = await processes.run('source.remove', { name: 'club', withdraw: false }, editor);
  assert.deepEqual(removed, { name: 'club', records: 0, withdrawn: 0 });
});

test('a process that dies is one clear message, and the next action starts another one', async () => {
  const crashing = createActionProcesses({
    ...options,
    program: { command: '/bin/sh', args: ['-c', 'read line; echo "out of luck" >&2; kill -9 $$'] },
  });
  after(() => crashing.stop());
  for (const _ of [1, 2])
    await assert.rejects(crashing.run('source.list', {}, editor), /^Failure: |This ended unexpectedly/);
  assert.match(JSON.stringify(log), /the action process ended.*SIGKILL.*source\.list.*out of luck/);
});

test('a process that died while it was idle leaves no timer that ends the next one', {
  timeout: 30_000,
}, async (t) => {
  const lines: unknown[][] = [];
  const directory = folder();
  // The first process ends after its reply; the second one replies when there is a file.
  const script = `read line; if mkdir ${directory}/first; then echo '{"type":"done","id":1,"result":"first"}'; exit 3; fi
    touch ${directory}/second; until [ -e ${directory}/reply ]; do sleep 0.01; done
    echo '{"type":"done","id":2,"result":"second"}'; read line`;
  const mortal = createActionProcesses({
    ...options,
    log: (...parts: unknown[]) => void lines.push(parts),
    program: { command: '/bin/sh', args: ['-c', script] },
  });
  after(() => mortal.stop());
  t.mock.timers.enable({ apis: ['setTimeout'] });
  assert.equal(await mortal.run('source.list', {}, editor), 'first');
  while (lines.length === 0) await new Promise(setImmediate);
  t.mock.timers.tick(50_000);
  const second = mortal.run('source.list', {}, editor);
  while (!existsSync(join(directory, 'second'))) await new Promise(setImmediate);
  t.mock.timers.tick(15_000);
  writeFileSync(join(directory, 'reply'), '');
  assert.equal(await second, 'second');
});

test('a person may have ten actions waiting; others are served in turn', async () => {
  const order: string[] = [];
  const run = (name: string, caller: ActionCaller) =>
    processes.run('record.explain', { record: 'venue/club-one' }, caller).then(() => order.push(name));
  const bob: ActionCaller = { actor: 'account:bob@example.com', role: 'editor' };
  const runs = Array.from({ length: 11 }, () => run('ada', editor));
  await assert.rejects(run('ada', editor), /Too many actions wait/);
  runs.push(run('bob', bob));
  await Promise.all(runs);
  assert.equal(order.length, 12);
  assert.ok(order.indexOf('bob') <= 2, order.join());
});

const separators = '\u2028\u2029\u0085';

test('line and paragraph separators in a request and a reply do not stop the lane', async () => {
  const name = `Separator ${separators} Hall`;
  const found = await processes.run<{ hits: unknown[] }>('record.search', { query: name }, editor);
  assert.ok(Array.isArray(found.hits));
  const fields = { name, city: 'Berlin', country: 'DE' };
  const changes = Object.entries(fields).map(([field, value]) => ({ field, operation: 'set', value }));
  const added = await processes.run<unknown>('record.add', { kind: 'venue', changes }, editor);
  assert.match(JSON.stringify(added), /Separator/);
  await assert.rejects(
    processes.run('record.explain', { record: `venue/${separators}` }, editor),
    (failure: unknown) => failure instanceof Failure && failure.message.includes('\u2028'),
  );
  await processes.run('record.explain', { record: 'venue/club-one' }, editor);
});

test('an unreadable reply ends the process, and the next action starts another one', async () => {
  const script = 'read line; echo "{\\"id\\":1,"; exec sleep 60';
  const unclear = createActionProcesses({
    ...options,
    program: { command: '/bin/sh', args: ['-c', script] },
  });
  after(() => unclear.stop());
  for (const _ of [1, 2])
    await assert.rejects(unclear.run('source.list', {}, editor), /This ended unexpectedly/);
  assert.match(JSON.stringify(log), /the action process ended.*SIGKILL.*JSON/);
});

test('only "\\n" ends a line; a line is read across chunks, and its length is bounded', async () => {
  const bytes = Buffer.from(`${JSON.stringify({ text: `a${separators}é` })}\n{"text":"b"}\n{"text":"cut`);
  const read = async (maxBytes?: number) => {
    const messages: { text: string }[] = [];
    const single = Readable.from(Array.from(bytes, (_, index) => bytes.subarray(index, index + 1)));
    for await (const message of readJsonLines<{ text: string }>(single, maxBytes)) messages.push(message);
    return messages.map(({ text }) => text);
  };
  assert.deepEqual(await read(), [`a${separators}é`, 'b']);
  await assert.rejects(read(10), /longer than 10 bytes/);
});

test('a slow preview holds up no other action, and ends after 20 s with its detection', async () => {
  let requests = 0;
  // The first request is slow; those for the calendar that it leads to are never answered.
  const server = createServer((request, response) => {
    if (request.url === '/empty') return void response.end();
    requests += 1;
    if (requests === 1)
      setTimeout(() => response.end('<html><a href="/events.ics">Subscribe</a></html>'), 5_000);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  const own = createActionProcesses({
    ...options,
    config: { ...options.config, fetchAllow: ['127.0.0.1'] },
    program: { command: process.execPath, args: [program] },
  });
  after(() => own.stop());
  const address = `http://127.0.0.1:${port}`;
  // Its process starts here: on a busy machine, the start takes seconds of the limit.
  await own.run('source.preview', { url: `${address}/empty`, type: '', name: '' }, editor).catch(() => {});
  const input = { url: `${address}/`, type: '', name: '' };
  const slow = own.run('source.preview', input, editor);
  let isSettled = false;
  slow.catch(() => {}).finally(() => (isSettled = true));
  await own.run('record.explain', { record: 'venue/club-one' }, editor);
  assert.equal(isSettled, false);
  await assert.rejects(
    slow,
    (failure: unknown) => failure instanceof Failure && !/takes longer than usual/.test(failure.message),
  );
  assert.ok(requests >= 2);
});

test('a read and a preview that are too busy to end are killed, and those that wait go on', async (t) => {
  const lines: unknown[][] = [];
  const directory = folder();
  // The first process of a lane hears no signal; the second one replies.
  const script = `read line; case $line in *preview*) name=preview ;; *) name=list ;; esac
    trap '' TERM; if mkdir ${directory}/$name; then exec sleep 600; fi
    echo '{"type":"done","id":2,"result":"done"}'; read line`;
  const busy = createActionProcesses({
    ...options,
    log: (...parts: unknown[]) => void lines.push(parts),
    program: { command: '/bin/sh', args: ['-c', script] },
  });
  after(() => busy.stop());
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const actions: [string, object][] = [
    ['source.list', {}],
    ['source.preview', { url: 'https://club.example/', type: '', name: '' }],
  ];
  for (const [action, input] of actions) {
    const first = busy.run(action, input, editor);
    first.catch(() => {});
    const started = join(directory, action.slice('source.'.length));
    while (!existsSync(started)) await new Promise(setImmediate);
    t.mock.timers.tick(10_000);
    const second = busy.run(action, input, editor);
    t.mock.timers.tick(15_000);
    await assert.rejects(first, /Nothing was changed\. Try again/);
    assert.equal(await second, 'done');
  }
  assert.equal(lines.filter((line) => /SIGKILL/.test(JSON.stringify(line))).length, 2);
});

test('a preview that never ends or kills its process fails no preview of another person', {
  timeout: 30_000,
}, async (t) => {
  const directory = folder();
  // Some addresses keep the process busy, or kill it.
  const script = `while read line; do
    id=\${line#*:}; id=\${id%%,*}
    case $line in
      *hang.example*) touch ${directory}/hangs; exec sleep 600 ;;
      *crash.example*) kill -9 $$ ;;
      *) echo "{\\"type\\":\\"done\\",\\"id\\":$id,\\"result\\":\\"read\\"}" ;;
    esac
  done`;
  const lanes = createActionProcesses({
    ...options,
    program: { command: '/bin/sh', args: ['-c', script] },
  });
  after(() => lanes.stop());
  const preview = (host: string, caller: ActionCaller) =>
    lanes.run('source.preview', { url: `https://${host}.example/`, type: '', name: '' }, caller);
  const bob: ActionCaller = { actor: 'account:bob@example.com', role: 'editor' };
  const eve: ActionCaller = { actor: 'account:eve@example.com', role: 'editor' };
  const mallory: ActionCaller = { actor: 'account:mallory@example.com', role: 'editor' };
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const hang = assert.rejects(preview('hang', editor), /Nothing was changed/);
  while (!existsSync(join(directory, 'hangs'))) await new Promise(setImmediate);
  const crash = assert.rejects(preview('crash', mallory), /This ended unexpectedly/);
  const others = [preview('club', bob), preview('club', eve), preview('bar', bob)];
  assert.deepEqual(await Promise.all(others), ['read', 'read', 'read']);
  await crash;
  t.mock.timers.tick(25_000);
  await hang;
  assert.equal(await preview('club', editor), 'read', 'a fresh process');
});

test('a preview whose page was answered while it waited is not read', async (t) => {
  const directory = folder();
  // The first process never replies; the second one notes what it reads.
  const script = `read line; if mkdir ${directory}/first; then exec sleep 600; fi
    echo "$line" > ${directory}/read; echo '{"type":"done","id":2,"result":"done"}'; read line`;
  const late = createActionProcesses({
    ...options,
    program: { command: '/bin/sh', args: ['-c', script] },
  });
  after(() => late.stop());
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const preview = (name: string) =>
    late.run('source.preview', { url: `https://${name}.example/`, type: '', name: '' }, editor);
  const answered = [preview('first'), preview('second')].map((run) => assert.rejects(run));
  while (!existsSync(join(directory, 'first'))) await new Promise(setImmediate);
  t.mock.timers.tick(24_000);
  const third = preview('third');
  t.mock.timers.tick(1_000);
  await Promise.all(answered);
  assert.equal(await third, 'done');
  assert.match(readFileSync(join(directory, 'read'), 'utf8'), /third\.example/);
});

test('a long action runs without a limit and its failure is logged; a late read says that nothing changed', async (t) => {
  const lines: unknown[][] = [];
  const silent = createActionProcesses({
    ...options,
    log: (...parts: unknown[]) => void lines.push(parts),
    program: { command: '/bin/sh', args: ['-c', 'read line; exec sleep 600'] },
  });
  t.mock.timers.enable({ apis: ['setTimeout'] });
  await silent.run('source.sync', { name: 'club' }, editor);
  const read = silent.run('source.list', {}, editor);
  const change = silent.run('source.pause', { name: 'club' }, editor);
  t.mock.timers.tick(25_000);
  await assert.rejects(read, /Nothing was changed\. Try again/);
  await assert.rejects(change, /Your change takes longer than usual/);
  assert.deepEqual(lines, []);
  const stopping = silent.stop();
  t.mock.timers.tick(5_000);
  await stopping;
  assert.match(JSON.stringify(lines), /an action of the console failed.*source\.sync.*The service stopped/);
});

test('the watchdog watches an action that reads a source', async () => {
  const server = createServer((_, response) => response.end('BEGIN:VCALENDAR\nEND:VCALENDAR\n')).listen(0);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.ics`;
  const fetch = { baseUrl: null, fetchAllow: ['127.0.0.0/8'] };
  const app = openApp({ data, create: false });
  const context = { ...editor, fetch, onWait: () => {} };
  // The watchdog is the only thread of a sync.
  let threads = 0;
  const count = () => void threads++;
  diagnostics.subscribe('worker_threads', count);
  try {
    await runAction(app, 'source.add', { name: 'watched', type: 'ical', url, every: '6h' }, context);
    assert.equal(threads, 0);
    await runAction(app, 'source.sync', { name: 'watched' }, context);
    assert.equal(threads, 1);
  } finally {
    diagnostics.unsubscribe('worker_threads', count);
    app.close();
    server.close();
  }
});
