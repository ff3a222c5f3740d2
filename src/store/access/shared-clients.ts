/**
 * Reads OAuth clients whose id several installations of an app share, and renews them: a client that is registered again
 * gets the current time and network, so that it is not deleted as unused.
 */
import { execute, query, selectFirst } from '../engine/statement.ts';
import type { OriginRow } from './oauth-cleanup.ts';

export type SharedClientRow = { metadata: string; created_ts: number; last_used_ts: number | null };

/** Reads and renews shared OAuth clients (docs/decisions/47-shared-clients.md). */
export class SharedClientStore {
  readonly client = selectFirst<[id: string], SharedClientRow>((id) =>
    query.selectFrom('oauth_clients').select(['metadata', 'created_ts', 'last_used_ts']).where('id', '=', id),
  );
  /** Sets the time and network of the registration to those of a new client. The metadata stays. */
  readonly renew = execute<[id: string, from: OriginRow, now: number]>((id, from, now) =>
    query
      .updateTable('oauth_clients')
      .set({ created_ts: now, origin: from.origin, region: from.region })
      .where('id', '=', id),
  );
}
