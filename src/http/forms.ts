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
