/** The format of API keys (docs/spec/credentials.md): prefix, public id, secret, checksum. */
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** The beginning of every API key. */
export const apiKeyPrefix = 'cb_live_';

/** Pattern for secret scanners. The checksum then distinguishes keys from similar text. */
export const apiKeyPattern = /\bcb_live_[0-9A-Za-z]{6}_[0-9A-Za-z]{38}\b/;

const wholeKey = /^cb_live_([0-9A-Za-z]{6})_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;
const base62Digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Bytes from this value on would make the first digits more likely, so they are discarded. */
const unbiasedBelow = 256 - (256 % base62Digits.length);
const publicLength = 6;
const secretLength = 32;
const checksumLength = 6;

export type ApiKeyParts = { publicId: string; secret: string };

/** Whether a text has the format of a key; the checksum is not verified. */
export const looksLikeApiKey = (text: string): boolean => wholeKey.test(text);

/** Returns the parts of a key; null if the format or the checksum is wrong. */
export function parseApiKey(key: string): ApiKeyParts | null {
  const match = wholeKey.exec(key);
  if (match === null) return null;
  const [, publicId = '', secret = '', sum] = match;
  return checksum(`${apiKeyPrefix}${publicId}_${secret}`) === sum ? { publicId, secret } : null;
}

/** Generates a random key. */
export function generateApiKey(): string {
  return formatApiKey(base62(publicLength + secretLength, () => randomBytes(64)));
}

/** Derives a key from a secret and a label; deterministic. */
export function deriveApiKey(secret: Buffer, label: string): string {
  let block = 0;
  const bytes = () => {
    block += 1;
    return createHmac('sha256', secret).update(`${label}\n${block}`).digest();
  };
  return formatApiKey(base62(publicLength + secretLength, bytes));
}

/** Generates an id: a prefix and 16 random characters. */
export function generateId(prefix: 'acc' | 'key' | 'ses'): string {
  return `${prefix}_${base62(16, () => randomBytes(32))}`;
}

/** Derives an id from a text; deterministic. */
export function deriveId(prefix: 'key', text: string): string {
  let block = 0;
  const bytes = () => {
    block += 1;
    return createHash('sha256').update(`${block}\n${text}`).digest();
  };
  return `${prefix}_${base62(16, bytes)}`;
}

/** Returns the last four characters of a key, which its hint shows. */
export const lastFour = (key: string): string => key.slice(-4);
/** Returns the hint by which users recognise a key: `cb_live_ab12cd_…wxyz`. */
export const apiKeyHint = (publicId: string, four: string): string => `${apiKeyPrefix}${publicId}_…${four}`;

function formatApiKey(characters: string): string {
  const unchecked = `${apiKeyPrefix}${characters.slice(0, publicLength)}_${characters.slice(publicLength)}`;
  return unchecked + checksum(unchecked);
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let place = 0; place < checksumLength; place += 1) {
    digits = base62Digits.charAt(rest % base62Digits.length) + digits;
    rest = Math.floor(rest / base62Digits.length);
  }
  return digits;
}

/** Returns `length` uniformly distributed characters. */
function base62(length: number, bytes: () => Buffer): string {
  let characters = '';
  for (;;) {
    for (const byte of bytes()) {
      if (byte >= unbiasedBelow) continue;
      characters += base62Digits.charAt(byte % base62Digits.length);
      if (characters.length === length) return characters;
    }
  }
}
