/** The error types of docs/spec/errors.md: status, and when each is given. */
import { z } from 'zod';

export const errorTypes = {
  invalid_parameter: { status: 400, when: "A filter's value cannot be read." },
  invalid_cursor: {
    status: 400,
    when: 'Not a cursor this service made, or made for another path or other filters, or altered.',
  },
  unauthorized: { status: 401, when: 'No credential, or an unknown, malformed or revoked one.' },
  not_found: { status: 404, when: 'Unknown slug, edition or path.' },
  method_not_allowed: { status: 405, when: 'A known path with another method than GET, HEAD or OPTIONS.' },
  rate_limited: {
    status: 429,
    when: "The key's window, the account's, or the network's share of the public pages is used up.",
  },
  quota_exceeded: { status: 429, when: "The account's month is used up." },
  internal_error: { status: 500, when: 'Anything unexpected; report it with the request id.' },
  unavailable: { status: 503, when: 'Shutting down, or the data file is not readable.' },
} as const;
export type ErrorType = keyof typeof errorTypes;

export const errorBody = z
  .strictObject({
    error: z.strictObject({
      type: z.enum(Object.keys(errorTypes) as [ErrorType, ...ErrorType[]]),
      message: z.string().meta({ description: 'What to do about it.' }),
      param: z.string().nullable().meta({ description: 'The query parameter at fault, or null.' }),
      request_id: z.string().meta({ description: 'Equals the X-Request-Id header.' }),
    }),
  })
  .meta({ id: 'Error', description: 'The body of every answer that is not a success.' });

/** A failure that the caller is told about, as one of the error types. */
export class Problem extends Error {
  readonly type: ErrorType;
  readonly param: string | null;
  constructor(type: ErrorType, message: string, param: string | null = null) {
    super(message);
    this.type = type;
    this.param = param;
  }
}
