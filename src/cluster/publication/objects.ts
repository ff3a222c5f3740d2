/** Where the objects of publications are stored. Objects are encrypted, and named by the SHA-256 of their bytes. */
import { mkdir, opendir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { PublicationDatabase } from './database.ts';
import { replaceDurably } from './durable.ts';

export type StoredObject = { name: string; bytes: number; storedMs: number };

export interface ObjectStore {
  /** Stores an object, on disk when the promise resolves. Storing it again renews its time. */
  put(name: string, content: Uint8Array): Promise<void>;
  /** Returns null if there is no object of this name. Its bytes may be damaged: compare them with the name. */
  get(name: string): Promise<Uint8Array | null>;
  list(): AsyncIterable<StoredObject>;
  /** Deletes an object unless it was stored, or stored again, less than `minAgeMs` ago. */
  delete(name: string, minAgeMs: number): Promise<void>;
  /** Rejects if the cluster has moved its objects to another place since the store was opened. */
  requireCurrent?(): Promise<void>;
  /** Ends its connections, if it has any of its own. */
  close?(): Promise<void>;
}

/** `pg` sends bytes as they are, but reads them as hexadecimal text: 1 MB of it is decoded in 2 ms. */
const partBytes = 1 << 20;
const objectName = /^[0-9a-f]{64}$/;

/** Objects in the PostgreSQL of the cluster, in the table `publication_objects`. */
export class PostgresObjects implements ObjectStore {
  requireCurrent?: () => Promise<void>;
  readonly #database: PublicationDatabase;

  constructor(database: PublicationDatabase) {
    this.#database = database;
  }

  async put(name: string, content: Uint8Array): Promise<void> {
    const { buffer, byteOffset, byteLength } = content;
    // A view that `pg` sends in binary, without a copy.
    await this.#database.query(
      `INSERT INTO publication_objects (name, content, stored_ms) VALUES ($1, $2, now_ms())
       ON CONFLICT (name) DO UPDATE SET content = excluded.content, stored_ms = excluded.stored_ms`,
      [name, Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength)],
    );
  }

  async get(name: string): Promise<Uint8Array | null> {
    const rows = await this.#database.query<{ part: Buffer }>(
      `SELECT substring(content FROM 1 + part.at * ${partBytes} FOR ${partBytes}) AS part
       FROM publication_objects, generate_series(0, (length(content) - 1) / ${partBytes}) AS part (at)
       WHERE name = $1 ORDER BY part.at`,
      [name],
    );
    return rows.length === 0 ? null : Buffer.concat(rows.map(({ part }) => part));
  }

  async *list(): AsyncGenerator<StoredObject> {
    const pageLength = 1_000;
    for (let after = ''; ; ) {
      const rows = await this.#database.query<{ name: string; bytes: number; stored_ms: number }>(
        `SELECT name, length(content) AS bytes, stored_ms FROM publication_objects
         WHERE name > $1 ORDER BY name LIMIT ${pageLength}`,
        [after],
      );
      for (const { name, bytes, stored_ms: storedMs } of rows) yield { name, bytes, storedMs };
      if (rows.length < pageLength) return;
      after = (rows.at(-1) as { name: string }).name;
    }
  }

  async delete(name: string, minAgeMs: number): Promise<void> {
    await this.#database.query(
      'DELETE FROM publication_objects WHERE name = $1 AND stored_ms <= now_ms() - $2::bigint',
      [name, minAgeMs],
    );
  }
}

/** Objects in a folder that all nodes share, or that one test uses. */
export class FolderObjects implements ObjectStore {
  requireCurrent?: () => Promise<void>;
  readonly #folder: string;
  #drafts = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async put(name: string, content: Uint8Array): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const draft = join(this.#folder, `${name}.${process.pid}.${++this.#drafts}.new`);
    await replaceDurably(this.#pathOf(name), draft, content);
  }

  async get(name: string): Promise<Uint8Array | null> {
    try {
      return await readFile(this.#pathOf(name));
    } catch (failure) {
      if ((failure as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw failure;
    }
  }

  /** Lists the drafts of killed processes too: they are deleted like objects without a publication. */
  async *list(): AsyncGenerator<StoredObject> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    for await (const { name } of await opendir(this.#folder)) {
      if (!objectName.test(name.slice(0, 64))) continue;
      const file = await stat(join(this.#folder, name)).catch(() => null);
      if (file?.isFile()) yield { name, bytes: file.size, storedMs: file.mtimeMs };
    }
  }

  async delete(name: string, minAgeMs: number): Promise<void> {
    const path = join(this.#folder, name);
    const file = await stat(path).catch(() => null);
    if (file !== null && file.mtimeMs <= Date.now() - minAgeMs) await rm(path, { force: true });
  }

  #pathOf(name: string): string {
    if (!objectName.test(name)) throw new Error('an object has a name that is not a SHA-256');
    return join(this.#folder, name);
  }
}
