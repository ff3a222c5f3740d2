/**
 * Upgrades a data file of an older schema, while no other process has it open and after a checked copy was made.
 * A process killed at any moment leaves the old file or the new one.
 */
import { closeSync, existsSync, openSync, readSync, realpathSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { Failure } from '../../failure.ts';
import { cellOf, type Grid } from '../areas.ts';
import { checksumOf } from '../integrity/checksums.ts';
import { writeSchemaDigests } from '../integrity/schema-text.ts';
import { blockFor } from './block-for.ts';
import { openExclusively } from './exclusive-open.ts';
import { fsyncFile, fsyncParentDirectory } from './fsync.ts';
import { identifyFile } from './identity.ts';
import type { Migration } from './migrations.ts';
import { followLinks } from './replaced-file.ts';
import { createScratchDirectory } from './scratch-directory.ts';
import { findRunningServices, type RunningService } from './service-registry.ts';

export type UpgradeOptions = {
  path: string;
  /** The target schema. */
  version: number;
  steps: readonly Migration[];
  /** Whether to keep a copy of the old file beside it. */
  keepBackup: boolean;
};

/** How long to wait for another process that has the file open: two commands may start at once. */
const lockTimeoutMs = 10_000;
const retryMs = 50;

/**
 * Upgrades the file to `version`; does nothing if another process did so meanwhile.
 * @throws Failure if another process keeps using the file, if the file is damaged, or if there is no migration
 *   from its schema
 */
export function upgradeFile(upgrade: UpgradeOptions): void {
  const since = performance.now();
  for (;;) {
    const identity = identifyFile(upgrade.path);
    if (identity.owner !== 'ours' || identity.schema >= upgrade.version) return;
    const sqlite = openExclusively(upgrade.path);
    if (sqlite !== null) {
      try {
        migrate(sqlite, upgrade);
      } finally {
        sqlite.close();
      }
      return;
    }
    const [service] = findServicesUsing(upgrade.path);
    if (service !== undefined || performance.now() - since > lockTimeoutMs) {
      const who = service === undefined ? 'another process' : describeService(service);
      throw new Failure(
        `${upgrade.path} has schema ${identity.schema} and must be brought to ${upgrade.version}, but ${who} uses it. Stop that first, then try again.`,
      );
    }
    // Blocking is harmless: this process does no other work yet.
    blockFor(retryMs);
  }
}

/** Describes a service in a message. */
export const describeService = ({ pid, version }: RunningService): string =>
  `a service of ${version === null ? 'an earlier cratebase' : `cratebase ${version}`} (process ${pid})`;

/** The services on this machine that use the file, of any schema. Does not change the file. */
export function findServicesUsing(path: string): RunningService[] {
  // A process that has the file open has a log.
  if (!existsSync(`${realpathSync(path)}-wal`)) return [];
  try {
    const sqlite = new Database(path, { readonly: true, timeout: 1_000 });
    try {
      return findRunningServices(sqlite, path);
    } finally {
      sqlite.close();
    }
  } catch {
    return [];
  }
}

function migrate(
  sqlite: Database.Database,
  { path, version, steps, keepBackup: keepCopy }: UpgradeOptions,
): void {
  const currentVersion = () => Number(sqlite.pragma('user_version', { simple: true }));
  const from = currentVersion();
  if (from >= version) return;
  const copy = keepCopy ? backUpBeforeUpgrade(sqlite, path, from) : null;
  sqlite.pragma('foreign_keys = ON');
  sqlite.function('row_checksum', { varargs: true, deterministic: true }, checksumOf);
  sqlite.function('grid_cell', { deterministic: true }, (grid: Grid, latitude: number, longitude: number) =>
    cellOf(grid, { latitude, longitude }),
  );
  const upgrade = sqlite.transaction(() => {
    for (const step of steps) {
      if (step.to <= currentVersion() || step.to > version) continue;
      sqlite.exec(step.sql);
      sqlite.pragma(`user_version = ${step.to}`);
    }
    writeSchemaDigests(sqlite);
  });
  try {
    upgrade.immediate();
  } catch (failure) {
    if (!(failure instanceof Database.SqliteError) || failure.code !== 'SQLITE_ERROR') throw failure;
    throw new Failure(
      `The upgrade of ${path} from schema ${from} to ${version} failed (${failure.message}). The file is unchanged: use the former cratebase, and report this.`,
    );
  }
  if (currentVersion() !== version) {
    const where = copy === null ? '' : ` Its copy is ${copy}.`;
    throw new Failure(
      `${path} has schema ${currentVersion()}, and there is no way from it to ${version}.${where}`,
    );
  }
}

/**
 * Copies the file beside itself, not beside a link to it, and returns the copy's path. An existing copy with the same content is reused.
 */
function backUpBeforeUpgrade(sqlite: Database.Database, name: string, schema: number): string {
  const path = followLinks(name);
  const scratch = createScratchDirectory(dirname(path), 'upgrade');
  try {
    const draft = join(scratch.path, 'copy.db');
    // VACUUM INTO an empty file that is readable only by its owner.
    closeSync(openSync(draft, 'wx', 0o600));
    sqlite.prepare('VACUUM INTO ?').run(draft);
    checkBackup(draft, path);
    fsyncFile(draft);
    const first = `${path}.v${schema}.bak`;
    for (let number = 1; ; number++) {
      const copy = number === 1 ? first : `${path}.v${schema}-${number}.bak`;
      if (!existsSync(copy)) {
        renameSync(draft, copy);
        fsyncParentDirectory(copy);
        return copy;
      }
      if (haveSameContent(draft, copy)) {
        // Its writer may not have waited for the disk.
        fsyncFile(copy);
        return copy;
      }
    }
  } finally {
    scratch.remove();
  }
}

function checkBackup(copy: string, of: string): void {
  const sqlite = new Database(copy, { readonly: true });
  try {
    const result = sqlite.pragma('quick_check(1)', { simple: true });
    if (result !== 'ok') {
      throw new Failure(
        `${of} is damaged (${result}), and so was not brought up to date. Restore a backup with \`cratebase restore FILE\`.`,
      );
    }
  } finally {
    sqlite.close();
  }
}

/** Whether two files have the same content, byte for byte. */
function haveSameContent(one: string, other: string): boolean {
  const stat = statSync(other);
  if (!stat.isFile() || statSync(one).size !== stat.size) return false;
  const files = [openSync(one, 'r'), openSync(other, 'r')] as const;
  try {
    const [a, b] = [Buffer.alloc(1 << 20), Buffer.alloc(1 << 20)];
    for (;;) {
      const length = readSync(files[0], a, 0, a.length, null);
      if (readSync(files[1], b, 0, length || 1, null) !== length) return false;
      if (length === 0) return true;
      if (a.compare(b, 0, length, 0, length) !== 0) return false;
    }
  } finally {
    for (const file of files) closeSync(file);
  }
}
