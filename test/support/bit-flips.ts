/** Random bits in the used bytes of a data file: cells and headers, not free space. */
import { readFileSync } from 'node:fs';
import Database from 'better-sqlite3';

export type Flip = { offset: number; bit: number; owner: string };

type Page = { pageno: number; name: string; pagetype: string; payload: number; unused: number };

/** Returns the pages of all tables and indexes (`dbstat`), without free pages. */
export function pagesOf(path: string): Page[] {
  const sqlite = new Database(path, { readonly: true });
  try {
    return sqlite.prepare('SELECT pageno, name, pagetype, payload, unused FROM dbstat').all() as Page[];
  } finally {
    sqlite.close();
  }
}

/** Returns a generator of whole numbers below a bound, seeded (mulberry32). */
export function random(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/** Returns one bit in a used byte of each of `count` random pages. */
export function* flips(path: string, count: number, seed: number): Generator<Flip> {
  const content = readFileSync(path);
  const pageBytes = content.readUInt16BE(16) === 1 ? 65_536 : content.readUInt16BE(16);
  const pages = pagesOf(path);
  const below = random(seed);
  for (let made = 0; made < count; ) {
    const page = pages[below(pages.length)] as Page;
    const start = (page.pageno - 1) * pageBytes;
    const at = below(pageBytes);
    if (!isUsed(content.subarray(start, start + pageBytes), page, at)) continue;
    made++;
    yield { offset: start + at, bit: below(8), owner: page.name };
  }
}

/** Whether the byte is part of a header, a pointer, or a cell (https://sqlite.org/fileformat2.html#b_tree_pages). */
function isUsed(bytes: Buffer, { pageno, pagetype, unused }: Page, at: number): boolean {
  if (pagetype === 'overflow') return at < bytes.length - unused;
  const head = pageno === 1 ? 100 : 0;
  // Of the file's header SQLite looks at the most, and keeps some for later.
  if (at < head) return at < 72 && at >= 16;
  const isLeaf = bytes[head] === 0x0a || bytes[head] === 0x0d;
  const cells = bytes.readUInt16BE(head + 3);
  const first = bytes.readUInt16BE(head + 5) || 65_536;
  if (at < head + (isLeaf ? 8 : 12) + 2 * cells) return at !== head + 7;
  if (at < first) return false;
  for (let free = bytes.readUInt16BE(head + 1); free !== 0; free = bytes.readUInt16BE(free)) {
    if (at >= free && at < free + bytes.readUInt16BE(free + 2)) return at < free + 4;
  }
  return true;
}
