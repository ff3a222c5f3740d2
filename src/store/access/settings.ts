/** Reads and writes the settings that belong to accounts and credentials: limits of plans, keys of the OAuth server. */
import type { Tx } from '../engine/engine.ts';
import { define, excluded, query } from '../engine/statement.ts';
import type { Row } from '../tables.ts';

type Setting = Row<'settings'>;

export class AccessSettingStore {
  readonly #read = define<{ key: string }, { value: string }>((p) =>
    query.selectFrom('settings').select('value').where('key', '=', p.key),
  );
  readonly #write = define<Setting, never>((p) =>
    query
      .insertInto('settings')
      .values({ key: p.key, value: p.value })
      .onConflict((conflict) => conflict.column('key').doUpdateSet(excluded('value'))),
  );
  readonly #add = define<Setting, never>((p) =>
    query
      .insertInto('settings')
      .values({ key: p.key, value: p.value })
      .onConflict((conflict) => conflict.column('key').doNothing()),
  );

  /** The value of a setting; undefined if it is not set. */
  async read(tx: Tx, key: string): Promise<string | undefined> {
    return (await this.#read.get(tx, { key }))?.value;
  }

  async write(tx: Tx, key: string, value: string): Promise<void> {
    await this.#write.run(tx, { key, value });
  }

  /** Adds a setting; an existing value stays. */
  async add(tx: Tx, key: string, value: string): Promise<void> {
    await this.#add.run(tx, { key, value });
  }
}
