/** How a key is written (docs/spec/credentials.md): prefix, public id, secret, checksum. */
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

export const apiKeyPrefix = 'cb_live_';

/** What a secret scanner looks for in texts; the checksum tells a key from what only looks like one. */
export const apiKeyPattern = /\bcb_live_[0-9A-Za-z]{6}_[0-9A-Za-z]{38}\b/;

const wholeKey = /^cb_live_([0-9A-Za-z]{6})_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;
const base62Digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Bytes from here on would favour the first digits. */
const unbiasedBelow = 256 - (256 % base62Digits.length);
const publicLength = 6;
const secretLength = 32;
const checksumLength = 6;

export type ApiKeyParts = { publicId: string; secret: string };

/** Whether it has the form of a key; its checksum may still be wrong. */
export const looksLikeApiKey = (text: string): boolean => wholeKey.test(text);

/** The parts of a key; null where it is none, or has a typing error. */
export function parseApiKey(key: string): ApiKeyParts | null {
  const match = wholeKey.exec(key);
  if (match === null) return null;
  const [, publicId, secret, sum] = match as unknown as [string, string, string, string];
  return checksum(`${apiKeyPrefix}${publicId}_${secret}`) === sum ? { publicId, secret } : null;
}

/** A new key. */
export function generateApiKey(): string {
  return formatApiKey(base62(publicLength + secretLength, () => randomBytes(64)));
}

/** The same key for the same secret and label, each time. */
export function deriveApiKey(secret: Buffer, label: string): string {
  let block = 0;
  const bytes = () => {
    block += 1;
    return createHmac('sha256', secret).update(`${label}\n${block}`).digest();
  };
  return formatApiKey(base62(publicLength + secretLength, bytes));
}

/** An id with its prefix: 16 random characters. */
export function generateId(prefix: 'acc' | 'key' | 'ses'): string {
  return `${prefix}_${base62(16, () => randomBytes(32))}`;
}

/** The same id for the same text, each time. */
export function deriveId(prefix: 'key', text: string): string {
  let block = 0;
  const bytes = () => {
    block += 1;
    return createHash('sha256').update(`${block}\n${text}`).digest();
  };
  return `${prefix}_${base62(16, bytes)}`;
}

export const lastFour = (key: string): string => key.slice(-4);
/** By what people recognise a key afterwards: `cb_live_ab12cd_…wxyz`. */
export const apiKeyHint = (publicId: string, four: string): string => `${apiKeyPrefix}${publicId}_…${four}`;

function formatApiKey(characters: string): string {
  const unchecked = `${apiKeyPrefix}${characters.slice(0, publicLength)}_${characters.slice(publicLength)}`;
  return unchecked + checksum(unchecked);
}

function checksum(text: string): string {
  let rest = crc32(text);
  let written = '';
  for (let place = 0; place < checksumLength; place += 1) {
    written = base62Digits.charAt(rest % base62Digits.length) + written;
    rest = Math.floor(rest / base62Digits.length);
  }
  return written;
}

/** `length` characters, every one equally likely. */
function base62(length: number, bytes: () => Buffer): string {
  let written = '';
  for (;;) {
    for (const byte of bytes()) {
      if (byte >= unbiasedBelow) continue;
      written += base62Digits.charAt(byte % base62Digits.length);
      if (written.length === length) return written;
    }
  }
}
