/** Why an address gave nothing, in one line that the operator reads. */
import { Failure } from '../../failure.ts';
import { type Fetched, FetchFailure } from '../../fetch/fetch.ts';
import { hostOf } from '../../fetch/private.ts';
import type { OpenOptions } from './adapter.ts';
import { shown } from './shown.ts';
import { paced } from './unpack.ts';

/** What an error says in its body is not waited for longer. */
const patienceMs = 3_000;

/** What an answer that is none says, with what its body tells where the adapter can read that. */
export async function refusal(answer: Fetched, name: string, options: OpenOptions): Promise<string> {
  const text = await firstOf(answer);
  const detail = options.explain?.(text) ?? null;
  const said = detail === null ? '' : `: ${shown(detail, options.secrets).slice(0, 300)}`;
  const advice: Record<number, string> = {
    401: ' It wants a key or a login.',
    403: ' It refuses this service.',
    404: ' Check the address.',
    410: ' It is gone for good.',
    429: ' It wants fewer requests; the next run tries again.',
  };
  return `${name} answered ${answer.status}${said}.${detail === null ? (advice[answer.status] ?? '') : ''}`;
}

async function firstOf(answer: Fetched): Promise<string> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const piece of paced(answer.body, answer.url, patienceMs)) {
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
export class NotAllowed extends Failure {}

/** A failure on the way, with the name of what was asked for; only the operator reads it. */
export function told(failure: unknown, name: string): unknown {
  if (!(failure instanceof FetchFailure)) return failure;
  const { blocked } = failure;
  if (blocked === null) return new Failure(`${name} cannot be fetched. ${failure.message}`);
  const host = URL.canParse(name) ? hostOf(new URL(name)) : '';
  if (host === blocked.host) return new NotAllowed(`${name} cannot be fetched. ${blocked.advice}`);
  // Wherever it leads is the source's doing.
  return new Failure(`${name} cannot be fetched. It leads on to another host: ${blocked.advice}`);
}
