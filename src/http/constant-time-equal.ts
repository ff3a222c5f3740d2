/** Comparing what somebody presents with what they should have. */
import { createHash, timingSafeEqual } from 'node:crypto';

/** Takes as long whatever was presented. */
export function equalsConstantTime(presented: string, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(presented), digest(token));
}
