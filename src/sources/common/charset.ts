/** Bytes as text: in the charset they are written in, whatever they say they are. */
import type { OpenedResource } from '../adapter.ts';

/** What a text says of its own charset stands in its beginning. */
const maxDeclarationBytes = 2_048;

/** All bytes of something opened; its `maxBytes` bounds them. */
export async function readBytes(opened: OpenedResource): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of opened.body) pieces.push(piece);
  return pieces.length === 1 ? (pieces[0] as Uint8Array) : Buffer.concat(pieces);
}

/** All of something opened, as text. */
export async function readText(opened: OpenedResource): Promise<string> {
  return decodeText(await readBytes(opened), opened.contentType);
}

/**
 * Bytes as text, without a byte order mark. In this order: the mark, UTF-8 where they are valid as that (nothing else
 * looks like it by accident, and pages that are UTF-8 say otherwise every day), the charset of the content type, of
 * the XML declaration or the `meta` element, else Windows-1252. Never fails: what cannot be read becomes U+FFFD.
 */
export function decodeText(bytes: Uint8Array, contentType: string | null = null): string {
  const marked = byteOrderMarkCharset(bytes);
  if (marked) return new TextDecoder(marked).decode(bytes);
  const declared = declaredCharset(bytes, contentType);
  const decoder = decoderFor(declared);
  // UTF-16 and the shifting encodings of East Asia are valid ASCII, byte by byte.
  if (decoder && /^(?:utf-16|iso-2022)/.test(decoder.encoding)) return decoder.decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    if (decoder && decoder.encoding !== 'utf-8') return decoder.decode(bytes);
    return decodeBestEffort(bytes);
  }
}

/** A charset by the name it is declared with; undefined where nobody knows it. Decoding with it never fails. */
export function decoderFor(label: string | null): InstanceType<typeof TextDecoder> | undefined {
  if (label === null) return undefined;
  try {
    return new TextDecoder(label);
  } catch {
    return undefined;
  }
}

function byteOrderMarkCharset(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return null;
}

/** The charset that the content type names, or else the beginning of the text itself. */
export function declaredCharset(bytes: Uint8Array, contentType: string | null): string | null {
  const named = /charset\s*=\s*(?:["']\s*)?([\w.:-]+)/i;
  const outer = named.exec(contentType ?? '')?.[1];
  if (outer !== undefined && decoderFor(outer)) return outer;
  const head = Buffer.from(
    bytes.buffer,
    bytes.byteOffset,
    Math.min(bytes.length, maxDeclarationBytes),
  ).toString('latin1');
  const xml = /^\s*<\?xml[^>]*?encoding\s*=\s*["']([\w.:-]+)/i.exec(head)?.[1];
  const tags = head.match(/<meta\b[^>]*/gi) ?? [];
  const meta = tags.map((tag) => named.exec(tag)?.[1]).find((charset) => charset !== undefined);
  const found = xml ?? meta ?? null;
  // Who reads the declaration as ASCII knows that it is not UTF-16.
  return found !== null && /^utf-?16/i.test(found) ? 'utf-8' : found;
}

/** UTF-8 with a few bad bytes, or a text of single bytes: whichever leaves more letters whole. */
function decodeBestEffort(bytes: Uint8Array): string {
  const text = new TextDecoder('utf-8').decode(bytes);
  const bad = text.match(/\ufffd/g)?.length ?? 0;
  const other = text.match(/[^\p{ASCII}]/gu)?.length ?? 0;
  return bad <= other - bad ? text : new TextDecoder('windows-1252').decode(bytes);
}
