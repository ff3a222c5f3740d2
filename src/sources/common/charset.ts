/** Decodes bytes as text, by evidence rather than by declaration. */
import type { OpenedResource } from '../adapter.ts';

/** Max bytes in which a text declares its charset. */
const maxDeclarationBytes = 2_048;

/** Reads all bytes of a resource, limited by its `maxBytes`. */
export async function readBytes(opened: OpenedResource): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of opened.body) chunks.push(chunk);
  return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks);
}

/** Reads the whole body of a resource as text, in the charset that `decodeText` chooses. */
export async function readText(opened: OpenedResource): Promise<string> {
  return decodeText(await readBytes(opened), opened.contentType);
}

/**
 * Decodes bytes and removes a byte order mark. The charset is the first of: the byte order mark; UTF-8 if the bytes are
 * valid (no other text is valid UTF-8 by accident, and many UTF-8 pages declare another charset); the content type; the
 * XML declaration or the `meta` element; Windows-1252. Never fails: invalid bytes become U+FFFD.
 */
export function decodeText(bytes: Uint8Array, contentType: string | null = null): string {
  const markCharset = byteOrderMarkCharset(bytes);
  if (markCharset) return new TextDecoder(markCharset).decode(bytes);
  const declared = declaredCharset(bytes, contentType);
  const decoder = decoderFor(declared);
  // UTF-16 and ISO-2022 texts are also valid ASCII byte by byte.
  if (decoder && /^(?:utf-16|iso-2022)/.test(decoder.encoding)) return decoder.decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    if (decoder && decoder.encoding !== 'utf-8') return decoder.decode(bytes);
    return decodeBestEffort(bytes);
  }
}

/** Returns the decoder of a charset label; undefined for an unknown label. Decoding never fails. */
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

/** Returns the charset of the content type, else of the beginning of the text. */
export function declaredCharset(bytes: Uint8Array, contentType: string | null): string | null {
  const charsetPattern = /charset\s*=\s*(?:["']\s*)?([\w.:-]+)/i;
  const headerCharset = charsetPattern.exec(contentType ?? '')?.[1];
  if (headerCharset !== undefined && decoderFor(headerCharset)) return headerCharset;
  const head = Buffer.from(
    bytes.buffer,
    bytes.byteOffset,
    Math.min(bytes.length, maxDeclarationBytes),
  ).toString('latin1');
  const xml = /^\s*<\?xml[^>]*?encoding\s*=\s*["']([\w.:-]+)/i.exec(head)?.[1];
  const tags = head.match(/<meta\b[^>]*/gi) ?? [];
  const meta = tags.map((tag) => charsetPattern.exec(tag)?.[1]).find((label) => label !== undefined);
  const charset = xml ?? meta ?? null;
  // A declaration that is readable as ASCII is not in UTF-16.
  return charset !== null && /^utf-?16/i.test(charset) ? 'utf-8' : charset;
}

/** Decodes as UTF-8 or Windows-1252, whichever keeps more letters intact. */
function decodeBestEffort(bytes: Uint8Array): string {
  const text = new TextDecoder('utf-8').decode(bytes);
  const invalidCount = text.match(/\ufffd/g)?.length ?? 0;
  const nonAsciiCount = text.match(/[^\p{ASCII}]/gu)?.length ?? 0;
  return invalidCount <= nonAsciiCount - invalidCount ? text : new TextDecoder('windows-1252').decode(bytes);
}
