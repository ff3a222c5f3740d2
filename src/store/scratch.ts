/** Folders for work under way, gone when it is done and also when the process ends in the middle of it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';

export type Scratch = { path: string; remove: () => void };

/** A new folder within `parent`, so that what is made in it can be put in place by renaming. */
export function makeScratch(parent: string, purpose: string): Scratch {
  const path = mkdtempSync(join(parent, `.cratebase-${purpose}-`));
  const clear = () => rmSync(path, { recursive: true, force: true });
  process.once('exit', clear);
  return {
    path,
    remove: () => {
      process.off('exit', clear);
      clear();
    },
  };
}
