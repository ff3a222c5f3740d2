/** Inputs of `import`, `add` and `edit` that are none: the message says what to do. */
import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { folder, run } from '../support/cli-run.ts';

const cwd = folder();
const command = (line: string) => run([...line.split(' '), '--data', 'nothing.db'], { cwd });

test('a feed in UTF-16 is named as such', async () => {
  const line = `\ufeff${JSON.stringify({ kind: 'artist', external_id: '1', name: 'Ann' })}\n`;
  const little = Buffer.from(line, 'utf16le');
  writeFileSync(join(cwd, 'little.ndjson'), little);
  writeFileSync(join(cwd, 'big.ndjson'), Buffer.from(little).swap16());
  for (const name of ['little.ndjson', 'big.ndjson']) {
    const { status, stderr } = await command(`import ${name} --source nothing`);
    assert.equal(status, 1);
    assert.match(stderr, /type feed: it is text in UTF-16 or UTF-32: save it as UTF-8\. Supported/);
  }
  writeFileSync(join(cwd, 'page.html'), Buffer.from('\ufeff<!doctype html><p>Hello', 'utf16le'));
  const page = await command('import page.html --source nothing');
  assert.match(page.stderr, /it looks like an HTML page\. Try --type jsonld\./);
});

test('an address is no file, and only http leads to a source', async () => {
  const address = await command('import https://club.example/ --source nothing');
  assert.equal(address.status, 1);
  assert.equal(
    address.stderr,
    'cratebase: `import` reads files. For an address, run `cratebase add ADDRESS`.\n',
  );
  const other = await command('add ftp://club.example/');
  assert.equal(other.status, 2);
  assert.match(
    other.stderr,
    /^cratebase: ftp:\/\/club\.example\/ cannot be read\. An address begins with http/,
  );
  const bare = await command('add club.example/');
  assert.match(bare.stderr, /Did you mean https:\/\/club\.example\/\?\n$/);
  writeFileSync(join(cwd, 'rows.csv'), 'name,date\n');
  for (const line of ['add rows.csv --name rows', 'add ./rows.csv --dry-run']) {
    const file = await command(line);
    assert.equal(file.status, 2);
    assert.match(
      file.stderr,
      /rows\.csv is a file or a folder\. To import it once, run: cratebase import \S*rows\.csv --source/,
    );
    assert.match(
      file.stderr,
      /To read it daily, run: cratebase sources add NAME --type TYPE --url \S*rows\.csv/,
    );
  }
});

test('sources rejected of an import by hand says where the list is', async () => {
  const importOf = async (count: number) => {
    const records = Array.from({ length: count }, (_, at) => ({
      kind: 'event',
      external_id: `${at}`,
      name: 'N',
    }));
    const input = [{ kind: 'artist', external_id: 'a', name: 'A' }, ...records].map((one) =>
      JSON.stringify(one),
    );
    await run(['import', '-', '--source', 'hand', '--data', 'hand.db'], { cwd, input: input.join('\n') });
    const { status, stderr } = await run(['sources', 'rejected', 'hand', '--data', 'hand.db'], { cwd });
    assert.equal(status, 1);
    return stderr;
  };
  assert.match(await importOf(1), /hand is not scheduled\. The import itself lists .* --dry-run/);
  assert.match(
    await importOf(7),
    /The records that its last import rejected are in hand\.db\.rejected-hand\.txt\./,
  );
});

test('a field or value that no record can have is wrong usage; a record that is not there is not', async () => {
  await run(['import', '-', '--source', 'a', '--data', 'nothing.db'], {
    cwd,
    input: JSON.stringify({ kind: 'artist', external_id: '1', name: 'Ann' }),
  });
  for (const [status, line, message] of [
    [2, 'edit artist/ann shoe=42', /has no field "shoe"/],
    [2, 'edit artist/ann country=ZZZ', /country is not an ISO 3166-1/],
    [2, 'edit artist/ann name=', /name cannot be empty/],
    [2, 'edit artist/ann country+=DE', /one value, not a list/],
    [2, 'edit artist/ann external_ids+=discogs', /takes SERVICE:ID/],
    [2, 'edit artist/ann aliases=[bad', /aliases begins as JSON but is none/],
    [2, 'edit artist/ann aliases+=["A","B"', /begins as JSON but is none/],
    [0, 'edit artist/ann aliases+=[a:rpia:r]', /^$/],
    [2, 'add artist country=DE', /name is missing/],
    [2, 'add event name=x start_at=2027-01-02 end_at=2027-01-01', /is before start_at/],
    [1, 'edit artist/bob country=DE', /There is no record/],
    [1, 'add event name=x start_at=2027-01-02 artist=artist/bob', /There is no artist/],
  ] as const) {
    const ended = await command(line);
    assert.equal(ended.status, status, `${line}: ${ended.stderr}`);
    assert.match(ended.stderr, message);
  }
});

test('an error in a file of one JSON value is reported with its place in the whole file', async () => {
  const write = (name: string, text: string) => writeFileSync(join(cwd, name), text);
  write('event.json', '{\n  "kind": "event",\n  "name": oops\n}\n');
  const whole = await command('add event --from event.json');
  assert.equal(whole.status, 1);
  assert.match(whole.stderr, /^cratebase: event\.json: not JSON \(.*oops/);
  assert.doesNotMatch(whole.stderr, /line 1: not JSON/);
  write('lines.ndjson', '{"name": "a"}\n\n{"name": oops}\n');
  const lines = await command('add artist --from lines.ndjson');
  assert.match(lines.stderr, /^cratebase: lines\.ndjson, line 3: not JSON/);
});

test('a name that the catalogue does not have is listed as a new record', async () => {
  const line = { kind: 'venue', external_id: 'v1', name: 'Kino Union', city: 'Ljubljana', country: 'SI' };
  await run(['import', '-', '--source', 'b', '--data', 'nothing.db'], { cwd, input: JSON.stringify(line) });
  const edited = await command('edit venue/kino-union city=Ljublana');
  assert.match(edited.stdout, /^also new {2}Ljublana \(city\/ljublana, cty_/m, edited.stderr);
  const added = await command('add event name=x start_at=2027-01-02 city=Ljubljana country=SI artist=Orrin');
  assert.match(added.stdout, /^also new {2}Orrin \(artist\/orrin, art_/m, added.stderr);
  const known = await command('edit venue/kino-union city=Ljubljana');
  assert.doesNotMatch(known.stdout, /also new/);
});

test('a clock time without a time zone is kept, and the report says that it is not shown', async () => {
  const added = await command('add event name=Nowhere start_at=2027-01-02T22:00');
  assert.match(
    added.stdout,
    /^note {6}The clock time is not shown, because no time zone is known\. Set timezone=/m,
  );
  const day = await command('add event name=Elsewhere start_at=2027-01-02');
  assert.doesNotMatch(day.stdout, /clock time/);
  const moved = await command('edit event/nowhere-2027-01-02 start_at=2027-01-02T23:00');
  assert.match(moved.stdout, /The clock time is not shown/, moved.stderr);
  const placed = await command('edit event/nowhere-2027-01-02 timezone=Europe/Berlin');
  assert.doesNotMatch(placed.stdout, /clock time/);
  const shown = await command('show event nowhere-2027-01-02 --json');
  assert.match(shown.stdout, /"start_at":"2027-01-02T23:00:00\+01:00"/);
});

test('a file of records may begin with a byte order mark', async () => {
  writeFileSync(join(cwd, 'marked.json'), '\ufeff{"name": "Vera Lindt", "country": "DE"}');
  await command('import - --source none');
  const { status, stdout, stderr } = await command('add artist --from marked.json');
  assert.equal(status, 0, stderr);
  assert.match(stdout, /Vera Lindt/);
});

test('a link in a folder that leads nowhere is named', async () => {
  mkdirSync(join(cwd, 'links'));
  symlinkSync('missing.ndjson', join(cwd, 'links', 'one.ndjson'));
  const { status, stderr } = await command('import links --source none');
  assert.equal(status, 1);
  assert.equal(stderr, 'cratebase: links/one.ndjson cannot be read (ENOENT).\n');
});
