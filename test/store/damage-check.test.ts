/** A running service finds damaged pages of its data file (docs/decisions/54-damage-check.md). */
import assert from 'node:assert/strict';
import {
  closeSync,
  copyFileSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { openApp } from '../../src/app.ts';
import { describeTables, parseIndex } from '../../src/store/integrity/checked-tables.ts';
import { checkInPieces } from '../../src/store/integrity/piecewise.ts';
import { Person, servePages } from '../support/account-pages.ts';
import { flips, pagesOf, random } from '../support/bit-flips.ts';
import { planOf, recordStatements } from '../support/query-plans.ts';

const seed = Number(process.env.SEED ?? 11);
const pageBytes = 4_096;
const folder = mkdtempSync(join(tmpdir(), 'cratebase-damage-'));
after(() => rmSync(folder, { recursive: true }));
const whole = join(folder, 'whole.db');
before(async () => {
  const app = openApp({ data: whole, create: true });
  await app.starter.request({ samples: true });
  await app.starter.import();
  const { accounts, keys } = await app.access();
  await accounts.create({ email: 'ada@example.com' });
  await keys.create('ada@example.com', 'laptop');
  app.close();
});

function check(sqlite: Database.Database): string[] {
  const pieces = checkInPieces(sqlite);
  for (;;) {
    const piece = pieces.next();
    if (piece.done) return piece.value;
  }
}

/** What is found in a copy of the file that `change` damages. */
function findsIn(change: (content: Buffer) => void): string[] {
  const path = join(folder, 'damaged.db');
  const content = readFileSync(whole);
  change(content);
  writeFileSync(path, content);
  try {
    const sqlite = new Database(path, { readonly: true });
    try {
      return check(sqlite);
    } finally {
      sqlite.close();
    }
  } catch (failure) {
    return [String(failure)];
  } finally {
    for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true });
  }
}

describe(`a check in pieces (SEED=${seed})`, () => {
  test('finds nothing in a whole file, also while it is written', () => {
    const path = join(folder, 'busy.db');
    copyFileSync(whole, path);
    const [reader, writer] = [new Database(path), new Database(path)];
    writer.pragma('journal_mode = WAL');
    const insert = writer.prepare('INSERT INTO records (kind, created_revision, revision) VALUES (?, 9, 9)');
    const remove = writer.prepare('DELETE FROM records WHERE id = (SELECT max(id) FROM records)');
    let count = 0;
    for (const pieces = checkInPieces(reader); ; count++) {
      const piece = pieces.next();
      if (piece.done) {
        assert.deepEqual(piece.value, []);
        break;
      }
      // No statement is open between two pieces: the log can be restarted.
      if (count % 10 === 0) {
        (count % 20 === 0 ? insert : remove).run(...(count % 20 === 0 ? ['artist'] : []));
        assert.equal((writer.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[])[0]?.busy, 0);
      }
    }
    assert.ok(count > 300, String(count));
    reader.close();
    writer.close();
  });

  test('reads each piece through the key of the table and a whole key of each index', () => {
    const sqlite = new Database(whole, { readonly: true });
    const { connection, take } = recordStatements(sqlite);
    check(connection);
    const ofPieces = take().filter(({ text }) => /\) > \(/.test(text));
    const steps = ofPieces.flatMap((statement) =>
      planOf(sqlite, statement).map((step) => ({ step, statement })),
    );
    const isRead = /^(?:SCAN|SEARCH) (?!a\b|\(subquery)/;
    const reads = steps.filter(({ step }) => isRead.test(step));
    assert.ok(reads.length > 150, String(reads.length));
    for (const { step, statement } of steps) {
      assert.doesNotMatch(step, /TEMP B-TREE/, statement.text);
      if (isRead.test(step)) assert.match(step, /^SEARCH .*(?:PRIMARY KEY|USING .*INDEX)/, statement.text);
      // Many rows may have the first columns of an index in common.
      if (/INDEXED BY/.test(statement.text) && /INDEX (?!sqlite_autoindex)\S+ \(/.test(step))
        assert.match(step, /=\?\)$/, statement.text);
    }
    sqlite.close();
  });

  test('compares every index with its table', () => {
    const sqlite = new Database(whole, { readonly: true });
    const tables = describeTables(sqlite);
    const compared = tables.flatMap(({ indexes }) => indexes.map(({ name }) => name));
    const all = sqlite
      .prepare(
        `SELECT i.name FROM sqlite_schema i WHERE i.type = 'index'
         AND NOT EXISTS (SELECT 1 FROM pragma_table_list(i.tbl_name) t JOIN pragma_index_list(i.tbl_name) l
                         WHERE t.wr = 1 AND l.origin = 'pk' AND l.name = i.name)`,
      )
      .pluck()
      .all() as string[];
    sqlite.close();
    assert.deepEqual(compared.toSorted(), all.toSorted());
    assert.deepEqual(parseIndex("CREATE INDEX a ON b (c, ifnull(d, 0), e / (f + 1)) WHERE g <> ')'"), {
      listed: ['c', 'ifnull(d, 0)', 'e / (f + 1)'],
      condition: "g <> ')'",
    });
  });

  test('finds overwritten pages', () => {
    const sqlite = new Database(whole, { readonly: true });
    const isEmpty = (name: string) => {
      const table = sqlite.prepare('SELECT tbl_name FROM sqlite_schema WHERE name = ?').pluck().get(name);
      return sqlite.prepare(`SELECT 1 FROM "${table}" LIMIT 1`).get() === undefined;
    };
    const pages = pagesOf(whole).filter(
      ({ name, payload, pagetype }) =>
        name !== 'sqlite_schema' && (payload > 0 || pagetype === 'internal') && !isEmpty(name),
    );
    sqlite.close();
    const below = random(seed);
    const missed: string[] = [];
    for (let count = 0; count < 16; count++) {
      const page = pages[below(pages.length)] as { pageno: number; name: string };
      const start = (page.pageno - 1) * pageBytes;
      const found = findsIn((content) => {
        if (count % 2 === 0) content.fill(0, start, start + pageBytes);
        else for (let at = 0; at < pageBytes; at++) content[start + at] = below(256);
      });
      if (found.length === 0) missed.push(page.name);
    }
    assert.deepEqual(missed, []);
  });

  test('finds flipped bits, except in the search index', (t) => {
    const missed: string[] = [];
    for (const { offset, bit, owner } of flips(whole, 16, seed)) {
      const found = findsIn((content) => {
        content[offset] = (content[offset] as number) ^ (1 << bit);
      });
      if (found.length === 0 && owner !== 'name_search_data') missed.push(owner);
    }
    t.diagnostic(`missed: ${missed.join(', ')}`);
    // Some bytes in the headers of pages say nothing that a reader needs; `verify` checks them.
    assert.ok(missed.length <= 4, missed.join(', '));
  });
});

/** Waits until a condition holds. */
async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; !holds(); tries++) {
    assert.ok(tries < 600, 'it does not hold after a minute');
    await pause(100);
  }
}

describe('a running service', () => {
  test('reports an overwritten page in its log, at /readyz and /metrics, and in the console', async () => {
    const pages = await servePages({ metricsToken: 'let-me-in' });
    const { app } = pages;
    await app.starter.request();
    await app.starter.import();
    const sqlite = new Database(pages.dataFile);
    sqlite.pragma('wal_checkpoint(TRUNCATE)');
    sqlite.close();
    const lines: { level: string; message: string; fields: Record<string, unknown> }[] = [];
    const log = (level: string, message: string, fields: Record<string, unknown> = {}) =>
      void lines.push({ level, message, fields });
    const pace = { firstMs: 0, everyMs: 50, pauseFactor: 0 };
    const monitor = app.file.maintain(log, undefined, pace);
    await until(() => app.file.state.checkedTs !== null);
    const [editor, visitor] = [new Person(pages), new Person(pages)];
    await editor.signUp('ada@example.com');
    await pages.access.accounts.setRole('ada@example.com', 'operator', 'terminal:test');
    const operator = { authorization: 'Bearer let-me-in' };
    const gauge = async (name: string) => {
      const { text } = await visitor.send('/metrics', { headers: operator });
      return new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1];
    };
    assert.deepEqual((await visitor.send('/readyz')).json(), { status: 'ok' });
    assert.equal(await gauge('cratebase_file_damaged'), '0');
    assert.ok(Number(await gauge('cratebase_file_last_check_timestamp_seconds')) > 1e9);
    assert.doesNotMatch((await editor.send('/admin')).text, /data file is damaged/);

    const page = pagesOf(pages.dataFile).find(({ name }) => name === 'artists_by_name') as { pageno: number };
    const file = openSync(pages.dataFile, 'r+');
    writeSync(file, Buffer.alloc(pageBytes, 0xab), 0, pageBytes, (page.pageno - 1) * pageBytes);
    closeSync(file);
    await until(() => app.file.state.damage.length > 0);
    assert.match(app.file.state.damage.join(), /artists/);
    const line = lines.find(({ message }) => message === 'The data file is damaged.');
    assert.equal(line?.level, 'error');
    assert.match(String(line?.fields.advice), /cratebase verify.*cratebase restore FILE/);
    const ready = await visitor.send('/readyz');
    assert.deepEqual([ready.status, ready.json()], [200, { status: 'ok', file: 'damaged' }]);
    assert.equal(await gauge('cratebase_file_damaged'), '1');
    assert.match((await editor.send('/admin')).text, /The data file is damaged\..*cratebase restore FILE/s);
    await monitor.stop();
  });

  test('ends a check when it stops, and makes none of a file that was replaced', async () => {
    const path = join(folder, 'stopped.db');
    copyFileSync(whole, path);
    const app = openApp({ data: path, create: false });
    const lines: string[] = [];
    const log = (_level: string, message: string) => void lines.push(message);
    const slow = app.file.maintain(log, undefined, { firstMs: 0, pauseFactor: 1_000 });
    await pause(300);
    await slow.stop();
    assert.equal(app.file.state.checkedTs, null);
    const other = app.file.maintain(log, undefined, { firstMs: 1_500, retryMs: 60_000, pauseFactor: 0 });
    rmSync(path);
    copyFileSync(whole, path);
    await until(() => app.file.state.fault !== null);
    await pause(2_000);
    await other.stop();
    assert.equal(app.file.state.checkedTs, null);
    assert.deepEqual(
      lines.filter((line) => /damage/.test(line)),
      [],
    );
    app.close();
  });
});
