/** Synchronizes files and their names to disk, so that they survive a power cut. */
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

/** Waits until the directory entries of `path` are on disk, if the system supports that. */
export function fsyncParentDirectory(path: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(dirname(resolve(path)), 'r');
  try {
    fsyncSync(folder);
  } catch (failure) {
    // Some file systems do not support fsync of a directory.
    if (!['EINVAL', 'ENOTSUP', 'EBADF'].includes((failure as NodeJS.ErrnoException).code ?? ''))
      throw failure;
  } finally {
    closeSync(folder);
  }
}

/** Replaces `target` by a complete draft on the same disk. After a power cut either file is there. */
export function replaceFile(draft: string, target: string): void {
  fsyncFile(draft);
  renameSync(draft, target);
  fsyncParentDirectory(target);
}
