/** Limits the memory of a WebAssembly module below the maximum that its file declares. */

/** Number of the memory section (WebAssembly Core 2.0, section 5.5.8). */
const memorySection = 5;

/**
 * Returns the module with a lower maximum of its memory. Allocations beyond it fail within the module.
 * @param maxPages pages of 64 KB
 * @throws Error if the module has no memory with a maximum, so that it cannot be limited
 */
export function limitMemory(wasm: Uint8Array, maxPages: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(wasm);
  let at = 8;
  const readNumber = (): { value: number; start: number } => {
    const start = at;
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = bytes[at++] as number;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) break;
    }
    return { value, start };
  };
  while (at < bytes.length) {
    const section = bytes[at++];
    const { value: length } = readNumber();
    const end = at + length;
    if (section === memorySection) {
      readNumber();
      const { value: flags } = readNumber();
      readNumber();
      const { value: max, start } = readNumber();
      if ((flags & 1) === 0 || max < maxPages) break;
      // The same number of bytes: all but the last have the continuation bit.
      for (let index = start, rest = maxPages; index < at; index++, rest >>>= 7)
        bytes[index] = (rest & 0x7f) | (index < at - 1 ? 0x80 : 0);
      return bytes;
    }
    at = end;
  }
  throw new Error('the memory of the module has no maximum');
}
