/** Reads and writes the settings that belong to accounts and credentials: limits of plans, keys of the OAuth server. */
import type { Tx } from '../engine/engine.ts';
import { excluded, execute, query, selectFirst } from '../engine/statement.ts';

/** Stores settings as texts in the same table as those of the catalogue. */
export class AccessSettingStore {
  readonly write = execute<[key: string, value: string]>((key, value) =>
    query
      .insertInto('settings')
      .values({ key, value })
      .onConflict((conflict) => conflict.column('key').doUpdateSet(excluded('value'))),
  );
  /** Adds a setting; an existing value stays. */
  readonly add = execute<[key: string, value: string]>((key, value) =>
    query
      .insertInto('settings')
      .values({ key, value })
      .onConflict((conflict) => conflict.column('key').doNothing()),
  );
  readonly #find = selectFirst<[key: string], { value: string }>((key) =>
    query.selectFrom('settings').select('value').where('key', '=', key),
  );

  /** The value of a setting; undefined if it is not set. */
  async read(tx: Tx, key: string): Promise<string | undefined> {
    return (await this.#find(tx, key))?.value;
  }
}
