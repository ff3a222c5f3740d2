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
  const value = parse(text);
  if (!isSlotFile(value)) return null;
  // A slot that serves always has a state.
  return value.serving !== null && value[value.serving] === null ? { ...value, serving: null } : value;
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

function isSlotFile(value: unknown): value is SlotFile {
  if (typeof value !== 'object' || value === null) return false;
  const { serving, a, b } = value as Record<string, unknown>;
  return (serving === null || serving === 'a' || serving === 'b') && isSlotState(a) && isSlotState(b);
}

function isSlotState(value: unknown): value is SlotState | null {
  if (value === null) return true;
  if (typeof value !== 'object') return false;
  const { publication, revision, root } = value as Record<string, unknown>;
  return Number.isSafeInteger(publication) && Number.isSafeInteger(revision) && typeof root === 'string';
}
