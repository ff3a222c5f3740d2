/**
 * The main file of an executable: runs the program's parts with a code cache. Node's own cache has the functions that are
 * compiled when a file is loaded. This one has those of a start and of first requests, too (`recordCodeCache` of
 * build.mjs), so they are not compiled at each start.
 */
const { getRawAsset } = require('node:sea');
const { openPack, readFrom } = require('./part-pack.cjs');
const { runParts } = require('./run-parts.cjs');

const open = (name) => openPack(readFrom(Buffer.from(getRawAsset(name))));
const values = [require, module, exports, __filename, __dirname];
runParts(open('program.parts'), open('program.cache'), values);
