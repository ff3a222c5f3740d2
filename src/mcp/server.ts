/** The SDK server for one request or one stdio connection: identity, list of tools, calls. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type CallToolResult,
  type Implementation,
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server';
import type { z } from 'zod';
import { type Plan, plans } from '../contract/plans.ts';
import { memoizeByObject } from '../memoize.ts';
import type { AnswerCache } from './answer-cache.ts';
import { linksOf, readRecord, resourceTemplates } from './extra/resources.ts';
import { oneLine } from './sanitize-text.ts';
import { type Tool, type ToolContext, ToolInputError } from './tool.ts';
import { parseArguments } from './tool-arguments.ts';
import { inputSchema, outputSchema } from './tool-schema.ts';

/** The name may change while the server runs. */
export type ServerIdentity = { readonly name: string; version: string; baseUrl: string };

type ToolListing = ListToolsResult['tools'][number];

/** Short, because the list depends on the plan, which another process may change. */
const toolListTtlMs = 60_000;
/** Long, because the identity changes with the version only. */
const discoveryTtlMs = 3_600_000;

const instructions =
  'A catalogue of electronic music: artists with aliases, and events with venue, date and line-up. Names may be inexact: ' +
  'aliases, missing diacritics and a typo are accepted, and every answer names the record that was chosen. The tools ' +
  'return upcoming events unless you set include_past. Dates are local to the event. All tools are read-only.';

/** The tools, and their descriptions for clients. */
export class ToolRegistry {
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #lists = new Map<Plan, ToolListing[]>();
  readonly #identity: ServerIdentity;
  readonly #hasResources: boolean;
  readonly #answers: AnswerCache | null;

  /**
   * @param tools in the order in which they are listed
   * @param hasResources whether records can be read as resources, and results link them
   * @param answers caches the answers of `callToolAsJson`
   */
  constructor(
    tools: readonly Tool[],
    identity: ServerIdentity,
    hasResources = false,
    answers: AnswerCache | null = null,
  ) {
    this.#hasResources = hasResources;
    this.#answers = answers;
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
    this.#identity = identity;
  }

  /** Steps that describe one tool each. Schemas take some milliseconds, which the first list would otherwise wait for. */
  listingSteps(): (() => unknown)[] {
    return [...this.#tools.values()].map((tool) => () => listingOf(tool));
  }

  #toolsOf(plan: Plan): Tool[] {
    return [...this.#tools.values()].filter((tool) => tool.plans.includes(plan));
  }

  /** Returns the descriptions of a plan's tools. The first time, each takes a turn of the event loop of its own. */
  async #listOf(plan: Plan): Promise<ToolListing[]> {
    const listing = this.#lists.get(plan);
    if (listing !== undefined) return listing;
    const list: ToolListing[] = [];
    for (const tool of this.#toolsOf(plan)) {
      list.push(listingOf(tool));
      await nextTurn();
    }
    this.#lists.set(plan, list);
    return list;
  }

  /** Name and version of the server. */
  get implementation(): Implementation {
    const { name, version, baseUrl } = this.#identity;
    return { name: 'cratebase', title: name, version, websiteUrl: baseUrl };
  }

  /**
   * Returns a server for all revisions. It uses the low-level `Server`: `McpServer` would compute the schemas of the tools
   * for every request.
   * @param readContext returns the context of a call
   * @param onFailure receives unexpected failures, before the client gets an error
   * @param runInTurn runs a call of a batch in its turns, perhaps by several calls of its argument; without it, calls run
   * at once
   */
  createServer(
    readContext: () => ToolContext,
    onFailure: (failure: unknown) => void,
    runInTurn: <T>(call: () => T) => T | Promise<T> = (call) => call(),
  ): Server {
    const server = new ToolServer(this.implementation, {
      capabilities: { tools: {}, ...(this.#hasResources && { resources: {} }) },
      instructions,
      cacheHints: {
        'server/discover': { ttlMs: discoveryTtlMs, cacheScope: 'private' },
        'tools/list': { ttlMs: toolListTtlMs, cacheScope: 'private' },
      },
    });
    server.setRequestHandler('tools/list', async ({ params }) => {
      if (params?.cursor !== undefined) throw invalidParams('The list has one page. Leave out `cursor`.');
      return { tools: await this.#listOf(readContext().plan) };
    });
    if (this.#hasResources) addResources(server, readContext);
    server.callTool = async (name, args) => {
      try {
        let context: ToolContext | undefined;
        const readOnce = () => {
          context ??= readContext();
          return context;
        };
        const result = await runInTurn(() => this.callTool(name, args, readOnce()));
        if (result !== null) return result;
        const names = this.#toolsOf(readOnce().plan)
          .map((tool) => tool.name)
          .join(', ');
        throw invalidParams(`Unknown tool: ${oneLine(name.slice(0, 100))}. Use one of ${names}.`);
      } catch (failure) {
        if (!(failure instanceof ProtocolError)) onFailure(failure);
        throw failure;
      }
    };
    const { callTool } = server;
    server.setRequestHandler('tools/call', ({ params }) => callTool(params.name, params.arguments));
    return server;
  }

  /**
   * Calls a tool; returns null if there is no tool of that name. Throws a `ProtocolError` if the arguments are not an
   * object, and passes on unexpected failures.
   * @param args the `arguments` of the call, not validated
   */
  callTool(name: string, args: unknown, call: ToolContext): CallToolResult | null {
    const question = this.#parse(name, args, call);
    if (question === null || 'refusal' in question) return question?.refusal ?? null;
    return orToolError(() => this.#run(question, call).result);
  }

  /** Like `callTool`, but returns the result as JSON. A question that was asked before is answered from the cache. */
  callToolAsJson(name: string, args: unknown, call: ToolContext): Buffer | null {
    const question = this.#parse(name, args, call);
    if (question === null) return null;
    if ('refusal' in question) return Buffer.from(JSON.stringify(question.refusal));
    const answer = () => {
      const { result, validUntil } = this.#run(question, call);
      return { json: JSON.stringify(result), validUntil };
    };
    const answers = this.#answers;
    const json = orToolError(() =>
      answers === null
        ? Buffer.from(answer().json)
        : answers.read(this.#keyOf(question, call), call.now, answer),
    );
    return Buffer.isBuffer(json) ? json : Buffer.from(JSON.stringify(json));
  }

  /** Returns the tool and its input, or why the plan or the arguments are refused; null if there is no such tool. */
  #parse(name: string, args: unknown, call: ToolContext): ParsedCall | { refusal: CallToolResult } | null {
    const tool = this.#tools.get(name);
    if (tool === undefined) return null;
    if (!tool.plans.includes(call.plan)) return { refusal: toolError(planError(tool, call)) };
    const members = parseArguments(args, Object.keys(tool.input.shape));
    if (typeof members === 'string') throw invalidParams(members);
    const input = tool.input.safeParse(members);
    return input.success
      ? { tool, input: input.data }
      : { refusal: toolError(inputError(tool, input.error)) };
  }

  #run(
    { tool, input }: ParsedCall,
    call: ToolContext,
  ): { result: CallToolResult; validUntil: number | null } {
    const { structured, text, validUntil = null } = tool.run(input, call);
    const links = this.#hasResources ? linksOf(structured) : [];
    return {
      result: { content: [{ type: 'text', text }, ...links], structuredContent: structured },
      validUntil,
    };
  }

  /** Everything that an answer depends on besides the catalogue and the time. The input has its defaults and no order. */
  #keyOf({ tool, input }: ParsedCall, call: ToolContext): string {
    const { plan, baseUrl, name, attribution = null, homeCity = null } = call;
    return JSON.stringify([tool.name, input, plan, this.#hasResources, baseUrl, name, attribution, homeCity]);
  }
}

/** Serves records as resources. They are too many to be listed; templates say how their addresses are made. */
function addResources(server: Server, readContext: () => ToolContext): void {
  server.setRequestHandler('resources/list', () => ({ resources: [] }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates }));
  server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    const record = uri.startsWith('cratebase://') ? readRecord(uri, readContext()) : null;
    if (record === null) throw invalidParams(`There is no resource ${oneLine(uri.slice(0, 200))}.`);
    return { contents: [{ uri, mimeType: 'application/json', text: record.json }] };
  });
}

const invalidParams = (message: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, message);

type CallTool = (name: string, args: unknown) => Promise<CallToolResult>;

/**
 * The SDK's server with other handling of `arguments` that are null or not an object: null means no arguments, and other
 * values get a clear message instead of the SDK's list of issues.
 */
class ToolServer extends Server {
  callTool: CallTool | null = null;

  protected override _wrapHandler(...[method, handler]: Parameters<WrapHandler>): ReturnType<WrapHandler> {
    const wrapped = super._wrapHandler(method, handler);
    if (method === 'initialize')
      return async (request, context) => wrapped(checkInitialize(request), context);
    if (method !== 'tools/call') return wrapped;
    return async (request, context) => {
      const { name, arguments: args } = (request.params ?? {}) as { name?: unknown; arguments?: unknown };
      if (typeof name !== 'string')
        throw invalidParams('params.name must be the name of a tool. tools/list returns all names.');
      const isUsual =
        args === undefined || (typeof args === 'object' && args !== null && !Array.isArray(args));
      if (isUsual || this.callTool === null) return wrapped(request, context);
      return this.callTool(name, args);
    };
  }
}
type WrapHandler = Server['_wrapHandler'];
type InitializeRequest = Parameters<ReturnType<WrapHandler>>[0];

/** Rejects an incomplete handshake with a clear message instead of the SDK's list of issues. */
function checkInitialize(request: InitializeRequest): InitializeRequest {
  const { protocolVersion, capabilities, clientInfo } = (request.params ?? {}) as Record<string, unknown>;
  const { name, version } = (clientInfo ?? {}) as Record<string, unknown>;
  const isComplete =
    typeof protocolVersion === 'string' &&
    typeof capabilities === 'object' &&
    capabilities !== null &&
    typeof name === 'string' &&
    typeof version === 'string';
  if (isComplete) return request;
  throw invalidParams(
    'initialize requires params with protocolVersion, capabilities and clientInfo {name, version}.',
  );
}

type ParsedCall = { tool: Tool; input: Record<string, unknown> };

/** Runs `call`; turns an input that cannot be used into an error for the model. */
function orToolError<T>(call: () => T): T | CallToolResult {
  try {
    return call();
  } catch (failure) {
    if (failure instanceof ToolInputError) return toolError(failure.message);
    throw failure;
  }
}

/** Returns an error that the model sees and can correct. */
const toolError = (text: string): CallToolResult => ({
  content: [{ type: 'text', text: oneLine(text) }],
  isError: true,
});

/** "Premium and Pro". */
function planTitles(names: readonly Plan[]): string {
  const titles = names.map((name) => plans[name].title);
  return titles.length < 2 ? titles.join() : `${titles.slice(0, -1).join(', ')} and ${titles.at(-1)}`;
}

const planError = (tool: Tool, { plan }: ToolContext): string =>
  `${tool.name} is not part of the ${plans[plan].title} plan. It comes with ${planTitles(tool.plans)}. ` +
  'tools/list returns the tools of this plan.';

/** Returns the errors of an input and the names that are accepted. A message that names its input gets no prefix. */
function inputError(tool: Tool, error: z.ZodError): string {
  const wrong = error.issues.slice(0, 5).map(({ path, message }) => {
    const place = path.join('.');
    return message.includes(place) ? message : `${place}: ${message}`;
  });
  const inputs = Object.keys(tool.input.shape).join(', ');
  return `Invalid input: ${[...new Set(wrong)].join(' ')} Inputs of ${tool.name}: ${inputs}.`;
}

/** A node of a cluster opens the tools for each publication, and their schemas take 20 ms of processor time. */
const listingOf = memoizeByObject(describeTool);

function describeTool({ name, title, description, input, output }: Tool): ToolListing {
  return {
    name,
    title,
    description,
    inputSchema: inputSchema(input) as ToolListing['inputSchema'],
    outputSchema: outputSchema(output) as Exclude<ToolListing['outputSchema'], undefined>,
    annotations: {
      title,
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  };
}
