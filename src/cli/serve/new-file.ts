/** A data file that `createServer` makes: whether there is room for it, and taking it away where it could not be finished. */
import { rmSync, statfsSync, truncateSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Failure } from '../../failure.ts';
import type { Settings } from '../../settings.ts';
import { formatBytes } from '../output/terminal.ts';

/** What a new file takes on its disk while it is made: its content, the log, and a copy of the starter catalogue. */
const starterBytes = 24_000_000;
const emptyBytes = 2_000_000;

/** Throws a `Failure` where the disk has too little room for a new data file. */
export function checkRoom({ data, empty }: Settings): void {
  const needed = empty ? emptyBytes : starterBytes;
  const free = freeBytes(data);
  if (free === null || free >= needed) return;
  throw tooSmall(data, `has ${formatBytes(free)} free`, empty);
}

/** What is said where the room turned out to be too little while the file was filled. */
export const tooSmall = (data: string, state: string, empty: boolean): Failure => {
  const what = empty ? 'an empty data file' : 'a data file with the starter catalogue';
  const without = empty ? '' : ', or start without the starter catalogue (--empty)';
  return new Failure(
    `The disk of ${data} ${state}, and ${what} needs ${formatBytes(empty ? emptyBytes : starterBytes)}. Make room, name a file on another disk with --data${without}.`,
  );
};

function freeBytes(data: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(dirname(resolve(data)));
    return bavail * bsize;
  } catch {
    // Opening the file says what is wrong with its folder.
    return null;
  }
}

/**
 * Removes a file that this command has made and could not fill, with what lies beside it.
 * @param wasThere whether there was an empty file, which stays
 */
export function removeUnfinished(data: string, wasThere: boolean): void {
  for (const end of ['-wal', '-shm', '.starter']) rmSync(data + end, { force: true });
  if (wasThere) truncateSync(data, 0);
  else rmSync(data, { force: true });
}
