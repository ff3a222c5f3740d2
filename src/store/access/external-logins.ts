/** Stores which account at an OpenID provider signs in to which account here. */
import { execute, pick, query, selectAll, selectFirst } from '../engine/statement.ts';
import type { Row } from '../tables.ts';

export type ExternalLoginRow = Row<'external_logins'>;
type Key = [issuer: string, subject: string];

const columns = ['issuer', 'subject', 'account_id', 'email', 'created_ts', 'last_used_ts'] as const;

/**
 * Stores the logins at external identity providers that accounts are linked to. A login is one issuer and subject, and
 * belongs to one account.
 */
export class ExternalLoginStore {
  /** Links a login to an account. Throws if it is linked already. */
  readonly insert = execute<[login: ExternalLoginRow]>((login) =>
    query.insertInto('external_logins').values(pick(login, columns)),
  );
  readonly find = selectFirst<Key, ExternalLoginRow>((issuer, subject) =>
    query
      .selectFrom('external_logins')
      .select(columns)
      .where('issuer', '=', issuer)
      .where('subject', '=', subject),
  );
  /** The logins of an account, oldest first. */
  readonly ofAccount = selectAll<[account: string], ExternalLoginRow>((account) =>
    query
      .selectFrom('external_logins')
      .select(columns)
      .where('account_id', '=', account)
      .orderBy('created_ts'),
  );
  readonly delete = execute<Key>((issuer, subject) =>
    query.deleteFrom('external_logins').where('issuer', '=', issuer).where('subject', '=', subject),
  );
  /** Records a sign-in at `now` (ms). */
  readonly touch = execute<[...Key, now: number]>((issuer, subject, now) =>
    query
      .updateTable('external_logins')
      .set({ last_used_ts: now })
      .where('issuer', '=', issuer)
      .where('subject', '=', subject),
  );
}
