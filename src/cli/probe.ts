/** One request to a service that may not be there. */
import type { IncomingMessage } from 'node:http';
import { Failure } from '../failure.ts';

export type Answer = { status: number; date: string | null; location: string | null; body: string };

const patienceMs = 5_000;
const longest = 10_000;

/** Asks for an address; throws a `Failure` where nothing answers in time. */
export async function probe(url: string): Promise<Answer> {
  const { get } = url.startsWith('https:') ? await import('node:https') : await import('node:http');
  try {
    return await new Promise((resolve, reject) => {
      const options = { signal: AbortSignal.timeout(patienceMs), agent: false };
      get(url, options, (response) => readAnswer(response).then(resolve, reject)).on('error', reject);
    });
  } catch (failure) {
    const { name, code } = failure as NodeJS.ErrnoException;
    const late = name === 'TimeoutError' || code === 'ABORT_ERR';
    throw new Failure(
      late
        ? `${url} does not answer within ${patienceMs / 1000} s.`
        : `${url} does not answer (${code ?? (failure as Error).message}).`,
    );
  }
}

async function readAnswer(response: IncomingMessage): Promise<Answer> {
  let body = '';
  for await (const chunk of response.setEncoding('utf8')) {
    body += chunk;
    if (body.length > longest) break;
  }
  const { date = null, location = null } = response.headers;
  return { status: response.statusCode ?? 0, date, location, body };
}
