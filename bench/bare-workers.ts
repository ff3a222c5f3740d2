/**
 * Bare servers with a select in one or several processes on one port, as `serve --workers` has them: how much a further
 * process can bring on this machine.
 */
import cluster from 'node:cluster';
import { createServer } from 'node:http';
import { answerFrom, type Selected } from './bare-selects.ts';
import { answerParent } from './child.ts';

type Served = { file: string; from: Selected };

const handlers = {
  /** Starts the processes; returns their port. */
  listen: ({ workers, ...served }: Served & { workers: number }): Promise<number> =>
    new Promise((resolve) => {
      let listening = 0;
      cluster.on('listening', (_worker, { port }) => {
        listening += 1;
        if (listening === workers) resolve(port);
      });
      for (let made = 0; made < workers; made++) cluster.fork({ BARE: JSON.stringify(served) });
    }),
};
export type BareWorkersHandlers = typeof handlers;

if (cluster.isPrimary) answerParent(handlers);
else {
  const { file, from } = JSON.parse(process.env.BARE ?? '') as Served;
  const respond = answerFrom(file, from);
  createServer((request, response) => respond(request.url ?? '/', response)).listen(0, '127.0.0.1');
}
