/**
 * Entries of the audit log about the cluster itself: its first catalogue, nodes that were removed, and the place of
 * objects.
 */
import type { Actor } from '../contract/roles.ts';

export type ClusterAction = {
  actor: Actor;
  action: 'cluster.init' | 'cluster.leave' | 'cluster.objects';
  subject: string;
  details: Record<string, unknown>;
};

const insertSql = `INSERT INTO audit_log (created_ts, actor, action, subject_kind, subject, details)
  VALUES (now_ms(), $1, $2, 'cluster', $3, $4)`;

/** Adds an entry. */
export async function recordClusterAction(
  connection: { query(sql: string, values: unknown[]): Promise<unknown> },
  { actor, action, subject, details }: ClusterAction,
): Promise<void> {
  await connection.query(insertSql, [actor, action, subject, JSON.stringify(details)]);
}
