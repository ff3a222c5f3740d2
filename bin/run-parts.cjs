/** Runs a program in parts (`bin/program-parts.mjs`). A part is compiled when another imports it first. */
const v8 = require('node:v8');
const { Script } = require('node:vm');
const { makePack } = require('./part-pack.cjs');

/** The part that runs first. */
const mainPart = './main.js';

/** The flags of V8 that the program sets while it runs, with their values at a start. */
const flagsAtStart = { '--heap-growing-percent': '0', '--semi-space-growth-factor': '2' };

/**
 * Makes the script of a part.
 * @param {Buffer} code its text, in ASCII, which V8 keeps in one byte per letter
 * @param {Buffer | undefined} cachedData its code cache
 */
const scriptOf = (name, code, cachedData) => new Script(code.latin1Slice(), { filename: name, cachedData });

/**
 * The flags that the program has set. V8 accepts a code cache only under the flags under which it was made: parts that are
 * imported later are compiled under those of a start, too.
 */
class Flags {
  #apply = v8.setFlagsFromString;
  #set = new Map();

  /** From now on, `v8.setFlagsFromString` notes which flags are set. */
  watch() {
    v8.setFlagsFromString = (flag) => {
      const [name] = flag.split('=', 1);
      if (Object.hasOwn(flagsAtStart, name)) this.#set.set(name, flag);
      this.#apply(flag);
    };
  }

  /** Calls `compile` under the flags of a start, and sets the others again. */
  atStart(compile) {
    for (const name of this.#set.keys()) this.#apply(`${name}=${flagsAtStart[name]}`);
    try {
      return compile();
    } finally {
      for (const flag of this.#set.values()) this.#apply(flag);
    }
  }
}

/**
 * Runs the part `main.js` and those it imports.
 *
 * @param {{ get(name: string): Buffer }} code the texts of the parts
 * @param {{ get(name: string): Buffer | undefined }} caches their code caches
 * @param {unknown[]} values the main file's `require`, `module`, `exports`, `__filename` and `__dirname`
 * @param {(name: string, script: Script) => void} [onScript] called for each part that is compiled
 */
function runParts(code, caches, values, onScript) {
  const [requireModule] = values;
  const loaded = new Map();
  const flags = new Flags();
  flags.watch();
  const requirePart = (path) => {
    const name = path.slice('./'.length);
    if (loaded.has(name)) return loaded.get(name);
    const script = flags.atStart(() => scriptOf(name, code.get(name), caches.get(name)));
    onScript?.(name, script);
    const exported = script.runInThisContext()(parts, ...values);
    loaded.set(name, exported);
    return exported;
  };
  const parts = {
    require: requirePart,
    /** Stands for `import()`: a module of Node.js is its own default. */
    async import(name) {
      if (name.startsWith('./')) return requirePart(name);
      const module = requireModule(name);
      return { ...module, default: module };
    },
  };
  requirePart(mainPart);
}

/**
 * Runs the parts without code caches, and makes a pack of caches with all functions that have run when the process ends.
 *
 * @param {import('./part-pack.cjs').Pack} code the texts of the parts
 * @param {unknown[]} values as for `runParts`
 * @param {(caches: Buffer) => void} save receives the pack
 */
function recordCaches(code, values, save) {
  // V8 refuses a cache that was made with other flags than those of a start, and some commands set flags.
  v8.setFlagsFromString = () => {};
  const scripts = new Map();
  process.on('exit', () => {
    // A part that was not needed has its outermost functions in its cache: V8 need not look through all others.
    for (const name of code.names) if (!scripts.has(name)) scripts.set(name, scriptOf(name, code.get(name)));
    save(makePack([...scripts].map(([name, script]) => [name, script.createCachedData()])));
  });
  runParts(code, new Map(), values, (name, script) => scripts.set(name, script));
}

module.exports = { flagsAtStart, recordCaches, runParts, scriptOf };
