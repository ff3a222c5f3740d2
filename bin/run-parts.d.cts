import type { Script } from 'node:vm';

/** The flags of V8 that the program sets while it runs, with their values at a start. */
export const flagsAtStart: Readonly<Record<string, string>>;

/** Runs the part `main.js` and those it imports. */
export function runParts(
  code: { get(name: string): Buffer },
  caches: { get(name: string): Buffer | undefined },
  values: readonly unknown[],
  onScript?: (name: string, script: Script) => void,
): void;
