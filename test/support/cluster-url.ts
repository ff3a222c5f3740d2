/** The address of a test's database as a person writes it. */
import type { ClusterAddress } from '../../src/cluster/connection.ts';

/** @param password never checked by the test's server; a test looks for it where it must not appear */
export function clusterUrl(address: ClusterAddress, password?: string): string {
  if (typeof address === 'string') return address;
  const login = password === undefined ? address.user : `${address.user}:${password}`;
  return `postgres://${login}@localhost/${address.database}?host=${encodeURIComponent(address.host)}`;
}
