/** Lists of rejected records that commands write beside the data file; they may name a forgotten person. */
import { readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * Deletes the lists of earlier runs of a data file, as far as this user may. The next run of a source writes its
 * list again, without the person.
 */
export function deleteRejectionLists(dataFile: string): void {
  const prefix = `${basename(dataFile)}.rejected-`;
  for (const name of readdirSync(dirname(dataFile))) {
    if (!name.startsWith(prefix) || !name.endsWith('.txt')) continue;
    try {
      rmSync(join(dirname(dataFile), name), { force: true });
    } catch {
      // It belongs to another user.
    }
  }
}
