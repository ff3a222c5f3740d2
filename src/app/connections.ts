/** Opens connections to the data file: one for the catalogue, and others on demand. */
import { openDatabase } from '../store/database.ts';
import { makeReadOnly } from '../store/file/maintenance.ts';
import { disableAutoCheckpoint } from '../store/file/writer-log.ts';
import { Transactions } from '../store/transactions.ts';

export type Sqlite = ReturnType<typeof openDatabase>;

/** A connection for occasional writes, with its queue of transactions. */
export type Writer = { sqlite: Sqlite; transactions: Transactions };

export type ConnectionOptions = {
  /** Creates the file if it does not exist. */
  create: boolean;
  /** Opens the file read-only; it may be on a read-only disk. */
  readOnly: boolean;
  /** Opens a file of an older schema without migrating it. */
  anySchema: boolean;
};

/**
 * The connections of one process to a data file. The constructor opens that of the catalogue, and throws a
 * `Failure` if that is not possible.
 */
export class Connections {
  readonly path: string;
  readonly readOnly: boolean;
  /** The connection of the catalogue. */
  readonly catalogue: Sqlite;
  #direct: Sqlite | undefined;
  #writer: Writer | undefined;

  constructor(path: string, { create, readOnly, anySchema }: ConnectionOptions) {
    this.path = path;
    this.readOnly = readOnly;
    this.catalogue = openDatabase(path, { create, readOnly, allowOtherSchema: anySchema });
    if (readOnly) makeReadOnly(this.catalogue);
  }

  /**
   * A connection for single writes outside any transaction: that of the catalogue may be within a snapshot, whose end
   * would fail with such a write. It never checkpoints.
   */
  get direct(): Sqlite {
    if (this.#direct === undefined) {
      this.#direct = this.open();
      disableAutoCheckpoint(this.#direct);
    }
    return this.#direct;
  }

  /** A connection for occasional writes of several statements. It never checkpoints. */
  get writer(): Writer {
    if (this.#writer === undefined) {
      const sqlite = this.open();
      disableAutoCheckpoint(sqlite);
      this.#writer = { sqlite, transactions: new Transactions(sqlite) };
    }
    return this.#writer;
  }

  /** Closes the connections for writes. */
  closeWriters(): void {
    this.#writer?.sqlite.close();
    this.#direct?.close();
  }

  /** Opens another connection to the file. The caller closes it. */
  open(): Sqlite {
    const sqlite = openDatabase(this.path, { create: false, readOnly: this.readOnly });
    if (this.readOnly) makeReadOnly(sqlite);
    return sqlite;
  }
}
