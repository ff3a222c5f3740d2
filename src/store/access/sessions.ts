/** Stores browser sessions. The file holds only a digest of each cookie. */
import type { Plan } from '../../contract/plans.ts';
import type { Role } from '../../contract/roles.ts';
import type { Tx } from '../engine/engine.ts';
import { define, query, type Statement } from '../engine/statement.ts';

export type SessionRow = {
  id: string;
  account_id: string;
  address: string;
  user_agent: string;
  created_ts: number;
  last_used_ts: number;
};
/** A session with the account data that its pages show. */
export type SessionWithAccountRow = SessionRow & { email: string; plan: Plan; role: Role };
export type NewSession = SessionRow & { token_hash: string };
type OfAccount = { account: string };

const columns = ['id', 'account_id', 'address', 'user_agent', 'created_ts', 'last_used_ts'] as const;

export class SessionStore {
  readonly #insert: Statement<NewSession, never>;
  readonly #byToken: Statement<{ hash: string }, SessionWithAccountRow>;
  readonly #ofAccount: Statement<OfAccount, SessionRow>;
  readonly #touch: Statement<{ id: string; now: number }, never>;
  readonly #delete: Statement<OfAccount & { id: string }, never>;
  readonly #deleteOthers: Statement<OfAccount & { id: string }, never>;
  readonly #prune: Statement<{ created: number; used: number }, never>;

  constructor() {
    this.#insert = define((p) =>
      query.insertInto('sessions').values({
        id: p.id,
        token_hash: p.token_hash,
        account_id: p.account_id,
        address: p.address,
        user_agent: p.user_agent,
        created_ts: p.created_ts,
        last_used_ts: p.last_used_ts,
      }),
    );
    this.#byToken = define((p) =>
      query
        .selectFrom('sessions as s')
        .innerJoin('accounts as a', 'a.id', 's.account_id')
        .select(['s.id', 's.account_id', 's.address', 's.user_agent', 's.created_ts', 's.last_used_ts'])
        .select(['a.email', 'a.plan', 'a.role'])
        .where('s.token_hash', '=', p.hash)
        .where('a.suspended_ts', 'is', null),
    );
    this.#ofAccount = define((p) =>
      query
        .selectFrom('sessions')
        .select(columns)
        .where('account_id', '=', p.account)
        .orderBy('last_used_ts', 'desc')
        .orderBy('id'),
    );
    this.#touch = define((p) =>
      query.updateTable('sessions').set({ last_used_ts: p.now }).where('id', '=', p.id),
    );
    this.#delete = define((p) =>
      query.deleteFrom('sessions').where('id', '=', p.id).where('account_id', '=', p.account),
    );
    this.#deleteOthers = define((p) =>
      query.deleteFrom('sessions').where('account_id', '=', p.account).where('id', '<>', p.id),
    );
    this.#prune = define((p) =>
      query
        .deleteFrom('sessions')
        .where((eb) => eb.or([eb('created_ts', '<=', p.created), eb('last_used_ts', '<=', p.used)])),
    );
  }

  async insert(tx: Tx, session: NewSession): Promise<void> {
    await this.#insert.run(tx, session);
  }

  /** The session of a token, with its account; undefined if there is none, or the account is suspended. */
  byToken(tx: Tx, hash: string): Promise<SessionWithAccountRow | undefined> {
    return this.#byToken.get(tx, { hash });
  }

  /** The sessions of an account, last used first. */
  ofAccount(tx: Tx, account: string): Promise<SessionRow[]> {
    return this.#ofAccount.all(tx, { account });
  }

  async touch(tx: Tx, id: string, now: number): Promise<void> {
    await this.#touch.run(tx, { id, now });
  }

  /** Deletes a session of the account; false if it has no such session. */
  async delete(tx: Tx, account: string, id: string): Promise<boolean> {
    return (await this.#delete.run(tx, { account, id })).changes > 0;
  }

  /** Deletes all sessions of the account but one. Returns how many. */
  async deleteOthers(tx: Tx, account: string, id: string): Promise<number> {
    return (await this.#deleteOthers.run(tx, { account, id })).changes;
  }

  /** Deletes sessions created at `created` or before, or last used at `used` or before (ms). */
  async prune(tx: Tx, created: number, used: number): Promise<void> {
    await this.#prune.run(tx, { created, used });
  }
}
