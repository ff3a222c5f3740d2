/** Replaces files so that they survive a power cut, without holding the event loop while the disk works. */
import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Writes a file under another name on the same disk, and renames it into place once its content is on disk. */
export async function replaceDurably(
  path: string,
  draft: string,
  content: Uint8Array | string,
): Promise<void> {
  const file = await open(draft, 'w', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
  if (process.platform === 'win32') return;
  const folder = await open(dirname(path), 'r');
  try {
    await folder.sync();
  } catch (failure) {
    // Some file systems cannot synchronize a folder.
    if (!['EINVAL', 'ENOTSUP', 'EBADF'].includes((failure as NodeJS.ErrnoException).code ?? ''))
      throw failure;
  } finally {
    await folder.close();
  }
}
