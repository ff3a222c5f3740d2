/** Digests of secrets (docs/spec/credentials.md): argon2id for passwords and keys, SHA-256 for long random tokens. */
import { hash as sha256 } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';

/** 19 MiB, two passes, one lane; the library's variant is argon2id. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * Hashes the secret of an API key with argon2id, in a thread of libuv. Returns the PHC string, with salt and
 * parameters.
 */
export function hashSecret(secret: string): Promise<string> {
  return hash(secret, cost);
}

/**
 * Whether a secret belongs to a PHC string (`hashSecret`, `hashPassword`). Takes tens of milliseconds in a thread of
 * libuv.
 */
export function matchesSecret(hashed: string, secret: string): Promise<boolean> {
  return verify(hashed, secret);
}

/** The SHA-256 of a random token, under which the file stores it. */
export const digestOf = (token: string): string => sha256('sha256', token, 'base64url');

/** Hashes a password. NFKC, because keyboards write the same letter as one code point or as two. */
export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize('NFKC'), cost);
}
