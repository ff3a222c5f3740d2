/** Reads the widths of a TrueType font (OpenType 1.9: tables `cmap`, `head`, `hhea` and `hmtx`), to break lines. */

export type Font = {
  /** Whether the font has a glyph for a character. */
  has(character: string): boolean;
  /** The width of a text at a size in pixels, without kerning. */
  width(text: string, size: number): number;
};

type Tables = ReadonlyMap<string, DataView>;

function readTables(bytes: Uint8Array): Tables {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const tables = new Map<string, DataView>();
  for (let index = 0; index < view.getUint16(4); index += 1) {
    const at = 12 + index * 16;
    const tag = String.fromCharCode(...bytes.subarray(at, at + 4));
    const [offset, length] = [view.getUint32(at + 8), view.getUint32(at + 12)];
    tables.set(tag, new DataView(bytes.buffer, bytes.byteOffset + offset, length));
  }
  return tables;
}

function table(tables: Tables, tag: string): DataView {
  const view = tables.get(tag);
  if (view === undefined) throw new Error(`the font has no table ${tag}`);
  return view;
}

/** Reads the glyphs of all characters from a subtable of format 4 or 12. */
function readCharacters(cmap: DataView): Map<number, number> {
  const glyphs = new Map<number, number>();
  for (let index = 0; index < cmap.getUint16(2); index += 1) {
    const at = cmap.getUint32(4 + index * 8 + 4);
    const format = cmap.getUint16(at);
    if (format === 4) readSegments(cmap, at, glyphs);
    else if (format === 12) readGroups(cmap, at, glyphs);
  }
  return glyphs;
}

function readSegments(cmap: DataView, at: number, glyphs: Map<number, number>): void {
  const twice = cmap.getUint16(at + 6);
  for (let segment = 0; segment < twice; segment += 2) {
    const end = cmap.getUint16(at + 14 + segment);
    const start = cmap.getUint16(at + 16 + twice + segment);
    const delta = cmap.getUint16(at + 16 + twice * 2 + segment);
    const rangeAt = at + 16 + twice * 3 + segment;
    const range = cmap.getUint16(rangeAt);
    for (let code = start; code <= end && code !== 0xffff; code += 1) {
      const raw = range === 0 ? code : cmap.getUint16(rangeAt + range + (code - start) * 2);
      const glyph = raw === 0 ? 0 : (raw + delta) & 0xffff;
      if (glyph !== 0) glyphs.set(code, glyph);
    }
  }
}

function readGroups(cmap: DataView, at: number, glyphs: Map<number, number>): void {
  for (let group = 0; group < cmap.getUint32(at + 12); group += 1) {
    const [start, end, first] = [0, 4, 8].map((part) => cmap.getUint32(at + 16 + group * 12 + part));
    for (let code = start as number; code <= (end as number); code += 1)
      glyphs.set(code, (first as number) + code - (start as number));
  }
}

/** Reads a font. @param bytes a TrueType file that is part of the program */
export function readFont(bytes: Uint8Array): Font {
  const tables = readTables(bytes);
  const unitsPerEm = table(tables, 'head').getUint16(18);
  const longMetrics = table(tables, 'hhea').getUint16(34);
  const metrics = table(tables, 'hmtx');
  const glyphs = readCharacters(table(tables, 'cmap'));
  const advance = (glyph: number): number => metrics.getUint16(Math.min(glyph, longMetrics - 1) * 4);
  return {
    has: (character) => glyphs.has(character.codePointAt(0) as number),
    width: (text, size) => {
      let units = 0;
      for (const character of text) units += advance(glyphs.get(character.codePointAt(0) as number) ?? 0);
      return (units * size) / unitsPerEm;
    },
  };
}
