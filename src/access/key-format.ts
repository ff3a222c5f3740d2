/** How a key is written (docs/spec/credentials.md): prefix, public id, secret, checksum. */
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

export const keyPrefix = 'cb_live_';

/** What a secret scanner looks for in texts; the checksum tells a key from what only looks like one. */
export const keyPattern = /\bcb_live_[0-9A-Za-z]{6}_[0-9A-Za-z]{38}\b/;

const wholeKey = /^cb_live_([0-9A-Za-z]{6})_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Bytes from here on would favour the first digits. */
const unbiasedBelow = 256 - (256 % digits.length);
const publicLength = 6;
const secretLength = 32;
const checksumLength = 6;

export type KeyParts = { publicId: string; secret: string };

/** Whether it has the form of a key; its checksum may still be wrong. */
export const looksLikeKey = (text: string): boolean => wholeKey.test(text);

/** The parts of a key; null where it is none, or has a typing error. */
export function readKey(key: string): KeyParts | null {
  const match = wholeKey.exec(key);
  if (match === null) return null;
  const [, publicId, secret, sum] = match as unknown as [string, string, string, string];
  return checksum(`${keyPrefix}${publicId}_${secret}`) === sum ? { publicId, secret } : null;
}

/** A new key. */
export function randomKey(): string {
  return writeKey(base62(publicLength + secretLength, () => randomBytes(64)));
}

/** The same key for the same secret and label, each time. */
export function derivedKey(secret: Buffer, label: string): string {
  let block = 0;
  const bytes = () => {
    block += 1;
    return createHmac('sha256', secret).update(`${label}\n${block}`).digest();
  };
  return writeKey(base62(publicLength + secretLength, bytes));
}

/** An id with its prefix: 16 random characters. */
export function randomId(prefix: 'acc' | 'key' | 'ses'): string {
  return `${prefix}_${base62(16, () => randomBytes(32))}`;
}

/** The same id for the same text, each time. */
export function derivedId(prefix: 'key', text: string): string {
  let block = 0;
  const bytes = () => {
    block += 1;
    return createHash('sha256').update(`${block}\n${text}`).digest();
  };
  return `${prefix}_${base62(16, bytes)}`;
}

export const lastFour = (key: string): string => key.slice(-4);
/** By what people recognise a key afterwards: `cb_live_ab12cd_…wxyz`. */
export const keyHint = (publicId: string, four: string): string => `${keyPrefix}${publicId}_…${four}`;

function writeKey(characters: string): string {
  const unchecked = `${keyPrefix}${characters.slice(0, publicLength)}_${characters.slice(publicLength)}`;
  return unchecked + checksum(unchecked);
}

function checksum(text: string): string {
  let rest = crc32(text);
  let written = '';
  for (let place = 0; place < checksumLength; place += 1) {
    written = digits.charAt(rest % digits.length) + written;
    rest = Math.floor(rest / digits.length);
  }
  return written;
}

/** `length` characters, every one equally likely. */
function base62(length: number, bytes: () => Buffer): string {
  let written = '';
  for (;;) {
    for (const byte of bytes()) {
      if (byte >= unbiasedBelow) continue;
      written += digits.charAt(byte % digits.length);
      if (written.length === length) return written;
    }
  }
}
