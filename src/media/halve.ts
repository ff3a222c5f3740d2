/**
 * Halves large images before the resizer, which holds each of their pixels in 16 bytes more: an image of 24 megapixels
 * would take 800 MB.
 */

/** Pixels, 4 bytes each: red, green, blue, alpha. */
export type Rgba = { width: number; height: number; data: Uint8Array };

/** Images with fewer pixels go to the resizer as they are. */
const minPixels = 1_000_000;

/** Halves an image as often as possible without making it narrower than `width`. */
export function halveTowards(image: Rgba, width: number): Rgba {
  let current = image;
  while (current.width * current.height > minPixels && current.width >= 2 * width && current.height > 1)
    current = halve(current);
  return current;
}

/** Each pixel of the result is the mean of four. A last odd row or column is left out. */
function halve({ width, height, data }: Rgba): Rgba {
  const [columns, rows] = [width >> 1, height >> 1];
  const result = new Uint8Array(columns * rows * 4);
  const stride = width * 4;
  let to = 0;
  for (let row = 0; row < rows; row += 1) {
    let from = row * 2 * stride;
    for (let column = 0; column < columns; column += 1, from += 8, to += 4) {
      writeMean(data, from, stride, result, to);
    }
  }
  return { width: columns, height: rows, data: result };
}

/** Writes the mean of a square of four pixels. The colour of a transparent pixel counts less. */
function writeMean(data: Uint8Array, from: number, stride: number, result: Uint8Array, to: number): void {
  const below = from + stride;
  const [a, b] = [data[from + 3] as number, data[from + 7] as number];
  const [c, d] = [data[below + 3] as number, data[below + 7] as number];
  const alpha = a + b + c + d;
  result[to + 3] = (alpha + 2) >> 2;
  if (alpha === 0) return;
  for (let colour = 0; colour < 3; colour += 1) {
    const sum =
      (data[from + colour] as number) * a +
      (data[from + colour + 4] as number) * b +
      (data[below + colour] as number) * c +
      (data[below + colour + 4] as number) * d;
    result[to + colour] = Math.round(sum / alpha);
  }
}
