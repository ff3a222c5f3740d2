/** The address of a test's database as a person writes it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClusterAddress } from '../../src/cluster/connection.ts';

/** @param password never checked by the test's server; a test looks for it where it must not appear */
export function clusterUrl(address: ClusterAddress, password?: string): string {
  if (typeof address === 'string') return address;
  const login = password === undefined ? address.user : `${address.user}:${password}`;
  return `postgres://${login}@localhost/${address.database}?host=${encodeURIComponent(address.host)}`;
}

/** Writes the address into a file that others cannot read. Returns its path, for `CRATEBASE_CLUSTER_FILE`. */
export function writeClusterFile(folder: string, address: ClusterAddress): string {
  const file = join(folder, 'cluster');
  writeFileSync(file, `${clusterUrl(address, 'secret')}\n`, { mode: 0o600 });
  return file;
}
