/** Decides which file a command replaces when it moves a finished file to a path. */
import { lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Failure } from '../../failure.ts';

const usageErrorStatus = 2;
/** As many as Linux follows. */
const maxLinks = 40;
/** The files that SQLite keeps beside a database. */
const companionEnds = ['-wal', '-shm', '-journal'];

/**
 * Follows symbolic links to the file behind them, which need not exist. Returns any other path as it is. Renaming to a
 * link would replace the link, and leave the file behind it as it was.
 * @throws Failure for links that lead in a circle
 */
export function followLinks(path: string): string {
  let target = path;
  for (let link = 0; link < maxLinks; link += 1) {
    if (!lstatSync(target, { throwIfNoEntry: false })?.isSymbolicLink()) return target;
    target = resolve(realpathSync(dirname(target)), readlinkSync(target));
  }
  throw new Failure(`${path} is a link that leads in a circle. Name another file.`, usageErrorStatus);
}

/**
 * Returns the path of the file that may be written or replaced at `path`: a regular file or none, behind links.
 * @throws Failure for folders, devices, named pipes and sockets, and for the log files of a database, which a running
 *   service needs
 */
export function replaceablePath(path: string): string {
  const target = followLinks(path);
  const stat = statSync(target, { throwIfNoEntry: false });
  if (stat?.isDirectory()) throw new Failure(`${path} is a folder. Name a file in it.`, usageErrorStatus);
  if (stat !== undefined && !stat.isFile())
    throw new Failure(`${path} is not a regular file. Name another file.`, usageErrorStatus);
  const end = companionEnds.find((one) => target.endsWith(one));
  const database = end === undefined ? undefined : target.slice(0, -end.length);
  if (database !== undefined && statSync(database, { throwIfNoEntry: false })?.isFile())
    throw new Failure(`${path} belongs to the database ${database}. Name another file.`, usageErrorStatus);
  return target;
}
