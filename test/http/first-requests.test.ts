/**
 * Connections, requests and responses stay fast objects of V8, however rare the first requests are. Each test needs a
 * process in which no server ran before, so this file has one test.
 */
import assert from 'node:assert/strict';
import { get, type IncomingMessage, type ServerResponse } from 'node:http';
import { it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { listen } from '../../src/http/server.ts';

setFlagsFromString('--expose-gc');
setFlagsFromString('--allow-natives-syntax');
const collectGarbage = runInNewContext('gc') as () => void;
const isFast = new Function('object', 'return %HasFastProperties(object)') as (object: object) => boolean;

const request = (port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, agent: false }, (response) => {
      response.resume().once('end', resolve);
    }).once('error', reject);
  });

it('requests, responses and connections are fast objects if garbage is collected between the first requests', async () => {
  const slow: string[] = [];
  let count = 0;
  const answer = (req: IncomingMessage, res: ServerResponse): void => {
    count += 1;
    const number = count;
    // As the router does: properties that the class does not have.
    Object.assign(req, { originalUrl: req.url, params: {}, query: {} });
    res.once('close', () => {
      for (const [name, object] of Object.entries({ request: req, response: res, connection: req.socket }))
        if (!isFast(object)) slow.push(`${name} ${number}`);
    });
    res.end('ok');
  };
  const server = await listen({ host: '127.0.0.1', port: 0, log: assert.fail }, () => answer);
  for (let round = 0; round < 20; round++) {
    await request(server.port);
    await pause(10);
    collectGarbage();
    await pause(1);
    collectGarbage();
  }
  await server.close();
  assert.equal(count, 20);
  assert.deepEqual(slow, []);
});
