/** Why an address gave nothing, in one line that the operator reads. */
import { Failure } from '../../failure.ts';
import { hostOf } from '../../fetch/blocked-host.ts';
import { FetchFailure, type FetchResponse } from '../../fetch/guarded-fetch.ts';
import type { OpenResourceOptions } from '../adapter.ts';
import { redactUrl } from './redact.ts';
import { requireThroughput } from './streams.ts';

/** What an error says in its body is not waited for longer. */
const errorBodyTimeoutMs = 3_000;

/** What an answer that is none says, with what its body tells where the adapter can read that. */
export async function describeErrorResponse(
  answer: FetchResponse,
  name: string,
  options: OpenResourceOptions,
): Promise<string> {
  const text = await readErrorBody(answer);
  const detail = options.describeErrorBody?.(text) ?? null;
  const said = detail === null ? '' : `: ${redactUrl(detail, options.secrets).slice(0, 300)}`;
  const advice: Record<number, string> = {
    401: ' It wants a key or a login.',
    403: ' It refuses this service.',
    404: ' Check the address.',
    410: ' It is gone for good.',
    429: ' It wants fewer requests; the next run tries again.',
  };
  return `${name} answered ${answer.status}${said}.${detail === null ? (advice[answer.status] ?? '') : ''}`;
}

async function readErrorBody(answer: FetchResponse): Promise<string> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const piece of requireThroughput(answer.body, answer.url, errorBodyTimeoutMs)) {
      pieces.push(piece);
      length += piece.length;
      if (length > 65_536) break;
    }
  } catch {
    // The status alone has to do.
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** This process may not fetch the source's own address, a private one: that says nothing of the source. */
export class BlockedAddressError extends Failure {}

/** A failure on the way, with the name of what was asked for; only the operator reads it. */
export function toFailure(failure: unknown, name: string): unknown {
  if (!(failure instanceof FetchFailure)) return failure;
  const { blocked } = failure;
  if (blocked === null) return new Failure(`${name} cannot be fetched. ${failure.message}`);
  const host = URL.canParse(name) ? hostOf(new URL(name)) : '';
  if (host === blocked.host) return new BlockedAddressError(`${name} cannot be fetched. ${blocked.advice}`);
  // Wherever it leads is the source's doing.
  return new Failure(`${name} cannot be fetched. It leads on to another host: ${blocked.advice}`);
}
