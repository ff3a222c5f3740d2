/** Files beside the data file that may name or show a forgotten person. */
import { readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * Deletes the lists of rejected records that commands wrote, as far as this user may. The next run of a source writes
 * its list again, without the person.
 */
export function deleteRejectionLists(dataFile: string): void {
  const prefix = `${basename(dataFile)}.rejected-`;
  deleteFiles(dirname(dataFile), (name) => name.startsWith(prefix) && name.endsWith('.txt'));
}

/** Pictures, notes of failures and drafts (`media/picture-cache.ts`). */
const keptFile = /^[0-9a-f]{32}\.(?:picture|failed)(?:\.\d+\.[0-9a-f]+\.draft)?$/;

/**
 * Deletes the converted pictures that services of a data file keep, as far as this user may: other sources may have
 * named the picture of the person at other addresses. The service fetches those that it still shows again.
 */
export const deleteKeptPictures = (dataFile: string): void =>
  deleteFiles(`${dataFile}.media`, (name) => keptFile.test(name));

function deleteFiles(folder: string, isDeleted: (name: string) => boolean): void {
  for (const name of namesIn(folder).filter(isDeleted)) {
    try {
      rmSync(join(folder, name), { force: true });
    } catch {
      // It belongs to another user.
    }
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // The folder is missing, or belongs to another user.
    return [];
  }
}
