/** Converted pictures that a service keeps beside the data file; one may show a forgotten person. */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Pictures, notes of failures and drafts (`media/picture-cache.ts`). */
const keptFile = /^[0-9a-f]{32}\.(?:picture|failed)(?:\.\d+\.[0-9a-f]+\.draft)?$/;

/**
 * Deletes the pictures that services of a data file keep, as far as this user may: other sources may have named the
 * picture of the person at other addresses. The service fetches those that it still shows again.
 */
export function deleteKeptPictures(dataFile: string): void {
  const folder = `${dataFile}.media`;
  for (const name of namesIn(folder)) {
    if (!keptFile.test(name)) continue;
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
    // No service has kept pictures, or the folder belongs to another user.
    return [];
  }
}
