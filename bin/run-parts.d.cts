import type { Script } from 'node:vm';

/** Runs the part `main.js` and those it imports. */
export function runParts(
  code: { get(name: string): Buffer },
  caches: { get(name: string): Buffer | undefined },
  values: readonly unknown[],
  onScript?: (name: string, script: Script) => void,
): void;
