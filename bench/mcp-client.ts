/** Calls of agent tools over HTTP, as the bench sends them. */
import { type Agent, request } from 'node:http';
import type { Question } from './mcp-questions.ts';

/** A server, the key that is sent, and what is asked. */
export type Target = { port: number; key: string; questions: readonly Question[] };

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** How many calls were sent to each port. */
const sent = new Map<number, number>();
/** How many calls were sent so far: to a port, or in all. */
export const sentCalls = (port?: number): number =>
  port === undefined ? [...sent.values()].reduce((sum, calls) => sum + calls, 0) : (sent.get(port) ?? 0);

/** One call of the present revision; resolves when its answer has been read, with how it began. */
export function call(agent: Agent, { port, key }: Target, { tool, given }: Question): Promise<string> {
  const id = (sent.get(port) ?? 0) + 1;
  sent.set(port, id);
  const params = { name: tool, arguments: given, _meta: meta };
  const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params });
  const headers = {
    Authorization: `Bearer ${key}`,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': '2026-07-28',
    'Mcp-Method': 'tools/call',
    'Mcp-Name': tool,
  };
  return new Promise((resolve, reject) => {
    const asked = request(
      { agent, host: '127.0.0.1', port, path: '/mcp', method: 'POST', headers },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (piece: string) => {
          text += piece;
        });
        answer.once('end', () => {
          const good = answer.statusCode === 200 && text.includes('"content"') && !text.includes('"isError"');
          if (good) resolve(text);
          else reject(new Error(`${tool} gave ${answer.statusCode}: ${text.slice(0, 300)}`));
        });
      },
    );
    asked.once('error', reject);
    asked.end(body);
  });
}
