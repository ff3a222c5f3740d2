/** Stores browser sessions. The file holds only a digest of each cookie. */
import type { Plan } from '../../contract/plans.ts';
import type { Role } from '../../contract/roles.ts';
import type { Tx } from '../engine/engine.ts';
import { define, pick, query } from '../engine/statement.ts';
import type { Row } from '../tables.ts';

export type SessionRow = Omit<NewSession, 'token_hash'>;
/** A session with the account data that its pages show. */
export type SessionWithAccountRow = SessionRow & { email: string; plan: Plan; role: Role };
type NewSession = Row<'sessions'>;
type OfAccount = { account: string };

const columns = ['id', 'account_id', 'address', 'user_agent', 'created_ts', 'last_used_ts'] as const;

export class SessionStore {
  readonly #insert = define<NewSession, never>((p) =>
    query
      .insertInto('sessions')
      .values(
        pick(p, ['id', 'token_hash', 'account_id', 'address', 'user_agent', 'created_ts', 'last_used_ts']),
      ),
  );
  readonly #byToken = define<{ hash: string }, SessionWithAccountRow>((p) =>
    query
      .selectFrom('sessions as s')
      .innerJoin('accounts as a', 'a.id', 's.account_id')
      .select(['s.id', 's.account_id', 's.address', 's.user_agent', 's.created_ts', 's.last_used_ts'])
      .select(['a.email', 'a.plan', 'a.role'])
      .where('s.token_hash', '=', p.hash)
      .where('a.suspended_ts', 'is', null),
  );
  readonly #ofAccount = define<OfAccount, SessionRow>((p) =>
    query
      .selectFrom('sessions')
      .select(columns)
      .where('account_id', '=', p.account)
      .orderBy('last_used_ts', 'desc')
      .orderBy('id'),
  );
  readonly #touch = define<{ id: string; now: number }, never>((p) =>
    query.updateTable('sessions').set({ last_used_ts: p.now }).where('id', '=', p.id),
  );
  readonly #delete = define<OfAccount & { id: string }, never>((p) =>
    query.deleteFrom('sessions').where('id', '=', p.id).where('account_id', '=', p.account),
  );
  readonly #deleteOthers = define<OfAccount & { id: string }, never>((p) =>
    query.deleteFrom('sessions').where('account_id', '=', p.account).where('id', '<>', p.id),
  );
  readonly #prune = define<{ created: number; used: number }, never>((p) =>
    query
      .deleteFrom('sessions')
      .where((eb) => eb.or([eb('created_ts', '<=', p.created), eb('last_used_ts', '<=', p.used)])),
  );

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
