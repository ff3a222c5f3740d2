/** Writes archives that are the same for the same content: tar, tar.gz and zip, with one time stamp and no user names. */
import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { pack } from 'tar-stream';

/**
 * An entry of an archive.
 * @typedef {{ path: string, content?: Uint8Array | string, mode?: number, owner?: number, type?: 'file' | 'directory' | 'symlink', target?: string }} Entry
 */

/** Copies nothing: an executable has 170 MB. */
const toBuffer = (content = '') => (Buffer.isBuffer(content) ? content : Buffer.from(content));

/**
 * Returns a tar archive of the entries, in their order. An entry belongs to root, or to the user and group with the number `owner`.
 * @param {Entry[]} entries `path` without a leading slash
 * @param {Date} time modification time of every entry
 * @returns {Promise<Buffer>}
 */
export async function makeTar(entries, time) {
  const archive = pack();
  const chunks = [];
  const end = (async () => {
    for await (const chunk of archive) chunks.push(chunk);
  })();
  for (const { path, content, mode, owner = 0, type = 'file', target } of entries) {
    const body = type === 'file' ? toBuffer(content) : undefined;
    const header = {
      name: path,
      type,
      mode: mode ?? (type === 'directory' ? 0o755 : 0o644),
      mtime: time,
      uid: owner,
      gid: owner,
      ...(owner === 0 ? { uname: 'root', gname: 'root' } : {}),
      ...(target === undefined ? {} : { linkname: target }),
    };
    await new Promise((resolve, reject) => {
      const entry = archive.entry(header, body, (error) => (error ? reject(error) : resolve()));
      if (body === undefined) entry?.end?.();
    });
  }
  archive.finalize();
  await end;
  return Buffer.concat(chunks);
}

/** The highest level makes an executable smaller by a third of a percent, in three times the time. */
const level = 6;

/** Returns a gzip file without a name or time stamp. */
export const gzip = (content) => gzipSync(content, { level });

/**
 * Returns a zip archive of the files among the entries.
 * @param {Entry[]} entries
 * @param {Date} time modification time of every entry
 */
export function makeZip(entries, time) {
  const files = {};
  for (const { path, content, mode = 0o644 } of entries)
    files[path] = [toBuffer(content), { mtime: time, os: 3, attrs: (0o100000 | mode) << 16, level }];
  return Buffer.from(zipSync(files));
}

/** The folders above the paths, each once and before what is in it, as entries. */
export function foldersOf(entries) {
  const folders = new Set();
  for (const { path } of entries) {
    const parts = path.split('/').slice(0, -1);
    for (const index of parts.keys()) folders.add(`${parts.slice(0, index + 1).join('/')}/`);
  }
  return [...folders].map((path) => ({ path, type: 'directory' }));
}
