/** The parts of the program: ES modules that esbuild splits become functions. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { makePack, openPack, readFrom } from '../../bin/part-pack.cjs';
import { makeParts } from '../../bin/program-parts.mjs';
import { flagsAtStart, runParts } from '../../bin/run-parts.cjs';

const bin = fileURLToPath(new URL('../../bin/', import.meta.url));
const partsOf = (sources: Record<string, string>) =>
  makeParts(Object.entries(sources).map(([name, text]) => ({ path: `/parts/${name}`, text })));

/** Runs parts, and returns what they say with `module.exports.push`, and the names of the compiled parts in turn. */
async function run(sources: Record<string, string>): Promise<{ said: unknown[]; compiled: string[] }> {
  const code = new Map([...partsOf(sources)].map(([name, text]) => [name, Buffer.from(text, 'latin1')]));
  const said: unknown[] = [];
  const compiled: string[] = [];
  const values = [createRequire(import.meta.url), { exports: said }, said, 'main.js', '/'];
  runParts(code as { get(name: string): Buffer }, new Map(), values, (name) => compiled.push(name));
  await new Promise(setImmediate);
  return { said, compiled };
}

describe('parts of the program', () => {
  it('import each other, and on demand', async () => {
    const { said, compiled } = await run({
      'main.js': `import{one as first,"two words"as words}from"./chunk-A.js";import"./chunk-B.js";
        const say=(...all)=>module.exports.push(...all);say(first,words(),this===undefined);
        import("./chunk-C.js").then(({default:c,late})=>say(c,late));`,
      'chunk-A.js': `var one=1;function two(){return/é/.source}export{one,two as"two words"};`,
      'chunk-B.js': `module.exports.push("before main");`,
      'chunk-C.js': `import{one}from"./chunk-A.js";module.exports.push("on demand");var c=class{};c=one+1;export{c as default,one as late};`,
    });
    assert.deepEqual(said, ['before main', 1, '\\u00e9', true, 'on demand', 2, 1]);
    assert.deepEqual(compiled, ['main.js', 'chunk-A.js', 'chunk-B.js', 'chunk-C.js']);
  });

  it('import modules of Node.js', async () => {
    const { said } = await run({
      'main.js': `import path,{join}from"node:path";import*as all from"node:path";
        module.exports.push(join===path.join,all.join===join);
        import("node:path").then((later)=>module.exports.push(later.join===join,later.default===path));`,
    });
    assert.deepEqual(said, [true, true, true, true]);
  });

  it('can be needed again after a failure', async () => {
    const { said } = await run({
      'main.js': `globalThis.attempts=0;const say=(text)=>module.exports.push(text);
        const load=()=>import("./chunk-A.js").then(({a})=>say(a),(failure)=>say(failure.message));
        load().then(load);`,
      'chunk-A.js': `if(++globalThis.attempts===1)throw new Error("first");var a="second";export{a};`,
    });
    assert.deepEqual(said, ['first', 'second']);
  });

  it('are compiled from their code caches although the program has set flags', (t) => {
    const set = Object.keys(flagsAtStart).map((name) => `setFlagsFromString("${name}=3");`);
    const parts = partsOf({
      'main.js': `import{setFlagsFromString}from"node:v8";${set.join('')}import("./chunk-A.js");`,
      'chunk-A.js': 'var a=1;export{a};',
    });
    const folder = mkdtempSync(join(tmpdir(), 'cratebase-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const [code, caches] = [join(folder, 'code'), join(folder, 'caches')];
    writeFileSync(code, makePack([...parts].map(([name, text]) => [name, Buffer.from(text, 'latin1')])));
    const inOwnProcess = (script: string) => {
      const requires = ['part-pack', 'run-parts'].map(
        (name) => `...require(${JSON.stringify(`${bin}${name}.cjs`)})`,
      );
      const begin = `const fs=require('node:fs');const{openPack,readFrom,recordCaches,runParts,scriptOf}={${requires}};
        const values=[require,module,exports,'',''];const open=(file)=>openPack(readFrom(fs.readFileSync(file)));
        const[code,caches]=${JSON.stringify([code, caches])};`;
      const { stdout, stderr } = spawnSync(process.execPath, ['-e', begin + script], { encoding: 'utf8' });
      assert.equal(stderr, '');
      return stdout;
    };
    inOwnProcess('recordCaches(open(code),values,(made)=>fs.writeFileSync(caches,made));');
    const rejected = inOwnProcess(
      `runParts(open(code),open(caches),values,(name,script)=>console.log(name,script.cachedDataRejected));`,
    );
    assert.equal(rejected, 'main.js false\nchunk-A.js false\n');
    const underFlags = inOwnProcess(
      `runParts(open(code),open(caches),values,()=>{});
       console.log(scriptOf('again',open(code).get('chunk-A.js'),open(caches).get('chunk-A.js')).cachedDataRejected);`,
    );
    assert.equal(underFlags, 'true\n', 'the flags stay in force');
  });

  it('set no flags of V8 but those, except for a moment', () => {
    const folder = new URL('../../src/', import.meta.url);
    const set = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => [
        ...readFileSync(new URL(file, folder), 'utf8').matchAll(/setFlagsFromString\(\W*([^='`]*)/g),
      ])
      .map(([, name]) => `--${name}`);
    const momentary = ['--expose-gc', '--no-expose-gc'];
    assert.deepEqual(new Set(set), new Set([...Object.keys(flagsAtStart), ...momentary]));
  });

  type Refused = [what: string, sources: Record<string, string>, error: RegExp];
  const refused: Refused[] = [
    [
      'import each other in a circle',
      {
        'main.js': 'import{a}from"./chunk-A.js";a();',
        'chunk-A.js': 'import{b}from"./chunk-B.js";function a(){b()}export{a};',
        'chunk-B.js': 'import{a}from"./chunk-A.js";function b(){a()}export{b};',
      },
      /import each other: main\.js, chunk-A\.js, chunk-B\.js, chunk-A\.js/,
    ],
    ...['n++', '[,n=2]=[]', '({a:[...n]}={a:[]})', 'for(n of[]);'].map(
      (change): Refused => [
        `change what they export: ${change}`,
        { 'a.js': `let n=0;function next(){${change}}export{n,next};` },
        /exported n, or a variable of this name, is changed later/,
      ],
    ),
    ['need their address', { 'a.js': 'var at=import.meta.url;export{at};' }, /a\.js: import\.meta/],
    ['import a variable name', { 'a.js': 'const load=(name)=>import(name);export{load};' }, /variable name/],
    ['export before their end', { 'a.js': 'export const a=1;a;' }, /an export before the end/],
    ['export all of another', { 'a.js': 'export*from"./b.js";' }, /ExportAllDeclaration/],
  ];
  for (const [what, sources, error] of refused)
    it(`are refused if they ${what}`, () => assert.throws(() => partsOf(sources), error));
});

describe('a pack', () => {
  it('has its contents by name', () => {
    const contents: [string, Buffer][] = [
      ['empty', Buffer.alloc(0)],
      ['é "quoted"', Buffer.from('one')],
      ['large', Buffer.alloc(100_001, 7)],
    ];
    const bytes = makePack(contents);
    const starts: number[] = [];
    const { names, get } = openPack((start, length) => {
      starts.push(start);
      return bytes.subarray(start, start + length);
    });
    assert.deepEqual(
      names,
      contents.map(([name]) => name),
    );
    for (const [name, content] of contents) assert.deepEqual(get(name), content);
    assert.equal(get('missing'), undefined);
    // V8 copies code caches that start elsewhere.
    assert.ok(starts.slice(2).every((start) => start % 16 === 0));
  });

  it('can be empty', () => {
    const bytes = makePack([]);
    assert.deepEqual(openPack(readFrom(bytes)).names, []);
  });
});
