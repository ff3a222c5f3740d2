/**
 * Who may import whom (docs/architecture.md): arrows point down, never up or sideways, and never in a circle. Imports of
 * types count like all others.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const source = fileURLToPath(new URL('../../src/', import.meta.url));

/** Files at the top of `src` that everything may import. */
const leaves = [
  'config.ts',
  'settings.ts',
  'setting-definitions.ts',
  'setting-values.ts',
  'clock.ts',
  'log.ts',
  'failure.ts',
  'format-bytes.ts',
  'plural.ts',
  'shell-quote.ts',
  'escape-xml.ts',
  'divided-work.ts',
  'fair-queue.ts',
  'assets.ts',
  'natives.ts',
  'fnv1a.ts',
  'recent-texts.ts',
  'memoize.ts',
  'thread-jobs.ts',
  'well-formed.ts',
];
const entryPoints = ['rest', 'mirror', 'mcp', 'oauth', 'account', 'admin', 'site'];
const belowEntryPoints = [
  'http',
  'pages',
  'pictures',
  'mail',
  'fetch',
  'access',
  'exports',
  'catalogue',
  'store',
  'text',
  'contract',
];

/** The rooms of `src` and what each may import beside itself and the leaves. */
const mayImport: Record<string, readonly string[]> = {
  contract: [],
  // Words: names, titles, line-ups, dates; nothing of a database or of a format.
  text: ['contract'],
  // The places of the world, to look up: nothing of the catalogue.
  places: ['text', 'contract'],
  store: ['text', 'contract'],
  catalogue: ['store', 'text', 'contract'],
  // Files of the whole catalogue.
  exports: ['catalogue', 'store', 'text', 'contract'],
  access: ['store', 'contract'],
  // Accounts and counts of several machines, in PostgreSQL: the second room with SQL.
  cluster: ['access', 'store', 'contract'],
  // Bytes in, source records out: without the database.
  sources: ['fetch', 'text', 'contract'],
  // Pure: the facts of two source records in, evidence and a decision out.
  matching: ['text', 'contract'],
  ingest: ['fetch', 'sources', 'matching', 'store', 'places', 'text', 'contract'],
  // How the service calls itself: values, their checks, and where each comes from.
  identity: ['pages', 'store', 'contract'],
  // What every HTTP answer needs, whichever entry point sends it.
  http: ['contract'],
  // Pictures, covers and maps of the public pages: from addresses in the catalogue, and drawn.
  media: ['fetch', 'places', 'http', 'contract'],
  // What all pages look like.
  pages: ['http', 'contract'],
  // Data in, PNG out: what previews and installed apps show.
  pictures: [],
  // The one way out, to addresses that strangers choose.
  fetch: [],
  // The way out to the operator's SMTP server.
  mail: [],
  ...Object.fromEntries(entryPoints.map((room) => [room, belowEntryPoints])),
  site: ['media', ...belowEntryPoints],
  // All that is constructed is constructed in `app` and `server.ts`: what lies behind the entry points, and the entry points.
  app: ['cluster', 'ingest', 'sources', 'identity', 'places', ...belowEntryPoints],
  // What the rest of the program uses of `app`, and the types that go with it.
  'app.ts': ['app', 'cluster', 'ingest', 'sources', 'identity', 'places', ...belowEntryPoints],
  // What the console reads of the service.
  'console.ts': ['app.ts', 'admin', ...belowEntryPoints],
  server: ['app.ts', 'console.ts', 'media', ...entryPoints, ...belowEntryPoints],
  'server.ts': ['server', 'app.ts', 'console.ts', 'media', ...entryPoints, ...belowEntryPoints],
  // The actions of the console, which `cli` runs in a process of its own.
  actions: ['app.ts', 'contract'],
  'actions.ts': ['actions', 'app.ts', 'contract'],
  cli: ['app.ts', 'server.ts', 'actions.ts', 'contract'],
};

/** The packages that only some may use. The ISO list in iso-3166 is data, and so stands beside zod. */
const packagesOf: Record<string, readonly string[]> = { contract: ['zod', 'iso-3166'], leaf: [] };

type Import = { from: string; to: string };

/** The room of a file, by its path below `src`: its folder, or its own name at the top. */
function roomOf(path: string): string {
  const [first = '', ...rest] = path.split('/');
  if (rest.length > 0) return first;
  return leaves.includes(first) ? 'leaf' : first;
}

/** The text without comments, and with strings and templates only where an import can name a file. */
function withoutComments(text: string): string {
  const tokens = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g;
  return text.replace(tokens, (token) => {
    if (token.startsWith('/')) return ' ';
    return token.startsWith('`') ? '``' : token;
  });
}

/** What a file imports: `import`, `import type`, `export … from`, `import()`, also within types. */
function importsIn(text: string): string[] {
  const code = withoutComments(text);
  const named = /\b(?:import|export)\b[^'"`;()=]*?\bfrom\s*(['"])(.+?)\1/g;
  const bare = /\bimport\s*(['"])(.+?)\1/g;
  const dynamic = /\bimport\s*\(\s*(['"])(.+?)\1/g;
  const required = /\brequire\s*\(\s*(['"])(.+?)\1/g;
  return [named, bare, dynamic, required].flatMap((pattern) =>
    [...code.matchAll(pattern)].map((match) => match[2] as string),
  );
}

function files(): string[] {
  return readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(source, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort();
}

/** All imports between files of `src` (`wordEnd` a path below it), and of packages (`wordEnd` as it is written). */
function walk(): { inner: Import[]; outer: Import[] } {
  const inner: Import[] = [];
  const outer: Import[] = [];
  for (const from of files()) {
    for (const name of importsIn(readFileSync(join(source, from), 'utf8'))) {
      if (name.startsWith('.')) inner.push({ from, to: join(dirname(from), name).replaceAll('\\', '/') });
      else outer.push({ from, to: name });
    }
  }
  return { inner, outer };
}

/** What is wrong with an import between two files of `src`; null where nothing is. */
function forbidden({ from, to }: Import): string | null {
  const [room, other] = [roomOf(from), roomOf(to)];
  if (to.startsWith('..')) return `${from} imports ${to}, which lies outside src`;
  if (other === room || other === 'leaf') return null;
  if (room === 'leaf') return `${from} is a leaf and imports ${to}`;
  const allowed = mayImport[room];
  if (allowed === undefined) return `${from} lies in no room of docs/architecture.md`;
  return allowed.includes(other) ? null : `${from} imports ${to}: ${room} may not import ${other}`;
}

/** The first circle of files that import each other, as a path that ends where it begins. */
function circle(imports: Import[]): string[] | null {
  const next = new Map<string, string[]>();
  for (const { from, to } of imports) next.set(from, [...(next.get(from) ?? []), to]);
  const done = new Set<string>();
  const visit = (file: string, way: string[]): string[] | null => {
    const seen = way.indexOf(file);
    if (seen >= 0) return [...way.slice(seen), file];
    if (done.has(file)) return null;
    for (const other of next.get(file) ?? []) {
      const found = visit(other, [...way, file]);
      if (found) return found;
    }
    done.add(file);
    return null;
  };
  for (const file of next.keys()) {
    const found = visit(file, []);
    if (found) return found;
  }
  return null;
}

const { inner, outer } = walk();

test('every import between rooms points down', () => {
  assert.ok(inner.length > 20);
  assert.deepEqual(
    inner.map(forbidden).filter((reason) => reason !== null),
    [],
  );
});

test('the HTTP client is loaded when something is fetched, not at each start', () => {
  const loading = files().filter((file) => {
    const code = withoutComments(readFileSync(join(source, file), 'utf8'));
    return [...code.matchAll(/\b(import|export)\b(?! type\b)[^'"`;()=]*?\bfrom\s*(['"])(.+?)\2/g)].some(
      ([, , , name]) => name === 'undici' || name?.endsWith('/fetch/guarded-fetch.ts'),
    );
  });
  const nodesOfClusters = 'cluster/publication/s3/requests.ts';
  assert.deepEqual(loading, [nodesOfClusters, 'fetch/deadline.ts', 'fetch/guarded-fetch.ts']);
  const importers = inner.filter(({ to }) => to === 'fetch/deadline.ts').map(({ from }) => from);
  assert.deepEqual(importers, ['fetch/guarded-fetch.ts']);
});

test('every file of src lies in a room, or is a leaf', () => {
  const lost = files().filter((file) => roomOf(file) !== 'leaf' && !(roomOf(file) in mayImport));
  assert.deepEqual(lost, []);
});

test('imported files exist and are named with their ending', () => {
  const known = new Set(files());
  assert.deepEqual(
    inner
      .filter(({ to }) => !known.has(to))
      .map(({ from, to }) => `${from} imports ${to}, which is not there`),
    [],
  );
});

test('no files import each other in a circle', () => {
  const found = circle(inner);
  assert.equal(found, null, found?.join(' imports '));
});

test('contract uses zod and the ISO list alone, leaves use nothing', () => {
  const wrong = outer.filter(({ from, to }) => {
    const allowed = packagesOf[roomOf(from)];
    if (allowed === undefined || allowed.includes(to)) return false;
    return roomOf(from) === 'contract' || !to.startsWith('node:');
  });
  assert.deepEqual(
    wrong.map(({ from, to }) => `${from} imports ${to}`),
    [],
  );
});

test('packages that are imported are dependencies; modules of node are called node:', () => {
  const manifest = JSON.parse(readFileSync(join(source, '../package.json'), 'utf8'));
  const wrong = outer.filter(({ to }) => {
    if (to.startsWith('node:'))
      return !builtinModules.includes(to.slice('node:'.length)) && !['node:sea', 'node:sqlite'].includes(to);
    const name = to
      .split('/')
      .slice(0, to.startsWith('@') ? 2 : 1)
      .join('/');
    return !(name in manifest.dependencies);
  });
  assert.deepEqual(
    wrong.map(({ from, to }) => `${from} imports ${to}`),
    [],
  );
});

/** What only a file with SQL in it does: preparing a statement, setting a pragma, building a query. */
const sqlAtWork =
  /\.(?:prepare|pragma|selectFrom|insertInto|updateTable|deleteFrom)\(|\bsql`|\b(?:SELECT|DELETE) .*\bFROM\b|\bINSERT INTO\b/;

test('SQL lives in store alone, and that of PostgreSQL in cluster', () => {
  const found = files()
    .filter((file) => roomOf(file) !== 'store' && roomOf(file) !== 'cluster')
    .filter((file) => sqlAtWork.test(withoutComments(readFileSync(join(source, file), 'utf8'))));
  assert.deepEqual(found, []);
});

test('the walker finds imports of every kind, and none in comments', () => {
  const text = `
    import a, { b } from './a.ts';
    import type { C } from "./c.ts";
    import * as d from './d.ts'; import './e.ts';
    export { f } from './f.ts';
    export * from './g.ts';
    export type { H } from './h.ts';
    import {
      // import x from './no.ts'
      i,
    } from './i.ts';
    const j = await import('./j.ts');
    type K = import('./k.ts').K;
    /* import y from './no.ts' */
    const text = \`import z from './no.ts'\`;
  `;
  assert.deepEqual(
    importsIn(text).sort(),
    ['a', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k'].map((name) => `./${name}.ts`),
  );
});

test('the rules forbid what docs/architecture.md forbids', () => {
  const cases: [from: string, to: string, allowed: boolean][] = [
    ['contract/records.ts', 'contract/fields.ts', true],
    ['contract/records.ts', 'store/list.ts', false],
    ['store/list.ts', 'contract/records.ts', true],
    ['store/list.ts', 'catalogue/search.ts', false],
    ['store/database.ts', 'failure.ts', true],
    ['catalogue/search.ts', 'access/keys.ts', false],
    ['ingest/upsert.ts', 'catalogue/search.ts', false],
    ['ingest/upsert.ts', 'matching/model.ts', true],
    ['matching/model.ts', 'store/reader.ts', false],
    ['matching/model.ts', 'text/normalize.ts', true],
    ['sources/feed.ts', 'store/reader.ts', false],
    ['sources/feed.ts', 'ingest/upsert.ts', false],
    ['text/normalize.ts', 'sources/feed.ts', false],
    ['rest/call.ts', 'access/keys.ts', true],
    ['rest/call.ts', 'mcp/tools.ts', false],
    ['rest/call.ts', 'ingest/upsert.ts', false],
    ['app.ts', 'ingest/upsert.ts', true],
    ['app.ts', 'app/app.ts', true],
    ['app.ts', 'rest/call.ts', false],
    ['app/app.ts', 'ingest/upsert.ts', true],
    ['app/app.ts', 'app.ts', false],
    ['app/app.ts', 'rest/call.ts', false],
    ['actions.ts', 'actions/records.ts', true],
    ['actions/records.ts', 'app.ts', true],
    ['actions/records.ts', 'app/app.ts', false],
    ['actions/records.ts', 'store/list.ts', false],
    ['app.ts', 'server.ts', false],
    ['app.ts', 'cli/main.ts', false],
    ['server.ts', 'server/load-pages.ts', true],
    ['server/load-pages.ts', 'site/handler.ts', true],
    ['server/load-pages.ts', 'server.ts', false],
    ['server.ts', 'rest/call.ts', true],
    ['server.ts', 'app.ts', true],
    ['server.ts', 'cli/main.ts', false],
    ['rest/call.ts', 'app.ts', false],
    ['admin/routes.ts', 'account/routes.ts', false],
    ['admin/routes.ts', 'actions.ts', false],
    ['admin/routes.ts', 'ingest/upsert.ts', false],
    ['cli/serve.ts', 'app.ts', true],
    ['cli/serve.ts', 'app/app.ts', false],
    ['cli/serve.ts', 'actions/records.ts', false],
    ['cli/serve.ts', 'server.ts', true],
    ['cli/serve.ts', 'rest/call.ts', false],
    ['cli/serve.ts', 'store/list.ts', false],
    ['clock.ts', 'contract/plans.ts', false],
    ['config.ts', 'failure.ts', true],
    ['shed/tool.ts', 'contract/plans.ts', false],
  ];
  for (const [from, to, allowed] of cases)
    assert.equal(forbidden({ from, to }) === null, allowed, `${from} → ${to}`);
  assert.deepEqual(
    circle([
      { from: 'a', to: 'b' },
      { from: 'b', to: 'c' },
      { from: 'c', to: 'a' },
    ]),
    ['a', 'b', 'c', 'a'],
  );
});
