/** Sends one request after the other over a kept-alive connection. */
import { Agent, request } from 'node:http';

export const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** The body of a path; rejects unless the status is 200. */
export function fetchBody(from: string, path: string, key: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const sent = request(from + path, { agent, headers: { authorization: `Bearer ${key}` } }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('error', reject);
      response.on('end', () => {
        const body = Buffer.concat(pieces);
        if (response.statusCode === 200) resolve(body);
        else reject(new Error(`${path} gave ${response.statusCode}: ${body.toString().slice(0, 300)}`));
      });
    });
    sent.on('error', reject);
    sent.end();
  });
}
