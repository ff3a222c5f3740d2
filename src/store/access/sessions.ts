/** Stores browser sessions. The file holds only a digest of each cookie. */
import type { Plan } from '../../contract/plans.ts';
import type { Role } from '../../contract/roles.ts';
import {
  changesRows,
  countChanges,
  execute,
  pick,
  query,
  selectAll,
  selectFirst,
} from '../engine/statement.ts';
import type { Row } from '../tables.ts';

export type SessionRow = Omit<NewSession, 'token_hash'>;
/** A session with the account data that its pages show. */
export type SessionWithAccountRow = SessionRow & { email: string; plan: Plan; role: Role };
type NewSession = Row<'sessions'>;

const columns = ['id', 'account_id', 'address', 'user_agent', 'created_ts', 'last_used_ts'] as const;

/**
 * Stores browser sessions. Look-ups return sessions that are too old as well, until they are pruned:
 * `access/sessions.ts` refuses them.
 */
export class SessionStore {
  readonly insert = execute<[session: NewSession]>((session) =>
    query
      .insertInto('sessions')
      .values(
        pick(session, [
          'id',
          'token_hash',
          'account_id',
          'address',
          'user_agent',
          'created_ts',
          'last_used_ts',
        ]),
      ),
  );
  /** The session of a token, with its account; undefined if there is none, or the account is suspended. */
  readonly byToken = selectFirst<[hash: string], SessionWithAccountRow>((hash) =>
    query
      .selectFrom('sessions as s')
      .innerJoin('accounts as a', 'a.id', 's.account_id')
      .select(['s.id', 's.account_id', 's.address', 's.user_agent', 's.created_ts', 's.last_used_ts'])
      .select(['a.email', 'a.plan', 'a.role'])
      .where('s.token_hash', '=', hash)
      .where('a.suspended_ts', 'is', null),
  );
  /** The sessions of an account, last used first. */
  readonly ofAccount = selectAll<[account: string], SessionRow>((account) =>
    query
      .selectFrom('sessions')
      .select(columns)
      .where('account_id', '=', account)
      .orderBy('last_used_ts', 'desc')
      .orderBy('id'),
  );
  /** Records a use at `now` (ms). */
  readonly touch = execute<[id: string, now: number]>((id, now) =>
    query.updateTable('sessions').set({ last_used_ts: now }).where('id', '=', id),
  );
  /** Deletes a session of the account; false if it has no such session. */
  readonly delete = changesRows<[account: string, id: string]>((account, id) =>
    query.deleteFrom('sessions').where('id', '=', id).where('account_id', '=', account),
  );
  /** Deletes all sessions of the account but one. Returns how many. */
  readonly deleteOthers = countChanges<[account: string, id: string]>((account, id) =>
    query.deleteFrom('sessions').where('account_id', '=', account).where('id', '<>', id),
  );
  /** Deletes sessions created at `lastCreated` or before, or last used at `lastUsed` or before (ms). */
  readonly prune = execute<[lastCreated: number, lastUsed: number]>((lastCreated, lastUsed) =>
    query
      .deleteFrom('sessions')
      .where((eb) => eb.or([eb('created_ts', '<=', lastCreated), eb('last_used_ts', '<=', lastUsed)])),
  );
}
