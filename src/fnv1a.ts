/**
 * A fast hash of 32 bits (FNV-1a over UTF-16 code units), for tables in memory. It is no protection against texts that are
 * chosen to collide.
 * @param seed the hash of a text before this one, or another start for a second hash of the same text
 */
export function fnv1a(text: string, seed = 0x811c9dc5): number {
  let hash = seed;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
