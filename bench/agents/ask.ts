/** Runs the planned calls of a question against a real catalogue, and checks structured content and text separately. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSearch } from '../../src/catalogue/search.ts';
import { importFeed } from '../../src/ingest/import/import-feed.ts';
import { ToolRegistry } from '../../src/mcp/server.ts';
import type { ToolContext } from '../../src/mcp/tool.ts';
import { tools } from '../../src/mcp/tool-list.ts';
import { openDatabase } from '../../src/store/database.ts';
import { openCatalogueReader } from '../../src/store/reader.ts';
import { agentFeed, askedAt } from './catalogue.ts';

const baseUrl = 'https://music.example';

/** One planned call: the tool and its input. */
export type PlannedCall = readonly [tool: string, input: Record<string, unknown>];

/** What the calls of a question returned. */
export type CallResults = {
  /** `structuredContent` of each call. */
  // biome-ignore lint/suspicious/noExplicitAny: structured content as a client without our types reads it
  structures: any[];
  /** The texts of all calls, as a client without structured content reads them. */
  text: string;
};

export type Question = {
  language: 'en' | 'de' | 'fr' | 'es' | 'it' | 'nl';
  /** The question in the words of a person. */
  asked: string;
  /** At most two calls. */
  calls: readonly PlannedCall[];
  /** Whether the fields of the answers contain what was asked for. */
  structure: (results: CallResults) => boolean;
  /** Everything that the texts must contain. */
  text: readonly RegExp[];
};

export type Verdict = { question: Question; structure: boolean; text: boolean; results: CallResults };

/** Opens the tools on a new data file with the records of `catalogue.ts`. */
export async function openAsker(): Promise<{ ask(question: Question): Verdict; close(): void }> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-agents-'));
  const sqlite = openDatabase(join(folder, 'catalogue.db'), { create: true });
  async function* input() {
    for (const line of agentFeed) yield Buffer.from(`${JSON.stringify(line)}\n`);
  }
  const report = await importFeed(sqlite, {
    source: 'bench',
    type: 'feed',
    now: askedAt,
    alone: true,
    input: input(),
  });
  if (report.rejected.length > 0) throw new Error(JSON.stringify(report.rejected));
  const registry = new ToolRegistry(tools, { name: 'cratebase', version: '0', baseUrl });
  const context: ToolContext = {
    plan: 'pro',
    baseUrl,
    name: 'cratebase',
    now: askedAt,
    catalogue: { reader: openCatalogueReader(sqlite), search: openSearch(sqlite) },
  };
  return {
    ask: (question) => judge(question, registry, context),
    close() {
      sqlite.close();
      rmSync(folder, { recursive: true });
    },
  };
}

function judge(question: Question, registry: ToolRegistry, context: ToolContext): Verdict {
  if (question.calls.length > 2) throw new Error(`More than two calls: ${question.asked}`);
  const answers = question.calls.map(([tool, input]) => registry.callTool(tool, input, context));
  const results: CallResults = {
    structures: answers.map((answer) => answer?.structuredContent ?? {}),
    text: answers
      .flatMap((answer) => answer?.content ?? [])
      .map((part) => ('text' in part ? part.text : ''))
      .join('\n\n'),
  };
  return {
    question,
    structure: succeeds(() => question.structure(results)),
    text: question.text.every((pattern) => pattern.test(results.text)),
    results,
  };
}

/** Returns false if the check throws: a field that it reads is missing. */
function succeeds(check: () => boolean): boolean {
  try {
    return check();
  } catch {
    return false;
  }
}
