/** Reads entries of the audit log of accounts, in SQLite or PostgreSQL. */
import type { AccountAuditLog } from '../store/access/account-audit-log.ts';
import type { AuditEntry, AuditFilter } from '../store/audit-log.ts';
import type { Engine } from '../store/engine/engine.ts';

export class AuditReader {
  readonly #engine: Engine;
  readonly #log: AccountAuditLog;

  constructor(engine: Engine, log: AccountAuditLog) {
    this.#engine = engine;
    this.#log = log;
  }

  /** The entries that match the filter, newest first. */
  list(filter: AuditFilter): Promise<AuditEntry[]> {
    return this.#engine.read((tx) => this.#log.list(tx, filter));
  }

  /** The entry with an id; undefined if there is none. */
  find(id: number): Promise<AuditEntry | undefined> {
    return this.#engine.read((tx) => this.#log.find(tx, id));
  }
}
