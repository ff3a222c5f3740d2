/**
 * Processor time of single calls of the agent tools, without HTTP: a process of its own opens the data file and runs the
 * questions one behind the other, each once.
 */
import { compileTimePatterns } from '../src/catalogue/dates/time-expressions.ts';
import { openSearch } from '../src/catalogue/search.ts';
import { ToolRegistry } from '../src/mcp/server.ts';
import { tools } from '../src/mcp/tool-list.ts';
import { openDatabase } from '../src/store/database.ts';
import { openCatalogueReader } from '../src/store/reader.ts';
import { answerParent } from './child.ts';
import type { Question } from './mcp-questions.ts';

const baseUrl = 'http://127.0.0.1';

function open(path: string) {
  const sqlite = openDatabase(path, { create: false });
  const catalogue = { reader: openCatalogueReader(sqlite), search: openSearch(sqlite) };
  // As a service does in the background after its start.
  for (const _ of compileTimePatterns());
  while (!catalogue.search.loadWords()) {}
  const registry = new ToolRegistry(tools, { name: 'cratebase', version: '0', baseUrl });
  const context = () => ({ plan: 'pro' as const, baseUrl, name: 'cratebase', now: Date.now(), catalogue });
  return { registry, context };
}

let opened: ReturnType<typeof open> | undefined;

const handlers = {
  open(path: string): void {
    opened = open(path);
  },
  /** Runs the questions; the processor time of each, in ms. */
  async run(questions: readonly Question[]): Promise<number[]> {
    if (opened === undefined) throw new Error('open the file first');
    const { registry, context } = opened;
    const spent: number[] = [];
    for (const { tool, given } of questions) {
      const before = process.cpuUsage();
      const result = registry.callTool(tool, given, context());
      JSON.stringify(result);
      const { user, system } = process.cpuUsage(before);
      spent.push((user + system) / 1_000);
      // The snapshot of a turn ends.
      await new Promise((resolve) => setImmediate(resolve));
    }
    return spent;
  },
};
export type McpInsideHandlers = typeof handlers;

answerParent(handlers);
