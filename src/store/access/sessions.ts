/** Stores browser sessions. The file holds only a digest of each cookie. */
import type Database from 'better-sqlite3';
import type { Plan } from '../../contract/plans.ts';
import type { Role } from '../../contract/roles.ts';
import { type PreparedStatement, prepare, query } from '../statement.ts';

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
  readonly #insert: PreparedStatement<NewSession, never>;
  readonly #byToken: PreparedStatement<{ hash: string }, SessionWithAccountRow>;
  readonly #ofAccount: PreparedStatement<OfAccount, SessionRow>;
  readonly #touch: PreparedStatement<{ id: string; now: number }, never>;
  readonly #delete: PreparedStatement<OfAccount & { id: string }, never>;
  readonly #deleteOthers: PreparedStatement<OfAccount & { id: string }, never>;
  readonly #prune: PreparedStatement<{ created: number; used: number }, never>;

  constructor(sqlite: Database.Database) {
    this.#insert = prepare(sqlite, (p) =>
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
    this.#byToken = prepare(sqlite, (p) =>
      query
        .selectFrom('sessions as s')
        .innerJoin('accounts as a', 'a.id', 's.account_id')
        .select(['s.id', 's.account_id', 's.address', 's.user_agent', 's.created_ts', 's.last_used_ts'])
        .select(['a.email', 'a.plan', 'a.role'])
        .where('s.token_hash', '=', p.hash)
        .where('a.suspended_ts', 'is', null),
    );
    this.#ofAccount = prepare(sqlite, (p) =>
      query
        .selectFrom('sessions')
        .select(columns)
        .where('account_id', '=', p.account)
        .orderBy('last_used_ts', 'desc')
        .orderBy('id'),
    );
    this.#touch = prepare(sqlite, (p) =>
      query.updateTable('sessions').set({ last_used_ts: p.now }).where('id', '=', p.id),
    );
    this.#delete = prepare(sqlite, (p) =>
      query.deleteFrom('sessions').where('id', '=', p.id).where('account_id', '=', p.account),
    );
    this.#deleteOthers = prepare(sqlite, (p) =>
      query.deleteFrom('sessions').where('account_id', '=', p.account).where('id', '<>', p.id),
    );
    this.#prune = prepare(sqlite, (p) =>
      query
        .deleteFrom('sessions')
        .where((eb) => eb.or([eb('created_ts', '<=', p.created), eb('last_used_ts', '<=', p.used)])),
    );
  }

  insert(session: NewSession): void {
    this.#insert.run(session);
  }

  /** The session of a token, with its account; undefined if there is none, or the account is suspended. */
  byToken(hash: string): SessionWithAccountRow | undefined {
    return this.#byToken.get({ hash });
  }

  /** The sessions of an account, last used first. */
  ofAccount(account: string): SessionRow[] {
    return this.#ofAccount.all({ account });
  }

  touch(id: string, now: number): void {
    this.#touch.run({ id, now });
  }

  /** Deletes a session of the account; false if it has no such session. */
  delete(account: string, id: string): boolean {
    return this.#delete.run({ account, id }).changes > 0;
  }

  /** Deletes all sessions of the account but one. Returns how many. */
  deleteOthers(account: string, id: string): number {
    return this.#deleteOthers.run({ account, id }).changes;
  }

  /** Deletes sessions created at `created` or before, or last used at `used` or before (ms). */
  prune(created: number, used: number): void {
    this.#prune.run({ created, used });
  }
}
