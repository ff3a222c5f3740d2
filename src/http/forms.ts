/** What a page's form sends: read whole, within bounds, or refused in one line. */
import type { IncomingMessage } from 'node:http';
import { Problem } from '../contract/errors.ts';

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
  return parseForm(await readBytes(request, maxBytes));
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

/** The rest of what is too long is let through unread, so that the answer arrives. */
function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const tooLarge = () => new FormTooLarge(maxBytes);
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let bytes = 0;
    const take = (piece: Buffer) => {
      bytes += piece.length;
      if (bytes <= maxBytes) {
        pieces.push(piece);
        return;
      }
      request.off('data', take);
      request.resume();
      reject(tooLarge());
    };
    if (Number(request.headers['content-length']) > maxBytes) {
      request.resume();
      reject(tooLarge());
      return;
    }
    const halfSent = () => reject(new Problem('invalid_parameter', 'The form was not sent to its end.'));
    request.on('data', take);
    request.once('end', () => resolve(Buffer.concat(pieces)));
    request.once('error', halfSent);
    request.once('close', halfSent);
  });
}
