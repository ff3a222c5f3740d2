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
import {
  buildWithPlaceholders,
  type Compilable,
  type CompiledStatement,
  compile,
  query,
} from '../statement.ts';
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
  get<P extends unknown[], R>(statement: Statement<P>, values: P): Promise<R | undefined>;
  all<P extends unknown[], R>(statement: Statement<P>, values: P): Promise<R[]>;
  /** Returns the number of rows that were inserted, changed or deleted. */
  run<P extends unknown[]>(statement: Statement<P>, values: P): Promise<{ changes: number }>;
};

type Buildable = Compilable & { toOperationNode(): unknown };
/** Builds a query. Each parameter is the placeholder of an argument; the members of a row are placeholders too. */
type Build<P extends unknown[]> = (...values: P) => Buildable;

/**
 * A statement that is built at its first use in each dialect. `build` receives placeholders, so it must not branch on
 * the values.
 */
export class Statement<P extends unknown[]> {
  readonly #build: Build<P>;
  readonly #compiled = new Map<Dialect, CompiledStatement<P>>();

  constructor(build: Build<P>) {
    this.#build = build;
  }

  /** The SQL of a dialect, and the function that arranges values in the order of its placeholders. */
  in(dialect: Dialect): CompiledStatement<P> {
    let compiled = this.#compiled.get(dialect);
    if (compiled === undefined) {
      compiled = compile<P>((values) => compileFor(dialect, buildWithPlaceholders(this.#build, values)));
      this.#compiled.set(dialect, compiled);
    }
    return compiled;
  }
}

/** Defines a function that returns the first row of a query, or undefined. */
export function selectFirst<P extends unknown[], R>(build: Build<P>) {
  const statement = new Statement(build);
  return (tx: Tx, ...values: P): Promise<R | undefined> => tx.get(statement, values);
}

/** Defines a function that returns all rows of a query. */
export function selectAll<P extends unknown[], R>(build: Build<P>) {
  const statement = new Statement(build);
  return (tx: Tx, ...values: P): Promise<R[]> => tx.all(statement, values);
}

/** Defines a function that returns the column `count` of a query; 0 without a row. */
export function selectCount<P extends unknown[]>(build: Build<P>) {
  const select = selectFirst<P, { count: number }>(build);
  return async (tx: Tx, ...values: P): Promise<number> => (await select(tx, ...values))?.count ?? 0;
}

/** Defines a function that changes rows, and returns their number. */
export function countChanges<P extends unknown[]>(build: Build<P>) {
  const statement = new Statement(build);
  return async (tx: Tx, ...values: P): Promise<number> => (await tx.run(statement, values)).changes;
}

/** Defines a function that changes rows, and returns whether there were any. */
export function changesRows<P extends unknown[]>(build: Build<P>) {
  const count = countChanges(build);
  return async (tx: Tx, ...values: P): Promise<boolean> => (await count(tx, ...values)) > 0;
}

/** Defines a function that changes rows. */
export function execute<P extends unknown[]>(build: Build<P>) {
  const count = countChanges(build);
  return async (tx: Tx, ...values: P): Promise<void> => {
    await count(tx, ...values);
  };
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
