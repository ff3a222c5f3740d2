/** What a page's form sends: read whole, within bounds, or refused in one line. */
import type { IncomingMessage } from 'node:http';
import { Problem } from '../contract/errors.ts';
import { readBody } from './request-body.ts';

const formType = 'application/x-www-form-urlencoded';
const defaultBytes = 16_384;

/** Answered with 413 (RFC 9110, 15.5.14). */
export class FormTooLarge extends Problem {
  constructor(maxBytes: number) {
    super('invalid_parameter', `The form is too long. Send at most ${maxBytes} bytes.`);
  }
}

/**
 * The fields of a posted form; of a repeated one, `get` gives the first. Rejects with a `Problem` where it is of
 * another type, longer than `maxBytes` (`FormTooLarge`), ends before it should, or is not UTF-8.
 */
export async function readForm(
  request: IncomingMessage,
  { maxBytes = defaultBytes }: { maxBytes?: number } = {},
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
    // Throws where % is followed by no digits, or by bytes that are no UTF-8: URLSearchParams would take either.
    decodeURIComponent(text);
    return new URLSearchParams(text);
  } catch {
    throw new Problem('invalid_parameter', 'The form cannot be read: it is not UTF-8. Open its page again.');
  }
}
