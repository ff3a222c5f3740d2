/** Forged API keys, whose checksum is good. */
import assert from 'node:assert/strict';
import { generateApiKey, parseApiKey } from '../../src/access/api-key-format.ts';

/** A key with a good checksum, the public id of `key`, and another secret. */
export function forgedLike(key: string): string {
  const unchecked = key.slice(0, 15) + generateApiKey().slice(15, 47);
  const forged = unchecked + base62Crc(unchecked);
  assert.notEqual(parseApiKey(forged), null);
  return forged;
}

/** CRC-32 once more, bit by bit: the format is public, and what is written here must agree with it. */
function base62Crc(text: string): string {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  let crc = 0xffffffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  let rest = (crc ^ 0xffffffff) >>> 0;
  let written = '';
  for (let place = 0; place < 6; place += 1) {
    written = digits.charAt(rest % 62) + written;
    rest = Math.floor(rest / 62);
  }
  return written;
}
