/**
 * Loads the native libraries (`.node` files) of the executable. The system can only load them from files, so the
 * first start extracts them into a folder of the user, and later starts reuse them. Only the executable uses this
 * module (`build.mjs`); from source, npm's packages load their own libraries.
 * A loaded library has all rights of this process. Therefore a file is only loaded if no other user can have changed
 * it: the folder belongs to this user, no other user can rename its parent folders, and the content is byte for byte
 * that of the executable.
 */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { getRawAsset } from 'node:sea';
import { Failure } from './failure.ts';

const uid = process.geteuid?.();

/** Returns the exports of a library. `digest` only forms the file name; the content is compared in full. */
export function loadNative(name: string, digest: string): unknown {
  const content = Buffer.from(getRawAsset(`natives/${name}`));
  const configured = process.env.CRATEBASE_NATIVES;
  const tried: string[] = [];
  for (const folder of configured ? [configured] : candidateFolders()) {
    try {
      return loadLibrary(install(folder, `${digest}-${name}`, content));
    } catch (error) {
      tried.push(`${folder} (${errorText(error)})`);
    }
  }
  throw new Failure(
    `cannot unpack ${name}, tried ${tried.join(', ')}; ` +
      'set CRATEBASE_NATIVES to a folder that belongs to you and that programs may be loaded from',
  );
}

/**
 * Returns the possible folders, best first. A home directory may be missing or read-only, and /tmp is often mounted
 * with noexec.
 */
function candidateFolders(): string[] {
  const folders: string[] = [];
  try {
    folders.push(join(cacheFolder(), 'cratebase'));
  } catch {
    // A user without a passwd entry has no home directory.
  }
  if (uid === undefined) return [...folders, join(tmpdir(), 'cratebase')];
  const shared = new Set([tmpdir(), '/tmp', '/var/tmp', '/dev/shm']);
  return [...folders, ...[...shared].map((folder) => join(folder, `cratebase-${uid}`))];
}

function cacheFolder(): string {
  if (process.platform === 'win32') return process.env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches');
  const cacheHome = process.env.XDG_CACHE_HOME;
  return cacheHome?.startsWith('/') ? cacheHome : join(homedir(), '.cache');
}

/** Returns the path of a file with this content that only this user or the administrator can have written. */
function install(folder: string, name: string, content: Buffer): string {
  checkNearestParent(folder);
  makeFolder(folder);
  const real = realpathSync(folder);
  checkOwnFolder(folder);
  checkOwnFolder(real);
  const path = join(real, name);
  if (!hasContent(path, content)) {
    const draft = join(real, `.${name}.${process.pid}.${randomBytes(4).toString('hex')}`);
    try {
      writeFileSync(draft, content, { flag: 'wx', mode: 0o555 });
      renameSync(draft, path);
    } catch (error) {
      rmSync(draft, { force: true });
      throw error;
    }
  }
  return path;
}

/** Creates a folder and its parents one at a time: Node's recursive mode does not return in places such as /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it at the same time.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Rejects a folder below a place that belongs to another user. */
function checkNearestParent(folder: string): void {
  let above = folder;
  while (!existsSync(above) && above !== dirname(above)) above = dirname(above);
  if (above !== folder) checkParentOwners(realpathSync(above));
}

/** Checks the folder, or the symbolic link itself; it is called before and after resolving the link. */
function checkOwnFolder(folder: string): void {
  if (uid === undefined) return;
  const entry = lstatSync(folder);
  if (!isTrustedOwner(entry.uid)) throw new Failure('it belongs to another user');
  if (entry.mode & 0o022 && !entry.isSymbolicLink()) throw new Failure('others may write to it');
  checkParentOwners(realpathSync(dirname(folder)));
}

/**
 * Checks that no other user can replace a parent folder. In folders such as /tmp everybody may write, but only the
 * owner may replace an entry (sticky bit). In a sandbox the administrator may have another id than 0: the owner of
 * the root folder.
 */
function checkParentOwners(folder: string): void {
  if (uid === undefined) return;
  const administrator = statSync('/').uid;
  for (let above = folder; ; above = dirname(above)) {
    const { uid: owner, mode } = statSync(above);
    if (!isTrustedOwner(owner) && owner !== administrator)
      throw new Failure(`${above} belongs to another user`);
    if (mode & 0o022 && !(mode & 0o1000)) throw new Failure(`others may write to ${above}`);
    if (above === dirname(above)) return;
  }
}

function isTrustedOwner(owner: number): boolean {
  return owner === uid || owner === 0;
}

function hasContent(path: string, content: Buffer): boolean {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  } catch {
    return false;
  }
  try {
    const { size, uid: owner, mode } = fstatSync(file);
    if (uid !== undefined && (!isTrustedOwner(owner) || mode & 0o022)) return false;
    return size === content.length && readFileSync(file).equals(content);
  } finally {
    closeSync(file);
  }
}

function loadLibrary(path: string): unknown {
  const module = { exports: {} };
  process.dlopen(module, path);
  return module.exports;
}

function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  return error instanceof Failure || !code || code === 'ERR_DLOPEN_FAILED'
    ? (error.message.split('\n')[0] ?? '').replace(/^.*?\.node: /, '')
    : code;
}
