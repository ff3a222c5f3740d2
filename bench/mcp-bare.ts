/**
 * The baseline of the MCP endpoint, in a process of its own: the SDK's own server with one empty tool on node:http, as its
 * documentation shows it. It has no keys, no usage counting and no catalogue.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { answerParent } from './child.ts';

function makeServer(): McpServer {
  const server = new McpServer({ name: 'empty', version: '1.0.0' });
  server.registerTool('empty', { description: 'Does nothing.', inputSchema: z.object({}) }, () => ({
    content: [{ type: 'text', text: '' }],
  }));
  return server;
}

const handlers = {
  /** Listens; the port. */
  listen: (): Promise<number> =>
    new Promise((resolve) => {
      const handle = toNodeHandler(createMcpHandler(makeServer));
      const server = createServer((request, response) => void handle(request as never, response));
      server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
    }),
};
export type BareMcpHandlers = typeof handlers;

answerParent(handlers);
