/** Who may call: accounts, their keys, and the meter that counts every request. The one entry to this room. */
import type Database from 'better-sqlite3';
import type { Clock } from '../clock.ts';
import { AccountStore } from '../store/accounts.ts';
import { KeyStore } from '../store/keys.ts';
import { MeterStore } from '../store/meter.ts';
import { Transactions } from '../store/transactions.ts';
import { Accounts } from './accounts.ts';
import { type Credential, Identifier } from './identify.ts';
import { Keys } from './keys.ts';
import { type Door, Meter, type Verdict } from './meter.ts';

export type { Account, AccountDetails, Usage } from './accounts.ts';
export type { Credential } from './identify.ts';
export { keyPattern, keyPrefix } from './key-format.ts';
export type { CreatedKey, KeySummary } from './keys.ts';
export type { Door, LimitValues, Verdict } from './meter.ts';

export type Access = {
  readonly accounts: Accounts;
  readonly keys: Keys;
  /**
   * Whose key an `Authorization` header carries; null: answer 401. A key that was good is remembered: whether it still
   * is, `admit` says.
   */
  identify(authorization: string | undefined): Promise<Credential | null>;
  /**
   * Counts one request of the credential and says whether it may be answered: cost 1, or 0 for a 304, a 5xx and an MCP
   * notification, or the number of requests in a batch. `revoked`: answer 401. Rejects with `unavailable` where the file stays locked for ten seconds.
   */
  admit(credential: Credential, cost: number, door: Door): Promise<Verdict>;
  /** Closes the connection; what still waits is rejected with `unavailable`. */
  close(): void;
};

/** @param sqlite a connection for this alone (`openDatabase`); `close` closes it */
export function openAccess(sqlite: Database.Database, clock: Clock): Access {
  const transactions = new Transactions(sqlite);
  const accounts = new AccountStore(sqlite);
  const keys = new KeyStore(sqlite);
  const identifier = new Identifier(transactions, keys);
  const meter = new Meter(transactions, new MeterStore(sqlite), clock);
  return {
    accounts: new Accounts(transactions, accounts, keys, clock),
    keys: new Keys(transactions, accounts, keys, clock),
    identify: (authorization) => identifier.identify(authorization),
    async admit(credential, cost, door) {
      const verdict = await meter.admit(credential, cost, door);
      if (verdict.outcome === 'revoked') identifier.forget(credential);
      return verdict;
    },
    close: () => {
      sqlite.close();
    },
  };
}
