/** Apps that people connected through OAuth, as the dashboard and the terminal show them. */
import type { Clock } from '../clock.ts';
import type { ConnectedAppRow, OAuthStore } from '../store/access/oauth.ts';
import type { Engine } from '../store/engine/engine.ts';

export type ConnectedApp = {
  /** The id of the grant. */
  id: string;
  /** The name that the app claims. */
  name: string;
  /** The web page of the app, or null. Shown as text unless `verified`. */
  uri: string | null;
  /** The host of its metadata document or redirect URI; null for an app on a person's machine. */
  host: string | null;
  scopes: string[];
  createdTs: number;
  lastUsedTs: number | null;
  /** Whether the name was read from the host of the app. */
  verified: boolean;
};

export type ConnectedAppList = {
  /** The apps with a grant of the account (its id), newest first. */
  list(account: string): Promise<ConnectedApp[]>;
  /** Revokes the grant of an app, from the next request on; false if the account has no such app. */
  disconnect(account: string, id: string): Promise<boolean>;
};

export class ConnectedApps implements ConnectedAppList {
  readonly #engine: Engine;
  readonly #store: OAuthStore;
  readonly #clock: Clock;

  /** @param clock the clock by which tokens expire */
  constructor(engine: Engine, store: OAuthStore, clock: Clock) {
    this.#engine = engine;
    this.#store = store;
    this.#clock = clock;
  }

  async list(account: string): Promise<ConnectedApp[]> {
    const now = this.#clock.now();
    return (await this.#engine.read((tx) => this.#store.connectedApps(tx, account, now))).map(toConnectedApp);
  }

  disconnect(account: string, id: string): Promise<boolean> {
    return this.#engine.writeDurably((tx) => this.#store.deleteGrantOf(tx, account, id));
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
