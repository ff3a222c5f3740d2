/** Draws the icon of the program as a PNG: the bars of src/pages/assets.ts, on a light ground. */
import { crc32, deflateSync } from 'node:zlib';

const ground = [0xfa, 0xf8, 0xf3];
const ink = [0x1a, 0x18, 0x14];
const accent = [0xd9, 0x48, 0x0f];
/** Bars in a square of 24 units: left, top, width, height, colour. */
const bars = [
  [2, 8, 3, 14, ink],
  [7, 8, 3, 14, ink],
  [12, 2, 3, 20, accent],
  [17, 8, 3, 14, ink],
];

/** Returns the icon as a PNG of size × size pixels. */
export function drawIcon(size) {
  const unit = size / 28;
  const colorAt = (x, y) =>
    bars.find(([left, top, width, height]) => {
      const [column, row] = [x / unit - 3, y / unit - 2];
      return column >= left && column < left + width && row >= top && row < top + height;
    })?.[4] ?? ground;
  const rows = Buffer.alloc(size * (1 + size * 3));
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) rows.set(colorAt(x, y), y * (1 + size * 3) + 1 + x * 3);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  // 8 bits per channel, red, green and blue.
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type, body) {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), body]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length);
  sum.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, sum]);
}
