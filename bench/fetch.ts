/** Sends one request after the other over a kept-alive connection. */
import { Agent, request } from 'node:http';

export const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** `headers` are names and values in turn. */
export type Fetched = { body: Buffer; headers: string[] };

/** The body of a path; rejects unless the status is 200. */
export const fetchBody = async (from: string, path: string, key: string): Promise<Buffer> =>
  (await fetchResponse(from, path, key)).body;

/** The body of a path with its headers; rejects unless the status is 200. */
export function fetchResponse(from: string, path: string, key: string): Promise<Fetched> {
  return new Promise((resolve, reject) => {
    const sent = request(from + path, { agent, headers: { authorization: `Bearer ${key}` } }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('error', reject);
      response.on('end', () => {
        const body = Buffer.concat(pieces);
        if (response.statusCode === 200) resolve({ body, headers: response.rawHeaders });
        else reject(new Error(`${path} gave ${response.statusCode}: ${body.toString().slice(0, 300)}`));
      });
    });
    sent.on('error', reject);
    sent.end();
  });
}
