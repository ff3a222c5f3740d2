/** Guesses the format of a file from its first bytes, for messages about a wrong --type. */
import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { constants, gunzipSync } from 'node:zlib';
import { type DetectedFormat, formatOfText, sourceTypeList } from '../contract/source-formats.ts';

export type { DetectedFormat };

/** Bytes that are read of a file. */
export const maxHeadBytes = 65_536;

/**
 * Returns the format that the first bytes of a file have; null if it is not known.
 * @param head gzipped or not; null if the file could not be read
 */
export function detectFormat(head: Uint8Array | null): DetectedFormat | null {
  const text = head === null ? null : decompressHead(head);
  if (text === null) return null;
  const bytes = Buffer.from(text);
  const [, encoding] = byteOrderMarks.find(([mark]) => bytes.subarray(0, 2).equals(mark)) ?? [];
  if (encoding === undefined) return formatOfText(bytes.toString('utf8').slice(0, maxHeadBytes));
  const format = formatOfText(new TextDecoder(encoding).decode(bytes).slice(0, maxHeadBytes));
  // The readers of the other formats decode UTF-16 themselves.
  return format === null || format.type === null || format.type === 'feed' ? wideText : format;
}

/** The first bytes of UTF-16. FF FE also begins UTF-32 (little-endian). */
const byteOrderMarks = [
  [Buffer.of(0xff, 0xfe), 'utf-16le'],
  [Buffer.of(0xfe, 0xff), 'utf-16be'],
] as const;
const wideText: DetectedFormat = { label: 'text in UTF-16 or UTF-32: save it as UTF-8', type: null };

/** Returns null for gzip that is damaged. */
function decompressHead(head: Uint8Array): Uint8Array | null {
  if (head[0] !== 0x1f || head[1] !== 0x8b) return head;
  try {
    return gunzipSync(head, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: 64 * maxHeadBytes });
  } catch {
    return null;
  }
}

/** Reads the first bytes of a file, or of the first file in a folder; null if that fails. */
export function readHead(path: string): Uint8Array | null {
  try {
    const file = statSync(path).isDirectory()
      ? readdirSync(path, { withFileTypes: true })
          .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
          .map(({ name }) => join(path, name))
          .sort()[0]
      : path;
    if (file === undefined || !statSync(file).isFile()) return null;
    const descriptor = openSync(file, 'r');
    try {
      const head = Buffer.alloc(maxHeadBytes);
      return head.subarray(0, readSync(descriptor, head, 0, maxHeadBytes, 0));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return null;
  }
}

/**
 * Returns the message for an import without records.
 * @param name name of the input
 * @param type value of --type
 * @param hasRejected whether records were rejected, whose reasons were printed
 */
export function nothingImportedMessage(
  name: string,
  type: string,
  looks: DetectedFormat | null,
  hasRejected: boolean,
): string {
  if (hasRejected && looks?.type === type)
    return `No record of ${name} was imported. The messages above say why.`;
  const nothing = `${name} contains no records of type ${type}`;
  if (looks === null) return `${nothing}. Supported types: ${sourceTypeList}.`;
  if (looks.type === type) return `${nothing}: it looks like ${looks.label} without entries.`;
  if (looks.type !== null) return `${nothing}: it looks like ${looks.label}. Try --type ${looks.type}.`;
  return `${nothing}: it is ${looks.label}. Supported types: ${sourceTypeList}.`;
}

/** Returns a hint for the message of a failed import; empty if the type fits or the format is unknown. */
export const formatHint = (type: string, looks: DetectedFormat | null): string =>
  looks === null || looks.type === null || looks.type === type
    ? ''
    : ` It looks like ${looks.label}: try --type ${looks.type}.`;
