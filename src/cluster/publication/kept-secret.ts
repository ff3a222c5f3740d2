/** The secret of the cluster in the folder of a node, so that the node can start while PostgreSQL is away. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceDurably } from './durable.ts';

/** As long as the one that PostgreSQL has: 32 bytes. */
const secretText = /^[0-9a-f]{64}\n$/;

const pathIn = (folder: string): string => join(folder, 'cluster-secret');

/** Reads the secret that an earlier process kept in a folder; null: there is none. */
export function readKeptSecret(folder: string): Buffer | null {
  let text: string;
  try {
    text = readFileSync(pathIn(folder), 'latin1');
  } catch {
    return null;
  }
  return secretText.test(text) ? Buffer.from(text.trim(), 'hex') : null;
}

/** Keeps the secret in a folder of this process. Only the user of the service can read the file. */
export async function keepSecret(folder: string, secret: Buffer): Promise<void> {
  if (readKeptSecret(folder)?.equals(secret)) return;
  const path = pathIn(folder);
  await replaceDurably(path, `${path}.new`, `${secret.toString('hex')}\n`);
}
