/**
 * Reads OAuth clients whose id several installations of an app share, and renews them: a client that is registered again
 * gets the current time and network, so that it is not deleted as unused.
 */
import type { Tx } from '../engine/engine.ts';
import { define, query } from '../engine/statement.ts';
import type { OriginRow } from './oauth-cleanup.ts';

export type SharedClientRow = { metadata: string; created_ts: number; last_used_ts: number | null };

export class SharedClientStore {
  readonly #client = define<{ id: string }, SharedClientRow>((p) =>
    query
      .selectFrom('oauth_clients')
      .select(['metadata', 'created_ts', 'last_used_ts'])
      .where('id', '=', p.id),
  );
  readonly #renew = define<OriginRow & { id: string; now: number }, never>((p) =>
    query
      .updateTable('oauth_clients')
      .set({ created_ts: p.now, origin: p.origin, region: p.region })
      .where('id', '=', p.id),
  );

  client(tx: Tx, id: string): Promise<SharedClientRow | undefined> {
    return this.#client.get(tx, { id });
  }

  /** Sets the time and network of the registration to those of a new client. The metadata stays. */
  async renew(tx: Tx, id: string, from: OriginRow, now: number): Promise<void> {
    await this.#renew.run(tx, { id, ...from, now });
  }
}
