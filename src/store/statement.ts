/**
 * Kysely writes and types a query; it is compiled once and run as a prepared better-sqlite3 statement. (Kysely's own
 * driver prepares at every call and answers through promises: too slow for the hot path.)
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

/** Builds queries; runs none. */
export const query = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

/** Stands in a query where a value will be when it runs. */
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

/** A query builder, or a raw fragment: whatever compiles to SQL and its parameters. */
type Compilable = { compile(executor: typeof query): CompiledQuery<unknown> };

/**
 * Prepares the query that `build` returns. `build` is given stand-ins for the values named in `P`; the statement is
 * then run with such values, as often as wanted. `raw` gives rows as arrays, in the order of the columns.
 */
export function prepare<P, R>(
  sqlite: Database.Database,
  build: (values: P) => Compilable,
  raw = false,
): PreparedStatement<P, R> {
  const compiled = build(parameters as P).compile(query);
  const statement = sqlite.prepare(compiled.sql);
  if (raw) statement.raw();
  const slots = compiled.parameters.map((slot) =>
    slot instanceof Parameter ? (slot.name as keyof P) : null,
  );
  const constants = compiled.parameters;
  const bind = (values: P): unknown[] =>
    slots.map((name, index) => (name === null ? constants[index] : values[name]));
  return {
    get: (values) => statement.get(...bind(values)) as R | undefined,
    all: (values) => statement.all(...bind(values)) as R[],
    run: (values) => statement.run(...bind(values)),
  };
}

/** Prepared statements by the shape of what is asked (which filters are given), each made when first needed. */
export function prepareByShape<P, R>(
  sqlite: Database.Database,
  build: (shape: string, values: P) => Compilable,
  raw = false,
): (shape: string) => PreparedStatement<P, R> {
  const made = new Map<string, PreparedStatement<P, R>>();
  return (shape) => {
    let statement = made.get(shape);
    if (statement === undefined) {
      statement = prepare<P, R>(sqlite, (values) => build(shape, values), raw);
      made.set(shape, statement);
    }
    return statement;
  };
}
