/** The local door: the same tools over standard input and output, for a client on this machine. */
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Catalogue } from '../catalogue/answers.ts';
import type { Clock } from '../clock.ts';
import type { Plan } from '../contract/plans.ts';
import { describeFailure, type Log } from '../log.ts';
import { Toolbox } from './server.ts';
import type { Tool } from './tool.ts';

export type LocalDeps = Catalogue & {
  tools: readonly Tool[];
  clock: Clock;
  log: Log;
  /** Under which address records' pages are told to lie. */
  baseUrl: string;
  name: string;
  version: string;
  plan: Plan;
};

/** Answers until the client closes standard input. Writes nothing to standard output but the protocol. */
export function serveLocal(deps: LocalDeps): Promise<void> {
  const { tools, clock, log, baseUrl, name, plan, reader, search } = deps;
  const toolbox = new Toolbox(tools, deps);
  const catalogue = { reader, search };
  const circumstances = () => ({ plan, baseUrl, name, now: clock.now(), catalogue });
  const fail = (failure: unknown) => log('error', 'a call failed', describeFailure(failure));
  const handle = serveStdio(() => toolbox.serve(circumstances, fail), { onerror: fail });
  return new Promise((resolve) => {
    process.stdin.once('end', () => resolve(handle.close()));
    process.stdin.once('close', () => resolve(handle.close()));
  });
}
