/** Apps that people connected through OAuth, as the dashboard and the terminal show them. */
import type { ConnectedAppRow } from '../store/access/oauth.ts';
import type { Tx } from '../store/engine/engine.ts';
import type { Base } from './parts.ts';

export type ConnectedApp = {
  /** The id of the grant. */
  id: string;
  /** The name that the app claims, or its host; empty if it has neither. */
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

/** The apps of accounts: their list, and disconnecting one. */
export class ConnectedApps {
  readonly #parts: Base;

  constructor(parts: Base) {
    this.#parts = parts;
  }

  /** The apps with a grant of the account (its id), newest first. */
  list(account: string): Promise<ConnectedApp[]> {
    return this.#parts.engine.read((tx) => this.#listIn(tx, account));
  }

  async #listIn(tx: Tx, account: string): Promise<ConnectedApp[]> {
    const { oauth, clock } = this.#parts;
    return (await oauth.connectedApps(tx, account, clock.now())).map(toConnectedApp);
  }

  /** Revokes the grant of an app, from the next request on; false if the account has no such app. */
  disconnect(account: string, id: string): Promise<boolean> {
    return this.#parts.engine.writeDurably((tx) => this.#parts.oauth.deleteGrantOf(tx, account, id));
  }

  /** Revokes the grant of an app within a transaction, and returns the app; null if the account has no such app. */
  async disconnectIn(tx: Tx, account: string, id: string): Promise<ConnectedApp | null> {
    const app = (await this.#listIn(tx, account)).find((one) => one.id === id);
    return app !== undefined && (await this.#parts.oauth.deleteGrantOf(tx, account, id)) ? app : null;
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
