/** The MCP server on standard input and output, with the same tools, for a client on this machine. */
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Catalogue } from '../catalogue/request.ts';
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
  /** Base address of record pages. */
  baseUrl: string;
  /** Name, attribution and home city of the service; they may change. */
  readonly name: string;
  readonly attribution?: string | null;
  readonly homeCity?: string | null;
  version: string;
  plan: Plan;
  /** Whether records can be read as resources. */
  hasResources?: boolean;
};

/** Serves until the client closes standard input. Only protocol messages go to standard output. */
export function serveOverStdio(deps: StdioDeps): Promise<void> {
  const { tools, clock, log, baseUrl, plan, reader, search } = deps;
  const registry = new ToolRegistry(tools, deps, deps.hasResources);
  const catalogue = { reader, search };
  const readContext = () => {
    const { name, attribution = null, homeCity = null } = deps;
    return { plan, baseUrl, name, attribution, homeCity, now: clock.now(), catalogue };
  };
  const logFailure = (failure: unknown) => log('error', 'a call failed', describeFailure(failure));
  // Hundreds of responses may wait for a slow reader, each with its own listener.
  process.stdout.setMaxListeners(0);
  const lines = process.stdin.pipe(frameMessages((line) => process.stdout.write(line)));
  const handle = serveStdio(() => registry.createServer(readContext, logFailure), {
    transport: new StdioServerTransport(lines),
    // Protocol errors, which the client gets as well: the log needs no stack.
    onerror: (failure) => log('warn', 'a message was refused', { error: failure.message.split('\n')[0] }),
  });
  return new Promise((resolve) => {
    lines.once('end', () => resolve(handle.close()));
    lines.once('close', () => resolve(handle.close()));
  });
}
