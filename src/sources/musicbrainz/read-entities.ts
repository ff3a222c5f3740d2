/** The JSON of MusicBrainz, entity by entity: a dump's lines in constant memory, or one answer of the API. */

import { Failure } from '../../failure.ts';
import type { AdapterContext, ReadOutcome } from '../adapter.ts';
import { notJsonReason, readLines } from '../common/input-items.ts';
import { InvalidInputLimit } from '../common/invalid-input-limit.ts';
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

/** The dumps are large; an answer that is one document is not. */
const maxDumpBytes = 256 * 1024 ** 3;
const maxDocumentLength = 16 * 1024 * 1024;
const maxReasonLength = 210;

const archiveSignatures: [string, number, number[]][] = [
  ['xz', 0, [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]],
  ['bzip2', 0, [0x42, 0x5a, 0x68]],
  ['zip', 0, [0x50, 0x4b, 3, 4]],
  ['tar', 257, [0x75, 0x73, 0x74, 0x61, 0x72]],
];

/** Opens a location and yields what it holds; what cannot be read is reported, unless it is read in passing. */
export async function* readEntities(
  context: AdapterContext,
  location: string,
  isSilent = false,
): AsyncGenerator<Entity, ReadOutcome> {
  const conditional = !isSilent;
  const opened = await context.open(location, { maxBytes: maxDumpBytes, conditional });
  if (opened === null) return { ended: 'unchanged' };
  const reject = (where: string, reason: string) => {
    if (!isSilent) context.reject(where, reason);
  };
  // Until two lines are known, a text that is no JSON may be the beginning of a document on many lines.
  let document: string[] | null = [];
  let length = 0;
  const barren = new InvalidInputLimit(redactUrl(location));
  for await (const piece of readLines(barren.limitBytes(refuseArchives(opened.body, location)))) {
    const text = 'text' in piece ? piece.text : null;
    const where = `${redactUrl(location)} line ${piece.number}`;
    const value = text === null ? undefined : parseJson(text);
    length += text?.length ?? 0;
    if (value !== undefined) barren.countValid();
    // The lines of one document on many lines are none by themselves.
    else if (document === null) barren.countInvalid();
    if (document !== null && document.length > 1 && text !== null && length <= maxDocumentLength)
      document.push(text);
    else if (value === undefined && document !== null && text !== null && length <= maxDocumentLength)
      document.push(text);
    else {
      if (document !== null) yield* parseHeldLines(document, location, { reject, barren });
      document = null;
      if (value !== undefined) yield* listEntities(value, location, where);
      else reject(where, 'problem' in piece ? piece.problem : describeJsonError(text ?? ''));
    }
  }
  if (document === null || document.length === 0) return { ended: 'whole' };
  const whole = document.join('\n');
  const value = parseJson(whole);
  if (value !== undefined) yield* listEntities(value, location, redactUrl(location));
  else if (document.some((text) => parseJson(text) !== undefined))
    yield* parseHeldLines(document, location, { reject, barren });
  else {
    const reason = `is no JSON of MusicBrainz (${describeJsonError(whole)})`;
    reject(redactUrl(location), reason);
    return { ended: 'partial', reason: `${redactUrl(location)} ${reason}` };
  }
  return { ended: 'whole' };
}

/** What was held as one document and is none: lines of a dump, some of them broken. */
function* parseHeldLines(
  lines: readonly string[],
  location: string,
  { reject, barren }: { reject: (where: string, reason: string) => void; barren: InvalidInputLimit },
): Generator<Entity> {
  for (const [index, text] of lines.entries()) {
    const where = `${redactUrl(location)} line ${index + 1}`;
    const value = parseJson(text);
    if (value === undefined) {
      reject(where, describeJsonError(text));
      barren.countInvalid();
    } else {
      barren.countValid();
      yield* listEntities(value, location, where);
    }
  }
}

/** The bytes as they come; a `Failure` where they are packed in a way that has to be undone before. */
async function* refuseArchives(
  body: AsyncIterable<Uint8Array>,
  location: string,
): AsyncGenerator<Uint8Array> {
  let head: Uint8Array | null = new Uint8Array(0);
  for await (const chunk of body) {
    if (head !== null) {
      head = Buffer.concat([head, chunk.subarray(0, 512)]);
      const how = archiveSignatures.find(([, at, magic]) =>
        magic.every((byte, index) => head?.[at + index] === byte),
      )?.[0];
      if (how !== undefined)
        throw new Failure(
          `${location} is packed (${how}): unpack it first, for example with "tar -xf artist.tar.xz mbdump/artist", and read mbdump/artist.`,
        );
      if (head.length >= 512) head = null;
    }
    yield chunk;
  }
}

/** An object or a list; undefined where the text is neither. */
function parseJson(text: string): JsonObject | unknown[] | undefined {
  // Most lines of a document are neither, and a failure to parse costs a hundred times as much as this.
  if (!(text[0] === '{' && text.at(-1) === '}') && !(text[0] === '[' && text.at(-1) === ']'))
    return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) || Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function describeJsonError(text: string): string {
  try {
    JSON.parse(text);
    return 'is no object';
  } catch (failure) {
    return notJsonReason(failure).slice(0, maxReasonLength);
  }
}

/** The entities of an object: itself, or those of the list it is. */
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
  // In a dump the file says what its lines are.
  const dumped = /(?:^|[\\/])mbdump[\\/][a-z-]+$/.test(file) ? detectKindOfFile(file) : null;
  return { kind: dumped ?? detectKind(value, file), value, where };
};
