/**
 * Packs: the parts of a program, or their code caches, in one file each. A pack starts with the length of its table in 8
 * digits and the table in JSON, by name the place and the length of each content.
 */
const lengthDigits = 8;
/** V8 copies a code cache that does not start at a multiple of this. */
const alignment = 16;
const alignUp = (at) => Math.ceil(at / alignment) * alignment;

/**
 * Makes a pack.
 * @param {Iterable<[name: string, content: Uint8Array]>} contents
 * @returns {Buffer}
 */
function makePack(contents) {
  const table = {};
  const chunks = [];
  let end = 0;
  for (const [name, content] of contents) {
    const start = alignUp(end);
    chunks.push(Buffer.alloc(start - end), content);
    table[name] = [start, content.length];
    end = start + content.length;
  }
  const text = Buffer.from(JSON.stringify(table));
  const tableLength = alignUp(lengthDigits + text.length) - lengthDigits;
  const spaces = Buffer.alloc(tableLength - text.length, ' ');
  const digits = Buffer.from(String(tableLength).padStart(lengthDigits, '0'));
  return Buffer.concat([digits, text, spaces, ...chunks]);
}

/** Reads pieces of a pack that is in memory. */
const readFrom = (bytes) => (start, length) => bytes.subarray(start, start + length);

/**
 * Opens a pack.
 * @param {(start: number, length: number) => Buffer} read reads a piece of it
 * @returns {{ names: string[], get: (name: string) => Buffer | undefined }}
 */
function openPack(read) {
  const tableLength = Number(read(0, lengthDigits).toString());
  const table = JSON.parse(read(lengthDigits, tableLength).toString());
  const base = lengthDigits + tableLength;
  return {
    names: Object.keys(table),
    get(name) {
      const place = table[name];
      return place && read(base + place[0], place[1]);
    },
  };
}

module.exports = { makePack, openPack, readFrom };
