/** The error types of docs/spec/errors.md: status, and when each is returned. */
import { z } from 'zod';

export const errorTypes = {
  invalid_parameter: { status: 400, when: 'The value of a filter is invalid.' },
  invalid_cursor: {
    status: 400,
    when: 'The cursor is altered, or belongs to another path, other filters or another service.',
  },
  unauthorized: { status: 401, when: 'The credential is missing, unknown, malformed, revoked or expired.' },
  forbidden: {
    status: 403,
    when: 'The scope of the key, or the plan of the account, does not include this.',
  },
  foreign_origin: {
    status: 403,
    when: 'A browser page of another site calls /mcp of a service that has no public name, or the Host header names another service.',
  },
  not_found: { status: 404, when: 'Unknown slug, edition or path.' },
  method_not_allowed: { status: 405, when: 'The method is not GET, HEAD or OPTIONS.' },
  rate_limited: {
    status: 429,
    when: 'The rate window of the key or the account, or the budget of the network, is used up.',
  },
  quota_exceeded: { status: 429, when: 'The monthly quota of the account is used up.' },
  internal_error: { status: 500, when: 'An unexpected error. Report it with the request id.' },
  unavailable: { status: 503, when: 'The service is shutting down, or cannot read its data file.' },
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
  .meta({ id: 'Error', description: 'The body of every response that is not a success.' });

/** What the body of an error says. A `Problem` has it; a response that is not thrown needs no stack. */
export type ProblemReport = { type: ErrorType; message: string; param: string | null };

/** An error that is reported to the caller as one of the error types. */
export class Problem extends Error implements ProblemReport {
  readonly type: ErrorType;
  readonly param: string | null;
  constructor(type: ErrorType, message: string, param: string | null = null) {
    super(message);
    this.type = type;
    this.param = param;
  }
}
