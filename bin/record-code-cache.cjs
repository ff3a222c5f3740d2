/**
 * The main file of the executable that build.mjs makes and runs first (`bin/build-code-cache.mjs`). It writes the code
 * caches of the parts when the process ends, with all functions that have run, or checks whether V8 accepts such caches.
 */
const { readFileSync, writeFileSync } = require('node:fs');
const { getRawAsset } = require('node:sea');
const { openPack, readFrom } = require('./part-pack.cjs');
const { recordCaches, scriptOf } = require('./run-parts.cjs');

const { CRATEBASE_CODE_CACHE: output, CRATEBASE_CODE_CACHE_CHECK: checked } = process.env;
// Not for the processes that a service starts.
delete process.env.CRATEBASE_CODE_CACHE;
const code = openPack(readFrom(Buffer.from(getRawAsset('program.parts'))));
if (checked !== undefined) {
  const caches = openPack(readFrom(readFileSync(checked)));
  const isRefused = (name) => scriptOf(name, code.get(name), caches.get(name)).cachedDataRejected;
  process.exit(code.names.some(isRefused) ? 1 : 0);
}
const values = [require, module, exports, __filename, __dirname];
recordCaches(code, values, (caches) => writeFileSync(output, caches));
