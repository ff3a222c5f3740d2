import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares a presented token with the expected one in constant time. */
export function equalsConstantTime(presented: string, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(presented), digest(token));
}
