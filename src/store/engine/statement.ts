/**
 * SQL statements that run on either engine. A statement is built with Kysely once per dialect, at its first use there.
 * `store/statement.ts` prepares statements for one SQLite connection, which is faster.
 */
import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  type RootOperationNode,
  sql,
} from 'kysely';
import { type Compilable, type CompiledStatement, compile, query } from '../statement.ts';
import type { Tables } from '../tables.ts';

export { pick, query } from '../statement.ts';

export type Dialect = 'sqlite' | 'postgres';

/** The limit of a query that has an offset alone: SQLite takes no offset without a limit. */
export const allRows = Number.MAX_SAFE_INTEGER;

const postgresQuery = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/**
 * An open transaction, which runs statements. It ends with the callback that received it; a statement that comes later
 * rejects. In the callback, await nothing but statements: see `Engine.write`.
 */
export type Tx = {
  readonly dialect: Dialect;
  /** Returns the first row, or undefined. */
  get<P, R>(statement: Statement<P, R>, values: P): Promise<R | undefined>;
  all<P, R>(statement: Statement<P, R>, values: P): Promise<R[]>;
  /** Returns the number of rows that were inserted, changed or deleted. */
  run<P, R>(statement: Statement<P, R>, values: P): Promise<{ changes: number }>;
};

type Buildable = Compilable & { toOperationNode(): unknown };

export class Statement<P, R> {
  readonly #build: (values: P, dialect: Dialect) => Buildable;
  readonly #compiled = new Map<Dialect, CompiledStatement<P>>();

  constructor(build: (values: P, dialect: Dialect) => Buildable) {
    this.#build = build;
  }

  /** The SQL of a dialect, and the function that arranges values in the order of its placeholders. */
  in(dialect: Dialect): CompiledStatement<P> {
    let compiled = this.#compiled.get(dialect);
    if (compiled === undefined) {
      compiled = compile<P>((values) => compileFor(dialect, this.#build(values, dialect)));
      this.#compiled.set(dialect, compiled);
    }
    return compiled;
  }

  get(tx: Tx, values: P): Promise<R | undefined> {
    return tx.get(this, values);
  }

  all(tx: Tx, values: P): Promise<R[]> {
    return tx.all(this, values);
  }

  run(tx: Tx, values: P): Promise<{ changes: number }> {
    return tx.run(this, values);
  }
}

/**
 * Defines a statement. `build` receives a placeholder for each value named in `P`, and the dialect, for the few
 * statements that differ.
 */
export function define<P, R>(build: (values: P, dialect: Dialect) => Buildable): Statement<P, R> {
  return new Statement(build);
}

/** What an upsert sets: these columns to the values of the row that could not be inserted. */
export function excluded<K extends string>(...columns: K[]): Record<K, RawBuilder<never>> {
  const values = columns.map((column) => [column, sql.ref(`excluded.${column}`)]);
  return Object.fromEntries(values) as Record<K, RawBuilder<never>>;
}

function compileFor(dialect: Dialect, built: Buildable): CompiledQuery<unknown> {
  if (dialect === 'sqlite') return built.compile(query);
  const executor = postgresQuery.getExecutor();
  const queryId = { queryId: 'statement' };
  const node = executor.transformQuery(built.toOperationNode() as RootOperationNode, queryId);
  return executor.compileQuery(node, queryId);
}
