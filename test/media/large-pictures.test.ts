/** Large and damaged images: the memory of the service, and its log. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { halveTowards } from '../../src/media/halve.ts';
import { animatedGif, png } from './images.ts';

const folder = mkdtempSync(join(tmpdir(), 'large-pictures-'));
after(() => rmSync(folder, { recursive: true }));

/** Converts an image in a process of its own. Returns what it prints besides its last line: sizes and memory in MB. */
function convert(bytes: Uint8Array): { printed: string; sizes: number[][]; grownMb: number } {
  const file = join(folder, 'image');
  writeFileSync(file, bytes);
  const script = `
    import { readFileSync } from 'node:fs';
    import { ImageCodec } from './src/media/codec.ts';
    const bytes = readFileSync(${JSON.stringify(file)});
    const before = process.resourceUsage().maxRSS;
    const codec = new ImageCodec();
    const sizes = await codec.convert(bytes);
    const grownMb = (process.resourceUsage().maxRSS - before) / 1024;
    await codec.close();
    console.log('\\n' + JSON.stringify({ sizes: sizes.map(({ width, height }) => [width, height]), grownMb }));`;
  const args = ['--import', 'tsx', '--input-type=module', '--eval', script];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  const lines = stdout.trimEnd().split('\n');
  return { ...JSON.parse(lines.pop() as string), printed: lines.join('') + stderr };
}

describe('large and damaged pictures', () => {
  test('a picture of 24 megapixels takes less than 550 MB for a moment', () => {
    const { sizes, grownMb } = convert(png(6_000, 4_000, [200, 40, 40]));
    assert.deepEqual(sizes.at(-1), [1_200, 800]);
    assert.ok(grownMb < 550, `${grownMb} MB`);
  });

  test('a damaged GIF writes nothing into the log of the service', () => {
    const size = (hex: string) => hex.replace('39610200020080', '39611400140080');
    const frame = (hex: string) => hex.replace('2c0000000002000200', '2c0000000014001400');
    const { printed, sizes } = convert(Buffer.from(frame(size(animatedGif.toString('hex'))), 'hex'));
    assert.deepEqual([printed, sizes], ['', [[20, 20]]]);
  });
});

describe('halving', () => {
  const fill = (width: number, height: number, pixels: readonly number[]) => ({
    width,
    height,
    data: Uint8Array.from({ length: width * height * 4 }, (_, at) => pixels[at % pixels.length] as number),
  });

  test('takes the mean of four pixels, and leaves transparent colour out', () => {
    const { width, height, data } = halveTowards(fill(2_002, 1_001, [200, 100, 0, 255, 0, 0, 90, 0]), 1_001);
    assert.deepEqual([width, height, ...data.subarray(0, 4)], [1_001, 500, 200, 100, 0, 128]);
    assert.deepEqual([...data.subarray(-4)], [200, 100, 0, 128]);
  });

  test('stops before the picture is narrower than needed, has one row, or is small', () => {
    const widthOf = (width: number, height: number, target: number) =>
      halveTowards(fill(width, height, [1, 2, 3, 255]), target).width;
    assert.deepEqual(
      [
        widthOf(4_799, 1_000, 1_200),
        widthOf(2_399, 1_000, 1_200),
        widthOf(1_100_000, 1, 96),
        widthOf(900, 900, 96),
      ],
      [2_399, 2_399, 1_100_000, 900],
    );
  });
});
