/**
 * Encrypts objects with AES-256-GCM. The nonce is derived from the content: the same content gives the same object,
 * with the same name, so an upload that is repeated stores nothing twice.
 */
import { createCipheriv, createDecipheriv, createHmac, hash } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** Encrypts the content. Returns the nonce, the tag and the encrypted bytes in one buffer. */
export function seal(content: Uint8Array, key: Uint8Array): Buffer {
  const digest = hash('sha256', content, 'buffer');
  const nonce = createHmac('sha256', key).update(digest).digest().subarray(0, nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce);
  const encrypted = cipher.update(content);
  cipher.final();
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]);
}

/** Decrypts an object. Throws if it was made with another key, or was changed. */
export function unseal(sealed: Uint8Array, key: Uint8Array): Buffer {
  const nonce = sealed.subarray(0, nonceBytes);
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
  decipher.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes));
  const content = decipher.update(sealed.subarray(nonceBytes + tagBytes));
  return Buffer.concat([content, decipher.final()]);
}

/** The name of an object: the SHA-256 of its encrypted bytes, in hexadecimal. */
export const nameOf = (sealed: Uint8Array): string => hash('sha256', sealed);
