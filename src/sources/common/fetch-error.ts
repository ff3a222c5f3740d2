/** Describes failed requests in one line for the operator. */
import { Failure } from '../../failure.ts';
import { hostOf } from '../../fetch/blocked-host.ts';
import { FetchFailure } from '../../fetch/fetch-failure.ts';
import type { FetchResponse } from '../../fetch/guarded-fetch.ts';
import type { OpenResourceOptions } from '../adapter.ts';
import { redactUrl } from './redact.ts';
import { requireThroughput } from './streams.ts';

/** Max wait in ms for the body of an error response. */
const errorBodyTimeoutMs = 3_000;

/** Describes an error response: its status, the message in its body if the adapter can read it, and advice. */
export async function describeErrorResponse(
  response: FetchResponse,
  name: string,
  options: OpenResourceOptions,
): Promise<string> {
  const text = await readErrorBody(response);
  const detail = options.describeErrorBody?.(text) ?? null;
  const suffix = detail === null ? '' : `: ${redactUrl(detail, options.secrets).slice(0, 300)}`;
  const advice: Record<number, string> = {
    401: ' It requires a key or a login.',
    403: ' It blocks this service.',
    404: ' Check the address.',
    410: ' It was removed permanently.',
    429: ' It limits requests. The next run tries again.',
  };
  return `${name} answered ${response.status}${suffix}.${detail === null ? (advice[response.status] ?? '') : ''}`;
}

async function readErrorBody(response: FetchResponse): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of requireThroughput(response.body, response.url, errorBodyTimeoutMs)) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > 65_536) break;
    }
  } catch {
    // The status is enough.
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The source's own address is private and not allowed. This says nothing about the source. */
export class BlockedAddressError extends Failure {}

/** Adds the name of the resource to a fetch failure. Only the operator sees the message. */
export function toFailure(failure: unknown, name: string): unknown {
  if (!(failure instanceof FetchFailure)) return failure;
  const { blocked } = failure;
  if (blocked === null) return new Failure(`${name} cannot be fetched. ${failure.message}`);
  const host = URL.canParse(name) ? hostOf(new URL(name)) : '';
  if (host === blocked.host) return new BlockedAddressError(`${name} cannot be fetched. ${blocked.advice}`);
  // The redirect target is the source's choice.
  return new Failure(`${name} cannot be fetched. It redirects to another host: ${blocked.advice}`);
}
