/**
 * The main file of the executable that build.mjs makes and runs first (`bin/build-code-cache.mjs`). It writes the code
 * cache of all functions that have run when the process ends, or checks whether V8 accepts such a cache.
 */
const { readFileSync, writeFileSync } = require('node:fs');
const { getRawAsset } = require('node:sea');
const v8 = require('node:v8');
const { Script } = require('node:vm');

// V8 refuses a cache that was made with other flags than those of a start, and services set some.
v8.setFlagsFromString = () => {};
const { CRATEBASE_CODE_CACHE: output, CRATEBASE_CODE_CACHE_CHECK: checked } = process.env;
// Not for the processes that a service starts.
delete process.env.CRATEBASE_CODE_CACHE;
const cachedData = checked === undefined ? undefined : readFileSync(checked);
const source = Buffer.from(getRawAsset('main.cjs')).latin1Slice();
const script = new Script(source, { filename: '../main.cjs', cachedData });
if (checked !== undefined) process.exit(script.cachedDataRejected ? 1 : 0);
process.on('exit', () => writeFileSync(output, script.createCachedData()));
script.runInThisContext()(exports, require, module, __filename, __dirname);
