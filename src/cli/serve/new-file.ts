/** A new data file of `serve`: the check for free space, and the removal of an incomplete file. */
import { rmSync, statfsSync, truncateSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Failure } from '../../failure.ts';
import { formatBytes } from '../../format-bytes.ts';
import type { Settings } from '../../settings.ts';

/** Disk space for creating a file: its content, the log and a copy of the starter catalogue. */
const starterBytes = 24_000_000;
const emptyBytes = 2_000_000;

/** Throws a `Failure` if the disk has too little free space for a new data file. */
export function checkRoom({ data, empty }: Settings): void {
  const needed = empty ? emptyBytes : starterBytes;
  const free = freeBytes(data);
  if (free === null || free >= needed) return;
  throw tooSmall(data, `has ${formatBytes(free)} free`, empty);
}

/** Returns the failure of a disk that is too small; `state` says how full it is. */
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
    // Opening the file reports the problem with its folder.
    return null;
  }
}

/**
 * Removes a data file that could not be filled, with its log and the copy of the starter catalogue.
 * @param wasThere whether the file existed and was empty: then it becomes empty again
 */
export function removeUnfinished(data: string, wasThere: boolean): void {
  for (const end of ['-wal', '-shm', '.starter']) rmSync(data + end, { force: true });
  if (wasThere) truncateSync(data, 0);
  else rmSync(data, { force: true });
}
