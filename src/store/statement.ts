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

/** The path of member names from the bound values to one value. */
type ValuePath = readonly PropertyKey[];
const paths = new WeakMap<object, ValuePath>();

/** The placeholder of a value that is bound when the query runs. Its members are placeholders of the value's members. */
function createPlaceholder(path: ValuePath): object {
  const placeholder = new Proxy({}, { get: (_target, name) => createPlaceholder([...path, name]) });
  paths.set(placeholder, path);
  return placeholder;
}

/** The path of a placeholder; null for a constant. */
const pathOf = (slot: unknown): ValuePath | null =>
  (typeof slot === 'object' && slot !== null ? paths.get(slot) : undefined) ?? null;

const memberOf = (value: unknown, name: PropertyKey): unknown =>
  (value as Record<PropertyKey, unknown>)[name];

export type PreparedStatement<P, R> = {
  get(values: P): R | undefined;
  all(values: P): R[];
  run(values: P): Database.RunResult;
};

/** A query builder or raw fragment: anything that compiles to SQL and parameters. */
export type Compilable<R = unknown> = { compile(executor: typeof query): CompiledQuery<R> };

/** SQL with placeholders, and the function that arranges values in their order. */
export type CompiledStatement<P> = { readonly sql: string; bind(values: P): unknown[] };

/** Compiles a query. `build` receives a placeholder for each value named in `P`. */
export function compile<P>(build: (values: P) => CompiledQuery<unknown>): CompiledStatement<P> {
  const { sql, parameters } = build(createPlaceholder([]) as P);
  const slots = parameters.map(pathOf);
  return {
    sql,
    // Without iterators and closures: most statements of an import and of a request are bound here.
    bind: (values) => {
      const bound: unknown[] = [];
      for (let at = 0; at < slots.length; at++) {
        const path = slots[at];
        if (!path) bound.push(parameters[at]);
        else if (path.length === 1) bound.push(memberOf(values, path[0] as PropertyKey));
        else bound.push(path.reduce(memberOf, values as unknown));
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

/** Calls `build` with the placeholder of each of its parameters, which are members of the placeholder of all values. */
export const buildWithPlaceholders = <P extends unknown[], Q>(build: (...values: P) => Q, values: P): Q =>
  build(...(Array.from({ length: build.length }, (_, index) => values[index]) as P));

/** SQL whose parameters are the arguments of a call in their order, or a function that builds a query of them. */
export type StatementSource<P extends unknown[], R = unknown> = string | ((...values: P) => Compilable<R>);

function prepareSource<P extends unknown[]>(sqlite: Database.Database, source: StatementSource<P>) {
  if (typeof source === 'string') return { statement: sqlite.prepare(source), bind: (values: P) => values };
  const { sql, bind } = compile<P>((values) => buildWithPlaceholders(source, values).compile(query));
  return { statement: sqlite.prepare(sql), bind };
}

/** A class of statements on one connection. Its fields are initialized after the connection is set, and may prepare them. */
export class SqliteStore {
  protected readonly sqlite: Database.Database;

  constructor(sqlite: Database.Database) {
    this.sqlite = sqlite;
  }

  /** Prepares a query. The function returns its first row, or undefined. */
  protected selectFirst<P extends unknown[], R>(
    source: StatementSource<P, R>,
  ): (...values: P) => R | undefined {
    const { statement, bind } = prepareSource(this.sqlite, source);
    return (...values) => statement.get(...bind(values)) as R | undefined;
  }

  /** Prepares a query that always has a row. The function returns the first one. */
  protected selectOne<P extends unknown[], R>(source: StatementSource<P, R>): (...values: P) => R {
    const select = this.selectFirst(source);
    return (...values) => select(...values) as R;
  }

  /** Prepares a query. The function returns all its rows. */
  protected selectAll<P extends unknown[], R>(source: StatementSource<P, R>): (...values: P) => R[] {
    const { statement, bind } = prepareSource(this.sqlite, source);
    return (...values) => statement.all(...bind(values)) as R[];
  }

  /** Prepares a query of one column. The function returns its first value; null without a row. */
  protected selectValue<P extends unknown[], V>(source: StatementSource<P>): (...values: P) => V | null {
    const { statement, bind } = prepareSource(this.sqlite, source);
    statement.pluck();
    return (...values) => (statement.get(...bind(values)) as V | undefined) ?? null;
  }

  /** Prepares a query of one column. The function returns all its values. */
  protected selectValues<P extends unknown[], V>(source: StatementSource<P>): (...values: P) => V[] {
    const { statement, bind } = prepareSource(this.sqlite, source);
    statement.pluck();
    return (...values) => statement.all(...bind(values)) as V[];
  }

  /** Prepares a count. The function returns the number. */
  protected selectCount<P extends unknown[]>(source: StatementSource<P>): (...values: P) => number {
    const select = this.selectValue<P, number>(source);
    return (...values) => select(...values) ?? 0;
  }

  /** Prepares a change of rows, which returns how many rows it changed. */
  protected execute<P extends unknown[]>(source: StatementSource<P>): (...values: P) => number {
    const { statement, bind } = prepareSource(this.sqlite, source);
    return (...values) => statement.run(...bind(values)).changes;
  }
}
