/** Reads entities of MusicBrainz JSON: the lines of a dump in constant memory, or one response of the API. */

import { Failure } from '../../failure.ts';
import type { AdapterContext, ReadOutcome } from '../adapter.ts';
import { notJsonReason, readLines } from '../common/input-items.ts';
import { InvalidInputLimit } from '../common/invalid-input-limit.ts';
import { parseJson as parseBoundedJson } from '../common/parse-json.ts';
import { redactUrl } from '../common/redact.ts';
import { isJsonObject, type JsonObject } from '../common/values.ts';
import {
  detectKind,
  detectKindOfFile,
  type Entity,
  kindByListName,
  nonEmptyText,
  objectList,
} from './entity.ts';

/** Dumps are large; single documents are not. */
const maxDumpBytes = 256 * 1024 ** 3;
const maxDocumentLength = 16 * 1024 * 1024;
const maxReasonLength = 210;

const archiveSignatures: [string, number, number[]][] = [
  ['xz', 0, [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]],
  ['bzip2', 0, [0x42, 0x5a, 0x68]],
  ['zip', 0, [0x50, 0x4b, 3, 4]],
  ['tar', 257, [0x75, 0x73, 0x74, 0x61, 0x72]],
];

/**
 * Opens a location and yields its entities.
 * @param isSilent suppresses rejections, for a preparatory read
 */
export async function* readEntities(
  context: AdapterContext,
  location: string,
  isSilent = false,
): AsyncGenerator<Entity, ReadOutcome> {
  const conditional = !isSilent;
  const resource = await context.open(location, { maxBytes: maxDumpBytes, conditional });
  if (resource === null) return { ended: 'unchanged' };
  const reject = (where: string, reason: string) => {
    if (!isSilent) context.reject(where, reason);
  };
  // Until two lines are parsed, invalid JSON may be the start of a multi-line document.
  let document: string[] | null = [];
  let length = 0;
  const invalidLimit = new InvalidInputLimit(redactUrl(location));
  for await (const item of readLines(invalidLimit.limitBytes(refuseArchives(resource.body, location)))) {
    const text = 'text' in item ? item.text : null;
    const where = `${redactUrl(location)} line ${item.number}`;
    const value = text === null ? undefined : parseJson(text);
    length += text?.length ?? 0;
    if (value !== undefined) invalidLimit.countValid();
    // Lines of a multi-line document are not JSON by themselves.
    else if (document === null) invalidLimit.countInvalid();
    if (document !== null && document.length > 1 && text !== null && length <= maxDocumentLength)
      document.push(text);
    else if (value === undefined && document !== null && text !== null && length <= maxDocumentLength)
      document.push(text);
    else {
      if (document !== null) yield* parseBufferedLines(document, location, { reject, invalidLimit });
      document = null;
      if (value !== undefined) yield* listEntities(value, location, where);
      else reject(where, 'problem' in item ? item.problem : describeJsonError(text ?? ''));
    }
  }
  if (document === null || document.length === 0) return { ended: 'whole' };
  const fullText = document.join('\n');
  const value = parseJson(fullText);
  if (value !== undefined) yield* listEntities(value, location, redactUrl(location));
  else if (document.some((text) => parseJson(text) !== undefined))
    yield* parseBufferedLines(document, location, { reject, invalidLimit });
  else {
    const reason = `is not JSON of MusicBrainz (${describeJsonError(fullText)})`;
    reject(redactUrl(location), reason);
    return { ended: 'partial', reason: `${redactUrl(location)} ${reason}` };
  }
  return { ended: 'whole' };
}

/** Yields the entities of buffered lines that are no single document: lines of a dump, some of them invalid. */
function* parseBufferedLines(
  lines: readonly string[],
  location: string,
  {
    reject,
    invalidLimit,
  }: { reject: (where: string, reason: string) => void; invalidLimit: InvalidInputLimit },
): Generator<Entity> {
  for (const [index, text] of lines.entries()) {
    const where = `${redactUrl(location)} line ${index + 1}`;
    const value = parseJson(text);
    if (value === undefined) {
      reject(where, describeJsonError(text));
      invalidLimit.countInvalid();
    } else {
      invalidLimit.countValid();
      yield* listEntities(value, location, where);
    }
  }
}

/**
 * Passes bytes on.
 * @throws Failure where they are in an archive format that must be unpacked first
 */
async function* refuseArchives(
  body: AsyncIterable<Uint8Array>,
  location: string,
): AsyncGenerator<Uint8Array> {
  let head: Uint8Array | null = new Uint8Array(0);
  for await (const chunk of body) {
    if (head !== null) {
      head = Buffer.concat([head, chunk.subarray(0, 512)]);
      const format = archiveSignatures.find(([, at, magic]) =>
        magic.every((byte, index) => head?.[at + index] === byte),
      )?.[0];
      if (format !== undefined)
        throw new Failure(
          `${location} is a ${format} archive. Unpack it first, for example with "tar -xf artist.tar.xz mbdump/artist", and import mbdump/artist.`,
        );
      if (head.length >= 512) head = null;
    }
    yield chunk;
  }
}

/** Parses an object or a list; undefined if the text is neither. */
function parseJson(text: string): JsonObject | unknown[] | undefined {
  // Most lines of a document are neither, and a failed parse is a hundred times slower than this check.
  if (!(text[0] === '{' && text.at(-1) === '}') && !(text[0] === '[' && text.at(-1) === ']'))
    return undefined;
  try {
    const value: unknown = parseBoundedJson(text);
    return isJsonObject(value) || Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function describeJsonError(text: string): string {
  try {
    parseBoundedJson(text);
    return 'is not an object';
  } catch (failure) {
    return notJsonReason(failure).slice(0, maxReasonLength);
  }
}

/** Yields an object, or the items of the list that it contains. */
function* listEntities(value: JsonObject | unknown[], file: string, where: string): Generator<Entity> {
  if (Array.isArray(value)) {
    for (const [index, entry] of objectList(value).entries())
      yield toEntity(entry, file, `${where} item ${index + 1}`);
    return;
  }
  const list =
    nonEmptyText(value.id) === undefined
      ? Object.keys(kindByListName).find((name) => Array.isArray(value[name]))
      : undefined;
  if (list === undefined) {
    yield toEntity(value, file, where);
    return;
  }
  for (const [index, entry] of objectList(value[list]).entries()) {
    yield { kind: kindByListName[list] ?? null, value: entry, where: `${where} ${list} ${index + 1}` };
  }
}

const toEntity = (value: JsonObject, file: string, where: string): Entity => {
  // In a dump the file name determines the kind.
  const dumpKind = /(?:^|[\\/])mbdump[\\/][a-z-]+$/.test(file) ? detectKindOfFile(file) : null;
  return { kind: dumpKind ?? detectKind(value, file), value, where };
};
