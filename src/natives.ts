/**
 * Native libraries (`.node` files) of the executable. They travel inside it and the system can only load them from
 * files, so the first start writes them into a folder of the user and later starts find them there. Only the executable
 * comes here (`build.mjs` sees to it); run from source, npm's packages load their own.
 *
 * What is loaded runs with all rights of this process, so a file is loaded only when nobody else can have changed it:
 * the folder is ours alone, nobody else can rename what lies above it, and the file has, byte for byte, the content
 * this executable carries.
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

/** What a library exports. `stableDigest` only names the file: what counts is its content. */
export function loadNative(name: string, digest: string): unknown {
  const content = Buffer.from(getRawAsset(`natives/${name}`));
  const given = process.env.CRATEBASE_NATIVES;
  const tried: string[] = [];
  for (const folder of given ? [given] : candidateFolders()) {
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

/** Best first. A home may be missing or read-only, and /tmp is often mounted so that nothing can be loaded from it. */
function candidateFolders(): string[] {
  const found: string[] = [];
  try {
    found.push(join(cacheFolder(), 'cratebase'));
  } catch {
    // A user without an entry in the system's list of users has no home.
  }
  if (uid === undefined) return [...found, join(tmpdir(), 'cratebase')];
  const shared = new Set([tmpdir(), '/tmp', '/var/tmp', '/dev/shm']);
  return [...found, ...[...shared].map((folder) => join(folder, `cratebase-${uid}`))];
}

function cacheFolder(): string {
  if (process.platform === 'win32') return process.env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches');
  const given = process.env.XDG_CACHE_HOME;
  return given?.startsWith('/') ? given : join(homedir(), '.cache');
}

/** The path of a file with this content that only we, or the system's administrator, could have written. */
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

/** The folder and those above it. One by one: asked for all at once, Node tries for ever in places such as /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Nothing is made in a place that belongs to another user. */
function checkNearestParent(folder: string): void {
  let above = folder;
  while (!existsSync(above) && above !== dirname(above)) above = dirname(above);
  if (above !== folder) checkParentOwners(realpathSync(above));
}

/** Also of a symbolic link, which is why it is asked before and after following it. */
function checkOwnFolder(folder: string): void {
  if (uid === undefined) return;
  const entry = lstatSync(folder);
  if (!isTrustedOwner(entry.uid)) throw new Failure('it belongs to another user');
  if (entry.mode & 0o022 && !entry.isSymbolicLink()) throw new Failure('others may write to it');
  checkParentOwners(realpathSync(dirname(folder)));
}

/**
 * In a folder like /tmp everybody may write, but only the owner of an entry may replace it (the sticky bit).
 * In a sandbox the administrator may have another number than 0; it is the one who owns the root folder.
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
