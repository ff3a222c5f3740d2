/** One server of the SDK for one exchange (or one local connection): what it says of itself, its list, its calls. */
import {
  type CallToolResult,
  type Implementation,
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { Problem } from '../contract/errors.ts';
import { type Plan, planNames, plans } from '../contract/plans.ts';
import { oneLine } from './sanitize-text.ts';
import { type Tool, type ToolContext, ToolInputError } from './tool.ts';
import { parseArguments } from './tool-arguments.ts';

export type ServerIdentity = { name: string; version: string; baseUrl: string };

type ToolListing = ListToolsResult['tools'][number];

/** A list of tools may change with the plan, which another process may change: nobody should rely on it for long. */
const toolListTtlMs = 60_000;
/** What the service is changes with its version alone. */
const discoveryTtlMs = 3_600_000;

const instructions =
  'A catalogue of electronic music: artists, their aliases, and events with venue, date and line-up. Names need not be ' +
  'exact: aliases, missing diacritics and a typo are understood, and every answer names the match it chose. Events ' +
  'are upcoming ones unless you ask otherwise; dates are local to the event. All tools only read.';

/** The tools, and everything about them that can be known at start-up. */
export class ToolRegistry {
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #lists: Record<Plan, ToolListing[]>;
  /** How the server names itself. */
  readonly implementation: Implementation;

  /** @param tools in the order in which they are listed */
  constructor(tools: readonly Tool[], identity: ServerIdentity) {
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
    const { name, version, baseUrl } = identity;
    this.implementation = { name: 'cratebase', title: name, version, websiteUrl: baseUrl };
    const listings = tools.map((tool) => ({ tool, listing: describeTool(tool) }));
    this.#lists = Object.fromEntries(
      planNames.map((plan) => [
        plan,
        listings.filter(({ tool }) => tool.plans.includes(plan)).map(({ listing }) => listing),
      ]),
    ) as Record<Plan, ToolListing[]>;
  }

  /**
   * A server of either era. Low-level on purpose: what `McpServer` would work out anew for every exchange (schemas of
   * tools) is worked out once, above.
   * @param readContext asked at every call
   * @param onFailure told of a failure that is no fault of the caller, before the caller gets an error
   * @param runInTurn runs a call when its turn comes: for the members of a batch. Calls run at once without it
   */
  createServer(
    readContext: () => ToolContext,
    onFailure: (failure: unknown) => void,
    runInTurn: <T>(call: () => T) => T | Promise<T> = (call) => call(),
  ): Server {
    const server = new ToolServer(this.implementation, {
      capabilities: { tools: {} },
      instructions,
      cacheHints: {
        'server/discover': { ttlMs: discoveryTtlMs, cacheScope: 'private' },
        'tools/list': { ttlMs: toolListTtlMs, cacheScope: 'private' },
      },
    });
    server.setRequestHandler('tools/list', ({ params }) => {
      if (params?.cursor !== undefined) throw invalidParams('The list has one page: leave out `cursor`.');
      return { tools: this.#lists[readContext().plan] };
    });
    const calling = (name: string, given: unknown): CallToolResult => {
      try {
        const call = readContext();
        const answer = this.callTool(name, given, call);
        if (answer !== null) return answer;
        const known = this.#lists[call.plan].map((listing) => listing.name).join(', ');
        throw invalidParams(`Unknown tool: ${oneLine(name.slice(0, 100))}. There are ${known}.`);
      } catch (failure) {
        if (!(failure instanceof ProtocolError)) onFailure(failure);
        throw failure;
      }
    };
    server.callTool = async (name, given) => {
      try {
        return await runInTurn(() => calling(name, given));
      } catch (failure) {
        // Too many calls wait.
        if (failure instanceof Problem) onFailure(failure);
        throw failure;
      }
    };
    const { callTool: answerCall } = server;
    server.setRequestHandler('tools/call', ({ params }) => answerCall(params.name, params.arguments));
    return server;
  }

  /**
   * What a tool answers; null where there is none of that name. Throws what is no fault of the caller, and a
   * `ProtocolError` where the arguments are no object.
   * @param given the `arguments` of the call, whatever they are
   */
  callTool(name: string, given: unknown, call: ToolContext): CallToolResult | null {
    const tool = this.#tools.get(name);
    if (tool === undefined) return null;
    if (!tool.plans.includes(call.plan)) return toolError(planError(tool, call));
    const members = parseArguments(given, Object.keys(tool.input.shape));
    if (typeof members === 'string') throw invalidParams(members);
    const input = tool.input.safeParse(members);
    if (!input.success) return toolError(inputError(tool, input.error));
    try {
      const { structured, text } = tool.run(input.data, call);
      return { content: [{ type: 'text', text }], structuredContent: structured };
    } catch (failure) {
      if (failure instanceof ToolInputError) return toolError(failure.message);
      throw failure;
    }
  }
}

const invalidParams = (message: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, message);

type CallTool = (name: string, given: unknown) => Promise<CallToolResult>;

/**
 * The SDK's server, but for calls whose `arguments` are null or no object: null means none, and for the rest the tools
 * have a clear sentence in place of the SDK's list of issues.
 */
class ToolServer extends Server {
  /** Answers a call. */
  callTool: CallTool | null = null;

  protected override _wrapHandler(...[method, handler]: Parameters<WrapHandler>): ReturnType<WrapHandler> {
    const wrapped = super._wrapHandler(method, handler);
    if (method === 'initialize')
      return async (request, context) => wrapped(checkInitialize(request), context);
    if (method !== 'tools/call') return wrapped;
    return async (request, context) => {
      const { name, arguments: given } = (request.params ?? {}) as { name?: unknown; arguments?: unknown };
      if (typeof name !== 'string')
        throw invalidParams('params.name is the name of a tool; tools/list has them all.');
      const isUsual =
        given === undefined || (typeof given === 'object' && given !== null && !Array.isArray(given));
      if (isUsual || this.callTool === null) return wrapped(request, context);
      return this.callTool(name, given);
    };
  }
}
type WrapHandler = Server['_wrapHandler'];
type InitializeRequest = Parameters<ReturnType<WrapHandler>>[0];

/** A handshake that lacks something is told so, in place of the SDK's list of issues. */
function checkInitialize(request: InitializeRequest): InitializeRequest {
  const { protocolVersion, capabilities, clientInfo } = (request.params ?? {}) as Record<string, unknown>;
  const { name, version } = (clientInfo ?? {}) as Record<string, unknown>;
  const isWhole =
    typeof protocolVersion === 'string' &&
    typeof capabilities === 'object' &&
    capabilities !== null &&
    typeof name === 'string' &&
    typeof version === 'string';
  if (isWhole) return request;
  throw invalidParams(
    'initialize takes params with protocolVersion, capabilities and clientInfo {name, version}.',
  );
}

/** An error that the model sees, so that it can do something about it. */
const toolError = (text: string): CallToolResult => ({
  content: [{ type: 'text', text: oneLine(text) }],
  isError: true,
});

/** "Premium and Pro". */
function planTitles(names: readonly Plan[]): string {
  const shown = names.map((name) => plans[name].title);
  return shown.length < 2 ? shown.join() : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

const planError = (tool: Tool, { plan }: ToolContext): string =>
  `${tool.name} is not part of the ${plans[plan].title} plan. It comes with ${planTitles(tool.plans)}. ` +
  'tools/list names what this plan can call.';

/** What cannot be read, and what is accepted. A message that names its parameter stands for itself. */
function inputError(tool: Tool, error: z.ZodError): string {
  const wrong = error.issues.slice(0, 5).map(({ path, message }) => {
    const place = path.join('.');
    return message.includes(place) ? message : `${place}: ${message}`;
  });
  const inputs = Object.keys(tool.input.shape).join(', ');
  return `This cannot be used: ${[...new Set(wrong)].join(' ')} Inputs of ${tool.name}: ${inputs}.`;
}

function describeTool({ name, title, description, input, output }: Tool): ToolListing {
  return {
    name,
    title,
    description,
    inputSchema: schemaOf(input, 'input') as ToolListing['inputSchema'],
    outputSchema: allowExtraFields(schemaOf(output, 'output')) as Exclude<
      ToolListing['outputSchema'],
      undefined
    >,
    annotations: {
      title,
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  };
}

const schemaOf = (schema: z.ZodObject, io: 'input' | 'output'): unknown =>
  z.toJSONSchema(schema, { io, target: 'draft-2020-12', reused: 'inline' });

/**
 * The schema without its bans on further fields: fields may be added without notice (docs/spec/service.md#versioning), and a
 * client that holds on to an older list must not trip over them.
 */
function allowExtraFields(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(allowExtraFields);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key, value]) => key !== 'additionalProperties' || value !== false)
      .map(([key, value]) => [key, allowExtraFields(value)]),
  );
}
