/** Reads the forms that pages post. */
import type { IncomingMessage } from 'node:http';
import { Problem } from '../contract/errors.ts';
import { readBody } from './request-body.ts';

const formType = 'application/x-www-form-urlencoded';
const defaultMaxBytes = 16_384;

/** The status is 413 (RFC 9110, section 15.5.14). */
export class FormTooLarge extends Problem {
  constructor(maxBytes: number) {
    super('invalid_parameter', `The form is too long. Send at most ${maxBytes} bytes.`);
  }
}

/** A form with one file: its fields, and the content of the file (empty if none was chosen). */
export type FileForm = { fields: URLSearchParams; file: Buffer };

/**
 * Reads the fields of a posted form. Rejects with a `Problem` if the body has another media type, is longer than
 * `maxBytes` (`FormTooLarge`), ends early, or is not UTF-8.
 */
export async function readForm(
  request: IncomingMessage,
  { maxBytes = defaultMaxBytes }: { maxBytes?: number } = {},
): Promise<URLSearchParams> {
  const type = (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (type !== formType || request.headers['content-encoding'] !== undefined) {
    request.resume();
    throw new Problem('invalid_parameter', `Send the form as ${formType}.`);
  }
  const body = await readBody(request, maxBytes);
  if (body === 'too large') throw new FormTooLarge(maxBytes);
  if (body === null) throw new Problem('invalid_parameter', 'The form was not sent to its end.');
  return parseForm(body);
}

function parseForm(bytes: Buffer): URLSearchParams {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    // Throws for malformed percent-encoding, which URLSearchParams would accept.
    decodeURIComponent(text);
    return new URLSearchParams(text);
  } catch {
    throw new Problem('invalid_parameter', 'The form cannot be read: it is not UTF-8. Open its page again.');
  }
}

/**
 * Reads a posted form with a file (`multipart/form-data`, RFC 7578). Rejects with a `Problem` as `readForm` does.
 * @param maxBytes maximum length of the whole form
 */
export async function readFileForm(request: IncomingMessage, maxBytes: number): Promise<FileForm> {
  const type = request.headers['content-type'] ?? '';
  const isMultipart = type.split(';', 1)[0]?.trim().toLowerCase() === 'multipart/form-data';
  if (!isMultipart || request.headers['content-encoding'] !== undefined) {
    request.resume();
    throw new Problem('invalid_parameter', 'Send the form as multipart/form-data.');
  }
  const body = await readBody(request, maxBytes);
  if (body === 'too large') throw new FormTooLarge(maxBytes);
  if (body === null) throw new Problem('invalid_parameter', 'The form was not sent to its end.');
  const form = await parseMultipart(type, body);
  const fields = new URLSearchParams();
  let file: Buffer = Buffer.alloc(0);
  for (const [name, value] of form) {
    if (typeof value === 'string') fields.append(name, value);
    else file = Buffer.from(await value.arrayBuffer());
  }
  return { fields, file };
}

/** Parses a body in memory, whose length is bounded. */
async function parseMultipart(type: string, body: Buffer): Promise<FormData> {
  try {
    return await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  } catch {
    throw new Problem('invalid_parameter', 'The form cannot be read. Open its page again.');
  }
}
