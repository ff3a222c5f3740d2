/** Files that are whole after a power cut: what they hold and their names are on the disk before anybody relies on them. */
import { closeSync, fsyncSync, openSync, renameSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Waits until the content of a file is on its disk. */
export function fsyncFile(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Waits until the names in the folder of `path` are on their disk, where the system can say so. */
export function fsyncParentDirectory(path: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(dirname(resolve(path)), 'r');
  try {
    fsyncSync(folder);
  } catch (failure) {
    // Some file systems have nothing to sync there.
    if (!['EINVAL', 'ENOTSUP', 'EBADF'].includes((failure as NodeJS.ErrnoException).code ?? ''))
      throw failure;
  } finally {
    closeSync(folder);
  }
}

/** Puts a complete draft in the place of `target`, on the same disk: after a power cut the one is there or the other. */
export function replaceFile(draft: string, target: string): void {
  fsyncFile(draft);
  renameSync(draft, target);
  fsyncParentDirectory(target);
}
