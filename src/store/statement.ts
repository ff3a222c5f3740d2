/**
 * Compiles typed Kysely queries to prepared better-sqlite3 statements. Kysely's own driver prepares at every call
 * and returns promises, which is too slow for frequent queries.
 */
import type Database from 'better-sqlite3';
import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { Tables } from './tables.ts';

/** A query builder that cannot run queries. */
export const query = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

/** The placeholder of a value that is bound when the query runs. */
class Parameter {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

const parameters = new Proxy({}, { get: (_target, name) => new Parameter(String(name)) });

export type PreparedStatement<P, R> = {
  get(values: P): R | undefined;
  all(values: P): R[];
  run(values: P): Database.RunResult;
};

/** A query builder or raw fragment: anything that compiles to SQL and parameters. */
export type Compilable = { compile(executor: typeof query): CompiledQuery<unknown> };

/** SQL with placeholders, and the function that arranges values in their order. */
export type CompiledStatement<P> = { readonly sql: string; bind(values: P): unknown[] };

/** Compiles a query. `build` receives a placeholder for each value named in `P`. */
export function compile<P>(build: (values: P) => CompiledQuery<unknown>): CompiledStatement<P> {
  const compiled = build(parameters as P);
  const slots = compiled.parameters.map((slot) =>
    slot instanceof Parameter ? (slot.name as keyof P) : null,
  );
  const constants = compiled.parameters;
  return {
    sql: compiled.sql,
    bind: (values) => {
      const bound: unknown[] = [];
      for (let at = 0; at < slots.length; at++) {
        const name = slots[at] as keyof P | null;
        bound.push(name === null ? constants[at] : values[name]);
      }
      return bound;
    },
  };
}

/**
 * Prepares the query that `build` returns. `build` receives a placeholder for each value named in `P`; the
 * statement is then run with such values, any number of times. `raw` returns rows as arrays in column order.
 */
export function prepare<P, R>(
  sqlite: Database.Database,
  build: (values: P) => Compilable,
  raw = false,
): PreparedStatement<P, R> {
  const { sql, bind } = compile<P>((values) => build(values).compile(query));
  const statement = sqlite.prepare(sql);
  if (raw) statement.raw();
  return {
    get: (values) => statement.get(...bind(values)) as R | undefined,
    all: (values) => statement.all(...bind(values)) as R[],
    run: (values) => statement.run(...bind(values)),
  };
}

/** A statement of one column. `one` reads a query that always has a row, such as a count. */
type ValueStatement<V> = {
  get(...values: unknown[]): V | undefined;
  one(...values: unknown[]): V;
  all(...values: unknown[]): V[];
};

/** Prepares a query of one column. */
export function prepareValue<V>(sqlite: Database.Database, text: string): ValueStatement<V> {
  const statement = sqlite.prepare<unknown[], V>(text).pluck();
  return {
    get: (...values) => statement.get(...values),
    one: (...values) => statement.get(...values) as V,
    all: (...values) => statement.all(...values),
  };
}

/** Shapes of one query that stay prepared. There are fewer, unless callers combine all filters. */
const maxShapes = 500;

/** Prepares one statement per query shape (the set of filters), at its first use. */
export function prepareByShape<P, R>(
  sqlite: Database.Database,
  build: (shape: string, values: P) => Compilable,
  raw = false,
): (shape: string) => PreparedStatement<P, R> {
  const statements = new Map<string, PreparedStatement<P, R>>();
  return (shape) => {
    let statement = statements.get(shape);
    if (statement === undefined) {
      if (statements.size >= maxShapes) statements.clear();
      statement = prepare<P, R>(sqlite, (values) => build(shape, values), raw);
      statements.set(shape, statement);
    }
    return statement;
  };
}

/** The named values alone: the placeholders of an insertion. */
export function pick<P, K extends keyof P>(values: P, names: readonly K[]): Pick<P, K> {
  return Object.fromEntries(names.map((name) => [name, values[name]])) as Pick<P, K>;
}

/** A class of statements on one connection. Its fields are initialized after the connection is set, and may prepare them. */
export class SqliteStore {
  protected readonly sqlite: Database.Database;

  constructor(sqlite: Database.Database) {
    this.sqlite = sqlite;
  }
}
