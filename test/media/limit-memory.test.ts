/** The memory of a WebAssembly module is limited in its file, before it is compiled. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codecFile } from '../../src/assets.ts';
import { codecPaths } from '../../src/media/codec.ts';
import { limitMemory } from '../../src/media/limit-memory.ts';

/** A module with an exported memory "m" of 1 to 32,768 pages, without a maximum if `flags` is 0. */
const moduleWith = (flags: 0 | 1): Buffer =>
  Buffer.from(`0061736d01000000${flags === 1 ? '05060101018080020705' : '05030100010705'}01016d0200`, 'hex');
const memoryOf = (bytes: Uint8Array<ArrayBuffer>): WebAssembly.Memory =>
  new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports.m as WebAssembly.Memory;

test('the memory grows to the limit, and no further', () => {
  const memory = memoryOf(limitMemory(moduleWith(1), 16));
  assert.equal(memory.grow(15), 1);
  assert.throws(() => memory.grow(1), RangeError);
  assert.equal(memoryOf(new Uint8Array(moduleWith(1))).grow(16), 1);
});

test('a module that cannot be limited is refused', () => {
  assert.throws(() => limitMemory(moduleWith(0), 16), /no maximum/);
  assert.throws(() => limitMemory(Buffer.from('0061736d01000000', 'hex'), 16), /no maximum/);
});

test('the AVIF decoder can be limited', () => {
  const file = codecFile(codecPaths.avif);
  const limited = limitMemory(file, 8_192);
  assert.equal(limited.length, file.length);
  assert.notDeepEqual(limited, new Uint8Array(file));
  assert.ok(WebAssembly.validate(limited));
});
