/** `slot.json` in the folder of a node: which publication each of its two slots holds. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export type SlotName = 'a' | 'b';
/** What a slot holds. `root` is that of the tree of hashes over its pages. */
export type SlotState = { publication: number; revision: number; root: string };
export type SlotFile = { serving: SlotName | null; a: SlotState | null; b: SlotState | null };

export const emptySlots: SlotFile = { serving: null, a: null, b: null };

/** Reads what the slots of a folder hold; null: the file is damaged. A new folder holds nothing. */
export function readSlotFile(folder: string): SlotFile | null {
  let text: string;
  try {
    text = readFileSync(join(folder, 'slot.json'), 'utf8');
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code === 'ENOENT') return emptySlots;
    throw failure;
  }
  const read = parse(text);
  if (!isSlotFile(read)) return null;
  // A slot that serves always has a state.
  return read.serving !== null && read[read.serving] === null ? { ...read, serving: null } : read;
}

/** What the slot that serves holds, as the folder says; null: none. */
export function readServing(folder: string): SlotState | null {
  const { serving, ...slots } = readSlotFile(folder) ?? emptySlots;
  return serving === null ? null : slots[serving];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isSlotFile(read: unknown): read is SlotFile {
  if (typeof read !== 'object' || read === null) return false;
  const { serving, a, b } = read as Record<string, unknown>;
  return (serving === null || serving === 'a' || serving === 'b') && isSlotState(a) && isSlotState(b);
}

function isSlotState(read: unknown): read is SlotState | null {
  if (read === null) return true;
  if (typeof read !== 'object') return false;
  const { publication, revision, root } = read as Record<string, unknown>;
  return Number.isSafeInteger(publication) && Number.isSafeInteger(revision) && typeof root === 'string';
}
