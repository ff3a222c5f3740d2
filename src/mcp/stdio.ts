/** The local door: the same tools over standard input and output, for a client on this machine. */
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Catalogue } from '../catalogue/handlers.ts';
import type { Clock } from '../clock.ts';
import type { Plan } from '../contract/plans.ts';
import { describeFailure, type Log } from '../log.ts';
import { ToolRegistry } from './server.ts';
import { frameMessages } from './stdio-framing.ts';
import type { Tool } from './tool.ts';

export type StdioDeps = Catalogue & {
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
export function serveOverStdio(deps: StdioDeps): Promise<void> {
  const { tools, clock, log, baseUrl, name, plan, reader, search } = deps;
  const toolbox = new ToolRegistry(tools, deps);
  const catalogue = { reader, search };
  const circumstances = () => ({ plan, baseUrl, name, now: clock.now(), catalogue });
  const fail = (failure: unknown) => log('error', 'a call failed', describeFailure(failure));
  // Answers may wait for a slow reader by the hundred, each with a listener of its own.
  process.stdout.setMaxListeners(0);
  const lines = process.stdin.pipe(frameMessages((line) => process.stdout.write(line)));
  const handle = serveStdio(() => toolbox.createServer(circumstances, fail), {
    transport: new StdioServerTransport(lines),
    // Of the protocol, and answered to the client; whoever reads the log wants to know that, not where in the code.
    onerror: (failure) => log('warn', 'a message was refused', { error: failure.message.split('\n')[0] }),
  });
  return new Promise((resolve) => {
    lines.once('end', () => resolve(handle.close()));
    lines.once('close', () => resolve(handle.close()));
  });
}
