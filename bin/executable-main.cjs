/**
 * The main file of an executable: runs the program with a code cache. Node's own cache has the functions that are compiled
 * when a file is loaded. This one has those of a start and of first requests, too (`recordCodeCache` of build.mjs), so
 * they are not compiled at each start.
 */
const { getRawAsset } = require('node:sea');
const { Script } = require('node:vm');

const read = (name) => Buffer.from(getRawAsset(name));
// The name that stands in stack traces.
const filename = '../main.cjs';
// The program is ASCII, which V8 keeps in one byte per letter.
const script = new Script(read('main.cjs').latin1Slice(), { filename, cachedData: read('main.cache') });
script.runInThisContext()(exports, require, module, __filename, __dirname);
