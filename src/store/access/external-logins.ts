/** Stores which account at an OpenID provider signs in to which account here. */
import { execute, pick, query, selectAll, selectFirst } from '../engine/statement.ts';
import type { Row } from '../tables.ts';

export type ExternalLoginRow = Row<'external_logins'>;
type Key = [issuer: string, subject: string];

const columns = ['issuer', 'subject', 'account_id', 'email', 'created_ts', 'last_used_ts'] as const;

export class ExternalLoginStore {
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
  readonly touch = execute<[...Key, now: number]>((issuer, subject, now) =>
    query
      .updateTable('external_logins')
      .set({ last_used_ts: now })
      .where('issuer', '=', issuer)
      .where('subject', '=', subject),
  );
}
