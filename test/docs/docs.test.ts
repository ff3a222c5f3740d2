/** Documentation that is whole, true and runs: guides, reference, changelog, and the links between them. */
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { buildProgram } from '../../src/cli/program.ts';
import { unknownVariables } from '../../src/config.ts';
import { changelog } from '../../src/contract/changelog.ts';
import { errorTypes } from '../../src/contract/errors.ts';
import { guides } from '../../src/contract/guides.ts';
import { openApiDocument } from '../../src/contract/openapi.ts';
import { apiPrefix, type OperationDefinition, operations } from '../../src/contract/operations.ts';
import { type FilterName, filters, parameterOf } from '../../src/contract/parameters.ts';
import { toolNames } from '../../src/contract/tools.ts';
import { type Setting, settings } from '../../src/settings.ts';
import { anchorOf } from '../../src/site/docs/markdown.ts';
import { type SourceType, sourceTypes } from '../../src/sources/adapter.ts';
import { Person, servePages } from '../support/account-pages.ts';
import { blocksOf, makeBin, type Place, runIn, runShell, shownLanguages } from '../support/guide-code.ts';
import { withTables } from '../support/guide-tables.ts';
import { drawTerminal, maxImageBytes, pageSize, pictureFolder } from '../support/pictures.ts';
import { importFeed, run, type Server, startServer, temporaryFolder } from '../support/program.ts';
import { recordExamples, recordedAt } from '../support/reference-examples.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const texts = new Map(guides.map(({ name }) => [name as string, read(`docs/guides/${name}.md`)]));
const all = [...texts.values()].join('\n');
const rows = Object.values(operations) as OperationDefinition[];

describe('the texts of the guides', () => {
  test('is every guide, and each begins with its title', () => {
    const files = readdirSync(join(root, 'docs/guides')).filter((name) => name.endsWith('.md'));
    assert.deepEqual(files.sort(), guides.map(({ name }) => `${name}.md`).sort());
    for (const { name, title } of guides) assert.equal(texts.get(name)?.split('\n')[0], `# ${title}`);
  });

  test('explains every error type of the change feed and the exports, and lists their addresses', () => {
    const spec = read('docs/spec/changes.md').split('## Errors\n')[1]?.split('\n## ')[0] ?? '';
    const types = [...spec.matchAll(/^\| `(\w+)` \| (\d+) \|/gm)];
    assert.ok(types.length > 0);
    for (const [, type, status] of types) {
      assert.ok(texts.get('errors')?.includes(`| [\`${type}\`](#${type}) | ${status} |`), type);
      assert.ok(texts.get('errors')?.includes(`\n## ${type}\n`), type);
    }
    for (const path of ['/changes', '/exports/{file}'])
      assert.ok(read('docs/reference/endpoints.md').includes(`\`${path}\``), path);
  });

  test('has tables as `npm run docs` writes them', () => {
    for (const [name, text] of texts) {
      assert.equal(text, withTables(text), `docs/guides/${name}.md is out of date: npm run docs`);
      assert.ok(!/<!-- written by npm run docs: [\w ]+ -->\n<!-- end -->/.test(text), name);
    }
  });

  test('names every endpoint with its parameters', () => {
    const paging = texts.get('paging') ?? '';
    const { components } = openApiDocument({ baseUrl: '', name: '', version: '' });
    for (const { path, shape, filters = [] } of rows) {
      if (shape === 'list') assert.ok(paging.includes(`\`${path}\``), path);
      for (const filter of filters) {
        const lines = texts
          .get('filters-and-times')
          ?.split('\n')
          .filter((one) => one.startsWith(`| \`${parameterOf(filter)}\``));
        assert.ok(
          lines?.some((line) => line.includes(`\`${path}\``)),
          `${filter} of ${path}`,
        );
      }
    }
    for (const name of Object.keys(components.parameters).filter((one) => !/Slug$/.test(one))) {
      const shown = name in filters ? parameterOf(name as FilterName) : name.replace('searchLimit', 'limit');
      assert.match(all, new RegExp(`\`${shown}[=\`]|[?&{]${shown}[=}]`), name);
    }
  });

  test('names every error type, tool, header and plan', () => {
    for (const type of Object.keys(errorTypes)) assert.match(all, new RegExp(`^## ${type}$`, 'm'));
    for (const name of toolNames) assert.ok(texts.get('agents')?.includes(`| \`${name}\` |`), name);
  });

  test('names every command, option and variable of the environment', () => {
    const line = texts.get('command-line') ?? '';
    const walk = (command: Command, above: string): void => {
      const help = command.createHelp();
      for (const child of help.visibleCommands(command).filter((one) => one.name() !== 'help')) {
        const path = `${above} ${child.name()}`;
        const [, section = ''] = line.split(`\n### ${path}\n`);
        assert.notEqual(section, '', path);
        const own = section.split('\n### ', 1)[0] as string;
        for (const { flags, long } of help.visibleOptions(child)) {
          if (long === '--help') continue;
          const place = child.name() === 'serve' ? line : own;
          assert.ok(place.includes(`\`${flags}\``), `${path} ${flags}`);
        }
        walk(child, path);
      }
    };
    walk(buildProgram(), 'cratebase');
    for (const { env, secret } of Object.values(settings) as Setting<unknown>[]) {
      assert.ok(line.includes(`\`${env}\``), env);
      if (secret) assert.ok(line.includes(`\`${env}_FILE\``), env);
    }
  });

  test('names every variable that the program reads, and none that it does not know', () => {
    const named = new Set(all.match(/\bCRATEBASE_[A-Z_]*[A-Z]\b/g) ?? []);
    const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.tsx?$/.test(path))
      .map((path) => read(`src/${path}`))
      .join('\n');
    const used = new Set(
      [...sources.matchAll(/['"`.]((?:CRATEBASE)_[A-Z_]*[A-Z])\b/g)].map(([, name]) => name),
    );
    assert.ok(used.size >= 4);
    for (const name of used) assert.ok(named.has(name as string), `${name} is in no guide`);
    assert.deepEqual(unknownVariables(Object.fromEntries([...named].map((name) => [name, '1']))), []);
  });
});

/** Links of a Markdown text, but for those in code. */
function linksOf(markdown: string): string[] {
  const text = markdown.replace(/^```[\s\S]*?^```$/gm, '').replace(/`[^`\n]*`/g, '');
  return [...text.matchAll(/\]\(([^)\s]+)\)|<(https?:[^>\s]+)>/g)].map(
    ([, link, bare]) => (link ?? bare) as string,
  );
}
const anchorsOf = (markdown: string): Set<string> =>
  new Set(
    [...markdown.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) =>
      anchorOf((heading as string).replace(/`/g, '')),
    ),
  );
const markdownFiles = (): string[] => [
  ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'].filter((path) =>
    existsSync(join(root, path)),
  ),
  ...['docs', 'examples'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.md') && !path.includes('node_modules'))
      .map((path) => `${folder}/${path}`),
  ),
];

describe('images', () => {
  const files = readdirSync(join(root, pictureFolder));

  test('are small, shown on a page, and have an alternative text', () => {
    assert.match(read('README.md'), /<img src="docs\/images\/home-light\.png"/);
    const shown = markdownFiles().flatMap((page) =>
      [
        ...read(page)
          .replace(/^```[\s\S]*?^```$/gm, '')
          .matchAll(/<img [^>]*>|!\[[^\]]*\]\([^)]*\)|<source [^>]*>/g),
      ].map(([tag]) => {
        const [, path = ''] = /(?:src|srcset)="([^"]+)"|\]\(([^)]+)\)/.exec(tag)?.filter(Boolean) ?? [];
        return { page, tag, file: resolve(root, dirname(page), path) };
      }),
    );
    for (const name of files) {
      const file = join(root, pictureFolder, name);
      assert.ok(readFileSync(file).length < maxImageBytes, name);
      assert.ok(
        shown.some((one) => one.file === file),
        `no page shows ${name}`,
      );
    }
    for (const { page, tag, file } of shown) {
      assert.ok(existsSync(file), `${page} shows ${file}`);
      if (!tag.startsWith('<source')) assert.match(tag, /alt="[^"]{20,}"|!\[[^\]]{20,}\]/);
    }
  });

  test('of the front page have the size that is asked for', () => {
    for (const theme of ['light', 'dark']) {
      const picture = readFileSync(join(root, pictureFolder, `home-${theme}.png`));
      assert.equal(picture.toString('latin1', 1, 4), 'PNG');
      assert.deepEqual(
        [picture.readUInt32BE(16), picture.readUInt32BE(20)],
        [pageSize.width, pageSize.height],
      );
    }
  });

  test('of the terminal is what the program prints', async () => {
    assert.equal(read(`${pictureFolder}/terminal.svg`), await drawTerminal(), 'out of date: npm run docs');
  });

  test('of the architecture names folders that are there, and every type of source', () => {
    const text = read(`${pictureFolder}/architecture.svg`);
    const folders = text.match(/src\/[a-z/]+/g) ?? [];
    assert.ok(folders.length > 8);
    for (const path of folders) assert.ok(existsSync(join(root, path)), path);
    const names: Record<SourceType, string> = {
      feed: 'feeds',
      jsonld: 'schema.org',
      ical: 'calendars',
      ticketmaster: 'Ticketmaster',
      podcast: 'podcasts',
      musicbrainz: 'MusicBrainz',
      discogs: 'Discogs',
      wordpress: 'WordPress',
      squarespace: 'Squarespace',
      gancio: 'Gancio',
      mobilizon: 'Mobilizon',
      eventbrite: 'Eventbrite',
      tickettailor: 'Ticket Tailor',
      seatgeek: 'SeatGeek',
      csv: 'CSV',
      openstreetmap: 'OpenStreetMap',
      wikidata: 'Wikidata',
    };
    for (const type of sourceTypes) assert.ok(text.includes(names[type]), type);
    assert.ok(text.includes(`${rows.length} endpoints`));
  });
});

/** A service whose address is another than it is reached by, as behind a proxy. */
const pages = servePages({ empty: true, baseUrl: 'http://127.0.0.1:1' });

describe('the pages', () => {
  const get = async (path: string, sent?: Parameters<Person['send']>[1]) =>
    new Person(await pages).send(path, sent);

  test('links in the repository lead somewhere', async () => {
    for (const path of markdownFiles()) {
      const text = read(path);
      for (const link of linksOf(text)) {
        const [target = '', anchor] = link.split('#');
        if (/^https?:/.test(link)) assert.ok(URL.canParse(link), `${path}: ${link}`);
        else if (link.startsWith('/')) assert.equal((await get(target)).status, 200, `${path}: ${link}`);
        else {
          const file = target === '' ? join(root, path) : resolve(root, dirname(path), target);
          assert.ok(existsSync(file), `${path}: ${link}`);
          if (anchor) assert.ok(anchorsOf(readFileSync(file, 'utf8')).has(anchor), `${path}: ${link}`);
        }
      }
    }
  });

  test('links between pages lead somewhere, anchors too', async () => {
    const seen = new Map<string, string>();
    const asked = ['/docs', '/changelog'];
    const anchors: [from: string, to: string, anchor: string][] = [];
    const account = /^\/(account|$|stats|events)/;
    for (let path = asked.shift(); path !== undefined; path = asked.shift()) {
      if (seen.has(path)) continue;
      const answer = await get(path);
      assert.equal(answer.status, 200, path);
      seen.set(path, answer.text);
      if (!String(answer.headers['content-type']).startsWith('text/html')) continue;
      for (const [, found = ''] of answer.text.matchAll(/(?:href|src)="([^"]+)"/g)) {
        const url = new URL(found.replaceAll('&amp;', '&'), `http://127.0.0.1:1${path}`);
        if (url.origin !== 'http://127.0.0.1:1' || account.test(url.pathname)) continue;
        asked.push(url.pathname);
        // `#/Tag/operation` is for the viewer.
        if (url.hash.length > 1 && !url.hash.startsWith('#/')) {
          anchors.push([path, url.pathname, decodeURIComponent(url.hash.slice(1))]);
        }
      }
    }
    for (const { name } of guides) {
      assert.ok(seen.has(`/docs/guides/${name}`), name);
      assert.ok(seen.has(`/docs/guides/${name}.md`), name);
    }
    for (const [from, to, anchor] of anchors) {
      assert.ok(seen.get(to)?.includes(`id="${anchor}"`), `${from}: ${to}#${anchor}`);
    }
    assert.ok(anchors.length > 30);
  });

  test('the reference lists every endpoint without scripts, and loads nothing from elsewhere', async () => {
    const answer = await get('/docs');
    // Long paths break before a slash, not inside a word.
    assert.ok(answer.text.includes('/editions<wbr/>/{edition}<wbr/>/lineup</code>'));
    const text = answer.text.replaceAll('<wbr/>', '');
    for (const { path } of rows) assert.ok(text.includes(`<code>${apiPrefix}${path}</code>`), path);
    const policy = String(answer.headers['content-security-policy']);
    assert.match(policy, /default-src 'none'/);
    assert.doesNotMatch(policy, /unsafe|https?:|\*/);
    const loaded = [...answer.text.matchAll(/<(?:script|link|img)[^>]*(?:src|href)="([^"]+)"/g)];
    for (const [, from = ''] of loaded) assert.match(from, /^\/|^http:\/\/127\.0\.0\.1:1\/docs$/, from);
    assert.doesNotMatch(answer.text, /<style|style="|<script>/);
  });

  test('the bar is that of the catalogue; without pages of the catalogue nothing leads there', async () => {
    const bar = /<header class="bar">(.*?)<\/header>/s;
    const [, here = ''] = bar.exec((await get('/docs/guides/paging')).text) ?? [];
    const [, home = ''] = bar.exec((await get('/events')).text) ?? [];
    for (const piece of ['<a class="mark" href="/">', 'data-hits="/search/hits"', 'aria-label="Service"'])
      for (const one of [here, home]) assert.ok(one.includes(piece), piece);
    assert.match(here, /<a href="\/docs\/guides" aria-current="page">/);
    const alone = await servePages({ empty: true, site: 'off' });
    const { text } = await new Person(alone).send('/docs');
    assert.match(text, /<a class="mark" href="\/docs">/);
    assert.doesNotMatch(text, /data-hits|href="\/stats"/);
  });

  test('assets have a hash of their content in their name, and are cached permanently', async () => {
    const paths = (await get('/docs')).text.match(/\/docs\/assets\/[\w.-]+/g) ?? [];
    assert.equal(paths.length, 4);
    for (const path of paths) {
      const plain = await get(path);
      assert.equal(plain.status, 200, path);
      assert.match(String(plain.headers['cache-control']), /immutable/);
      const packed = await get(path, { headers: { 'accept-encoding': 'gzip, br' } });
      assert.equal(packed.headers['content-encoding'], 'gzip');
      assert.ok(Number(packed.headers['content-length']) < Number(plain.headers['content-length']));
      const refused = await get(path, { headers: { 'accept-encoding': 'gzip;q=0, identity' } });
      assert.equal(refused.headers['content-encoding'], undefined);
      assert.equal((await get(path.replace(/-[0-9a-f]{12}/, '-000000000000'))).status, 404);
    }
    assert.equal((await get('/docs/assets/')).status, 404);
    assert.equal((await get('/docs/assets/../../package.json')).status, 404);
  });

  test('guides have a twin in Markdown, with the addresses of this service in both', async () => {
    for (const { name, title } of guides) {
      const [page, twin] = [await get(`/docs/guides/${name}`), await get(`/docs/guides/${name}.md`)];
      assert.match(
        page.text,
        new RegExp(`<h1 id="[^"]+"><a href="[^"]+">${title.replace(',', ',')}</a></h1>`),
      );
      assert.equal(twin.headers['content-type'], 'text/markdown; charset=utf-8');
      assert.ok(twin.text.startsWith(`# ${title}\n`));
      for (const { text } of [page, twin])
        assert.doesNotMatch(text, /catalogue\.example|\{name\}|<!-- /, name);
      assert.doesNotMatch(twin.text, /^\|.*\|\n[^|\n]/m, `${name}: a text right below a table becomes a row`);
    }
    const { headers } = await get('/docs/guides/paging.md');
    const again = await get('/docs/guides/paging.md', { headers: { 'if-none-match': String(headers.etag) } });
    assert.equal(again.status, 304);
    assert.equal(again.text, '');
  });

  test('/llms.txt leads to the twin of every guide', async () => {
    const { text } = await get('/llms.txt');
    for (const { name } of guides)
      assert.ok(text.includes(`(http://127.0.0.1:1/docs/guides/${name}.md)`), name);
  });

  test('/openapi.json is what `cratebase openapi` prints', async () => {
    const { stdout } = run(['openapi', '--base-url', 'http://127.0.0.1:1']);
    assert.deepEqual(JSON.parse(stdout), (await get('/openapi.json')).json());
  });

  test('the changelog shows every change, newest first', async () => {
    const { text } = await get('/changelog');
    const at = changelog.map(({ date }) => text.indexOf(`datetime="${date}T00:00:00.000Z"`));
    assert.ok(at.every((position) => position > 0));
    assert.deepEqual(
      [...at].sort((a, b) => a - b),
      at,
    );
    assert.equal(
      text.match(/class="tag"/g)?.length ?? 0,
      changelog.filter(({ breaking }) => breaking).length,
    );
  });

  test('the changelog tells the history of this program alone', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
      version: string;
    };
    const { data } = (await get('/changelog.json')).json() as { data: { date: string; text: string }[] };
    const history = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8');
    const released = /^## \S+ \((\d{4}-\d\d-\d\d)\)$/gm;
    const [first] = [...history.matchAll(released)].map(([, date]) => date as string).sort();
    assert.ok(first !== undefined && version !== '');
    for (const { date } of data) assert.ok(date >= first, `${date} is before the first release`);
    assert.match(data.at(-1)?.text ?? '', /^First release/);
  });

  test('missing pages and methods that are not allowed', async () => {
    const missing = await get('/docs/guides/nothing');
    assert.equal(missing.status, 404);
    assert.match(String(missing.headers['content-type']), /text\/html/);
    const refused = await get('/docs', { method: 'DELETE' });
    assert.equal(refused.status, 405);
    assert.equal(refused.headers.allow, 'GET, HEAD');
    const slash = await get('/docs/guides/');
    assert.equal(slash.status, 303);
    assert.equal(slash.headers.location, '/docs/guides');
    const head = await get('/docs', { method: 'HEAD' });
    assert.equal(head.status, 200);
    assert.equal(head.text, '');
  });
});

describe('the key of the reference', () => {
  test('is made for who is signed in, works, is listed, and is revoked', async () => {
    const pages = await servePages({ empty: true });
    const ada = new Person(pages);
    assert.equal((await ada.post('/docs/key', { form: 'a' })).status, 401);
    await ada.signUp('ada@example.com');
    const page = (await ada.open('/docs')).text;
    const [, csrf = ''] = /data-csrf="([^"]+)"/.exec(page) ?? [];
    const [, form = ''] = /data-form="([^"]+)"/.exec(page) ?? [];
    assert.ok(csrf && form);

    assert.equal((await ada.post('/docs/key', { form })).status, 400, 'without a token');
    assert.equal((await ada.post('/docs/key', { form, csrf: 'x' })).status, 400);
    const foreign = await ada.post('/docs/key', { form, csrf }, { 'sec-fetch-site': 'cross-site' });
    assert.equal(foreign.status, 400);
    const older = await ada.send('/docs/key', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://evil.example' },
      body: new URLSearchParams({ form, csrf }).toString(),
    });
    assert.equal(older.status, 400, 'a browser that says its Origin alone');
    assert.equal((await ada.send('/docs/key')).status, 405);

    const made = await ada.post('/docs/key', { form, csrf });
    assert.equal(made.status, 200, made.text);
    assert.equal(made.headers['cache-control'], 'no-store');
    const { id, key } = made.json() as { id: string; key: string };
    const ask = () => ada.send('/api/v1/stats', { headers: { authorization: `Bearer ${key}` } });
    assert.equal((await ask()).status, 200);
    assert.match((await ada.open('/account/developer')).text, /<bdi>Reference<\/bdi>/);
    assert.equal((await ada.post('/docs/key', { form, csrf })).status, 400, 'one form makes one key');

    const eve = new Person(pages);
    await eve.signUp('eve@example.com');
    const [, others = ''] = /data-csrf="([^"]+)"/.exec((await eve.open('/docs')).text) ?? [];
    assert.deepEqual((await eve.post('/docs/key', { csrf: others, revoke: id })).json(), { revoked: false });
    assert.equal((await ask()).status, 200);
    assert.deepEqual((await ada.post('/docs/key', { csrf, revoke: id })).json(), { revoked: true });
    assert.equal((await ask()).status, 401);
  });
});

/** What follows the block that begins in a line. */
const below = (markdown: string, line: number): string =>
  markdown
    .split('\n')
    .slice(line)
    .join('\n')
    .replace(/^[\s\S]*?^```$/m, '');

describe('examples', () => {
  const folder = temporaryFolder();
  let server: Server;
  let bin: string;
  before(async () => {
    bin = makeBin(folder.path);
    server = await startServer({ dataFile: join(folder.path, 'test.db'), plan: 'pro' });
  });
  after(async () => {
    await server.stop();
    folder.remove();
  });
  const placeOf = (name: string): Place => {
    const path = join(folder.path, name);
    mkdirSync(path);
    // These guides assume the data file of a service; one of them also its accounts.
    const data = join(path, 'cratebase.db');
    if (['accounts', 'identity', 'pages', 'signing-in'].includes(name)) importFeed(data, []);
    if (name === 'signing-in') {
      for (const email of ['ada@example.com', 'bob@example.com'])
        run(['accounts', 'create', email, '--data', data]);
    }
    return { folder: path, bin, url: server.url, key: server.key };
  };

  test('in the reference are what the server answers from the starter catalogue', async () => {
    const recorded = JSON.parse(read('src/contract/examples.json')) as unknown;
    assert.deepEqual(
      await recordExamples(),
      recorded,
      'src/contract/examples.json is out of date: npm run docs',
    );
    assert.equal(new Date(recordedAt).toISOString().slice(0, 10), '2026-11-20');
  });

  test('in guides are in languages that run, or are only shown', () => {
    for (const [name, text] of texts) {
      for (const { language, line } of blocksOf(text)) {
        assert.ok(
          [...shownLanguages, 'sh', 'ts', 'js'].includes(language),
          `${name}.md:${line}: ${language}`,
        );
      }
      for (const { language, text: body, line } of blocksOf(text)) {
        if (language === 'json') assert.doesNotThrow(() => JSON.parse(body), `${name}.md:${line}`);
      }
    }
  });

  for (const [name, text] of texts) {
    const blocks = blocksOf(text).filter(({ info }) => info !== 'setup');
    const shell = blocks.filter(({ language }) => language === 'sh');
    const scripts = blocks.filter(({ language }) => language === 'ts' || language === 'js');
    if (shell.length + scripts.length === 0) continue;

    test(`of ${name} run`, () => {
      const place = placeOf(name);
      if (shell.length > 0) {
        const { ran, printed } = runShell(place, shell);
        assert.equal(ran.status, 0, `${name}: ${ran.stdout}\n${ran.stderr}`);
        for (const [index, { info, line }] of shell.entries()) {
          const failed = /"error":\s*\{/.test(printed[index] ?? '');
          assert.equal(failed, info === 'fails', `${name}.md:${line}: ${printed[index]}`);
          // "This prints 200, then 401." right below the block.
          const [, said] = /^\s*This prints (\d[\d, then]*)\./.exec(below(text, line)) ?? [];
          if (said) assert.deepEqual(printed[index]?.split('\n'), said.match(/\d+/g), `${name}.md:${line}`);
        }
      }
      for (const [index, { language, text: body, line }] of scripts.entries()) {
        const file = join(place.folder, `example-${index}.m${language}`);
        writeFileSync(file, body);
        copyFileSync(join(root, 'examples/testing/cratebase.ts'), join(place.folder, 'cratebase.ts'));
        const ran = runIn(place, process.execPath, [file]);
        assert.equal(ran.status, 0, `${name}.md:${line}: ${ran.stdout}\n${ran.stderr}`);
        assert.notEqual(ran.stdout, '', `${name}.md:${line}`);
      }
    });
  }
});

test('every decision has a title, context, decision and consequences, and is in the list', () => {
  const list = read('docs/decisions/README.md');
  const files = readdirSync(join(root, 'docs/decisions')).filter((name) => /^\d.*\.md$/.test(name));
  assert.ok(files.length >= 15);
  for (const file of files) {
    const text = read(relative(root, join(root, 'docs/decisions', file)));
    assert.match(text, /^# .+\n\n/, file);
    for (const section of ['Context', 'Decision', 'Consequences'])
      assert.match(text, new RegExp(`^## ${section}$`, 'm'), `${file}: ${section}`);
    assert.ok(list.includes(`(${file})`), file);
  }
});

test('the threat model names tests that exist', () => {
  const named = read('docs/threat-model.md').match(/`test\/[^`*]+`/g) ?? [];
  assert.ok(named.length >= 20);
  for (const path of named) assert.ok(existsSync(join(root, path.slice(1, -1))), path);
});

test('pages and headings that comments cite exist', () => {
  const cited = ['src', 'test', 'bench'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.(tsx?|mjs|sql)$/.test(path))
      .flatMap((path) =>
        [...read(`${folder}/${path}`).matchAll(/\bdocs\/[\w/-]+\.md(?:#[\w-]+)?/g)].map(([citation]) => ({
          by: `${folder}/${path}`,
          citation,
        })),
      ),
  );
  assert.ok(cited.length >= 80);
  for (const { by, citation } of cited) {
    const [path = '', anchor] = citation.split('#');
    assert.ok(existsSync(join(root, path)), `${by}: ${citation}`);
    if (anchor) assert.ok(anchorsOf(read(path)).has(anchor), `${by}: ${citation}`);
  }
});
