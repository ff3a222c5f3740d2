/** Images in, WebP out: what is decoded, what is refused, and what never passes. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, describe, test } from 'node:test';
import createWebpDecoder from '@jsquash/webp/codec/dec/webp_dec.js';
import { ImageCodec } from '../../src/media/codec.ts';
import { maxPixels, readImageHeader } from '../../src/media/image-type.ts';
import { JobFailure } from '../../src/thread-jobs.ts';
import { animatedGif, avif, bombGif, bombPng, heic, html, jpeg, png, svg, withStatedSize } from './images.ts';

const codec = new ImageCodec();
after(() => codec.close());

type Pixels = { width: number; height: number; data: Uint8ClampedArray };
const require = createRequire(import.meta.url);

/** Decodes WebP with a codec of this process. */
async function decode(bytes: Uint8Array): Promise<Pixels> {
  const wasm = new WebAssembly.Module(readFileSync(require.resolve('@jsquash/webp/codec/dec/webp_dec.wasm')));
  const create = createWebpDecoder as unknown as (
    options: object,
  ) => Promise<{ decode(bytes: Uint8Array): Pixels }>;
  const decoder = await create({
    noInitialRun: true,
    instantiateWasm: (imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) => {
      const instance = new WebAssembly.Instance(wasm, imports);
      done(instance);
      return instance.exports;
    },
  });
  return decoder.decode(bytes);
}

const isNear = (pixels: Pixels, colour: readonly number[]) =>
  colour.every((value, at) => Math.abs((pixels.data[at] as number) - value) < 24);

describe('conversion', () => {
  test('a PNG becomes WebP in each smaller size and its own', async () => {
    const sizes = await codec.convert(png(700, 350, [200, 40, 40]));
    assert.deepEqual(
      sizes.map(({ width, height }) => [width, height]),
      [
        [96, 48],
        [320, 160],
        [640, 320],
        [700, 350],
      ],
    );
    for (const { bytes, width } of sizes) {
      assert.equal(Buffer.from(bytes).toString('latin1', 8, 12), 'WEBP');
      const pixels = await decode(bytes);
      assert.equal(pixels.width, width);
      assert.ok(isNear(pixels, [200, 40, 40]), String(pixels.data.slice(0, 4)));
    }
  });

  test('an AVIF becomes WebP, also with transparency', async () => {
    for (const alpha of [255, 128]) {
      const sizes = await codec.convert(await avif(400, 200, [40, 160, 60], alpha));
      assert.deepEqual(
        sizes.map(({ width, height }) => [width, height]),
        [
          [96, 48],
          [320, 160],
          [400, 200],
        ],
      );
      const pixels = await decode(sizes[2]?.bytes as Uint8Array);
      assert.ok(isNear(pixels, [40, 160, 60, alpha]), String(pixels.data.slice(0, 4)));
    }
  });

  test('a JPEG keeps its picture and loses where it was taken', async () => {
    const original = await jpeg(400, 300);
    assert.match(original.toString('latin1'), /SecretCamera/);
    const sizes = await codec.convert(original);
    assert.deepEqual(
      sizes.map(({ width }) => width),
      [96, 320, 400],
    );
    for (const { bytes } of sizes)
      assert.doesNotMatch(Buffer.from(bytes).toString('latin1'), /SecretCamera|Exif/i);
    const pixels = await decode((sizes[2] as { bytes: Uint8Array }).bytes);
    const at = (150 * 400 + 200) * 4;
    assert.ok(Math.abs((pixels.data[at] as number) - 200) < 12, 'red follows the column');
    assert.ok(Math.abs((pixels.data[at + 1] as number) - 150) < 12, 'green follows the row');
  });

  test('a WebP is read as well, and a large image is never enlarged', async () => {
    const [first] = await codec.convert(png(50, 40, [10, 120, 10]));
    const again = await codec.convert((first as { bytes: Uint8Array }).bytes);
    assert.deepEqual(
      again.map(({ width, height }) => [width, height]),
      [[50, 40]],
    );
  });

  test('an animated GIF stands still on its first image', async () => {
    const [only, ...others] = await codec.convert(animatedGif);
    assert.equal(others.length, 0);
    const pixels = await decode((only as { bytes: Uint8Array }).bytes);
    assert.ok(isNear(pixels, [255, 0, 0]), String(pixels.data.slice(0, 4)));
  });

  test('a long strip is cut', async () => {
    const [only] = await codec.convert(png(20, 200, [0, 0, 200]));
    assert.equal(only?.height, 60);
  });

  test('text and markup within an image do not pass', async () => {
    const sizes = await codec.convert(
      Buffer.concat([png(30, 30, [9, 9, 9], '<script>alert(1)</script>'), html]),
    );
    for (const { bytes } of sizes) assert.doesNotMatch(Buffer.from(bytes).toString('latin1'), /script/);
  });
});

describe('refusal', () => {
  const refuses = (bytes: Buffer, reason: RegExp) =>
    assert.rejects(codec.convert(bytes), (failure: Error) => {
      assert.ok(failure instanceof JobFailure);
      assert.match(failure.message, reason);
      return true;
    });

  test('SVG, HTML and other bytes are not images, whatever their name', async () => {
    await refuses(svg, /^not an image$/);
    await refuses(html, /^not an image$/);
    await refuses(Buffer.alloc(0), /^not an image$/);
    await refuses(Buffer.from('GIF89x'), /^not an image$/);
  });

  test('a bomb is refused by its header, before it is decoded', async () => {
    await refuses(bombPng(30_000, 30_000), /^too many pixels$/);
    await refuses(bombPng(0, 10), /^incomplete$/);
    assert.equal(readImageHeader(bombPng(6_001, 4_000)), 'too many pixels');
    assert.equal(maxPixels, 24_000_000);
  });

  test('a GIF whose image is larger than the whole is refused before memory is reserved for it', async () => {
    assert.deepEqual(readImageHeader(bombGif), { type: 'gif', width: 2, height: 2 });
    const startedAt = performance.now();
    await refuses(bombGif, /^not decodable$/);
    assert.ok(performance.now() - startedAt < 9_000);
  });

  test('HEIC is refused by its name', async () => {
    await refuses(heic, /^HEIC is not decoded$/);
    await refuses(heic.subarray(0, 10), /^not an image$/);
  });

  test('an AVIF with other pixels than it states is refused, and takes no more memory than the decoder may have', async () => {
    const image = await avif(2_000, 1_500, [10, 20, 30]);
    assert.deepEqual(readImageHeader(image), { type: 'avif', width: 2_000, height: 1_500 });
    assert.equal(readImageHeader(withStatedSize(image, 60_000, 60_000)), 'too many pixels');
    assert.equal(readImageHeader(withStatedSize(image, 6_001, 4_000)), 'too many pixels');
    assert.equal(readImageHeader(image.subarray(0, 60)), 'incomplete');
    await refuses(withStatedSize(image, 20, 20), /./);
    await refuses(image.subarray(0, image.length - 20), /./);
  });

  test('an image that ends early fails, and the next one is converted', async () => {
    const whole = await jpeg(300, 300);
    await refuses(whole.subarray(0, 150), /^(incomplete|.+)$/);
    await refuses(png(300, 300, [1, 2, 3]).subarray(0, 60), /.+/);
    const after = await codec.convert(whole);
    assert.equal(after.length, 2);
  });

  test('an image that takes too long ends the thread, and the next one is converted', async () => {
    const hasty = new ImageCodec({ timeoutMs: 1 });
    await assert.rejects(hasty.convert(png(2_000, 2_000, [1, 2, 3])), /took too long/);
    await hasty.close();
    assert.equal((await codec.convert(png(10, 10, [1, 2, 3]))).length, 1);
  });

  test('closing fails what waits', async () => {
    const closing = new ImageCodec();
    const pending = closing.convert(png(10, 10, [1, 2, 3]));
    const ended = assert.rejects(pending, /stopped/);
    await closing.close();
    await ended;
  });
});
