/** Apps that people let in through OAuth, as their dashboard and the terminal show them. */
import type { Clock } from '../clock.ts';
import type { ConnectedAppRow, OAuthStore } from '../store/access/oauth.ts';
import type { Transactions } from '../store/transactions.ts';

export type ConnectedApp = {
  /** By which its owner disconnects it. */
  id: string;
  /** What it calls itself. */
  name: string;
  /** Its own page, where it names one; to be shown as text until it is `verified`. */
  uri: string | null;
  /** The host that vouches for it or takes its answers; null where it lives on people's machines. */
  host: string | null;
  scopes: string[];
  createdTs: number;
  lastUsedTs: number | null;
  /** Its name was read from its own host, and not merely claimed. */
  verified: boolean;
};

export type ConnectedAppList = {
  /** The apps that may act for the account (its id) now, the newest first. */
  list(account: string): Promise<ConnectedApp[]>;
  /** Ends all that the app may do, from the next request on; false where the account has no such app. */
  disconnect(account: string, id: string): Promise<boolean>;
};

/** Apps as the data file knows them; a grant ends here as it does when the app itself gives it up. */
export class ConnectedApps implements ConnectedAppList {
  readonly #transactions: Transactions;
  readonly #store: OAuthStore;
  readonly #clock: Clock;

  /** @param clock the one by which tokens expire */
  constructor(transactions: Transactions, store: OAuthStore, clock: Clock) {
    this.#transactions = transactions;
    this.#store = store;
    this.#clock = clock;
  }

  async list(account: string): Promise<ConnectedApp[]> {
    const now = this.#clock.now();
    return (await this.#transactions.read(() => this.#store.connectedApps(account, now))).map(toConnectedApp);
  }

  disconnect(account: string, id: string): Promise<boolean> {
    return this.#transactions.writeDurably(() => this.#store.deleteGrantOf(account, id));
  }
}

const toConnectedApp = (row: ConnectedAppRow): ConnectedApp => ({
  id: row.id,
  name: row.name,
  uri: row.uri,
  host: row.host,
  scopes: row.scopes.split(' ').filter((scope) => scope !== ''),
  createdTs: row.created_ts,
  lastUsedTs: row.last_used_ts,
  verified: row.verified === 1,
});
