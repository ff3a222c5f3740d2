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
import { readArguments } from './arguments.ts';
import { oneLine } from './one-line.ts';
import { type Tool, type ToolCall, ToolProblem } from './tool.ts';

export type Identity = { name: string; version: string; baseUrl: string };

type Listing = ListToolsResult['tools'][number];

/** A list of tools may change with the plan, which another process may change: nobody should rely on it for long. */
const listMs = 60_000;
/** What the service is changes with its version alone. */
const discoveryMs = 3_600_000;

const instructions =
  'A catalogue of electronic music: artists, their aliases, and events with venue, date and line-up. Names need not be ' +
  'exact: aliases, missing diacritics and a typo are understood, and every answer names the match it chose. Events ' +
  'are upcoming ones unless you ask otherwise; dates are local to the event. All tools only read.';

/** The tools, and everything about them that can be known at start-up. */
export class Toolbox {
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #lists: Record<Plan, Listing[]>;
  /** How the server names itself. */
  readonly implementation: Implementation;

  /** @param tools in the order in which they are listed */
  constructor(tools: readonly Tool[], identity: Identity) {
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
    const { name, version, baseUrl } = identity;
    this.implementation = { name: 'cratebase', title: name, version, websiteUrl: baseUrl };
    const listings = tools.map((tool) => ({ tool, listing: describe(tool) }));
    this.#lists = Object.fromEntries(
      planNames.map((plan) => [
        plan,
        listings.filter(({ tool }) => tool.plans.includes(plan)).map(({ listing }) => listing),
      ]),
    ) as Record<Plan, Listing[]>;
  }

  /**
   * A server of either era. Low-level on purpose: what `McpServer` would work out anew for every exchange (schemas of
   * tools) is worked out once, above.
   * @param circumstances asked at every call
   * @param onFailure told of a failure that is no fault of the caller, before the caller gets an error
   * @param inTurn runs a call when its turn comes: for the members of a batch. Calls run at once without it
   */
  serve(
    circumstances: () => ToolCall,
    onFailure: (failure: unknown) => void,
    inTurn: <T>(call: () => T) => T | Promise<T> = (call) => call(),
  ): Server {
    const server = new ToolServer(this.implementation, {
      capabilities: { tools: {} },
      instructions,
      cacheHints: {
        'server/discover': { ttlMs: discoveryMs, cacheScope: 'private' },
        'tools/list': { ttlMs: listMs, cacheScope: 'private' },
      },
    });
    server.setRequestHandler('tools/list', ({ params }) => {
      if (params?.cursor !== undefined) throw invalid('The list has one page: leave out `cursor`.');
      return { tools: this.#lists[circumstances().plan] };
    });
    const calling = (name: string, given: unknown): CallToolResult => {
      try {
        const call = circumstances();
        const answer = this.answer(name, given, call);
        if (answer !== null) return answer;
        const known = this.#lists[call.plan].map((listing) => listing.name).join(', ');
        throw invalid(`Unknown tool: ${oneLine(name.slice(0, 100))}. There are ${known}.`);
      } catch (failure) {
        if (!(failure instanceof ProtocolError)) onFailure(failure);
        throw failure;
      }
    };
    server.calling = async (name, given) => {
      try {
        return await inTurn(() => calling(name, given));
      } catch (failure) {
        // Too many calls wait.
        if (failure instanceof Problem) onFailure(failure);
        throw failure;
      }
    };
    const { calling: answerCall } = server;
    server.setRequestHandler('tools/call', ({ params }) => answerCall(params.name, params.arguments));
    return server;
  }

  /**
   * What a tool answers; null where there is none of that name. Throws what is no fault of the caller, and a
   * `ProtocolError` where the arguments are no object.
   * @param given the `arguments` of the call, whatever they are
   */
  answer(name: string, given: unknown, call: ToolCall): CallToolResult | null {
    const tool = this.#tools.get(name);
    if (tool === undefined) return null;
    if (!tool.plans.includes(call.plan)) return problem(beyondPlan(tool, call));
    const members = readArguments(given, Object.keys(tool.input.shape));
    if (typeof members === 'string') throw invalid(members);
    const input = tool.input.safeParse(members);
    if (!input.success) return problem(unreadable(tool, input.error));
    try {
      const { structured, text } = tool.run(input.data, call);
      return { content: [{ type: 'text', text }], structuredContent: structured };
    } catch (failure) {
      if (failure instanceof ToolProblem) return problem(failure.message);
      throw failure;
    }
  }
}

const invalid = (message: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, message);

type Calling = (name: string, given: unknown) => Promise<CallToolResult>;

/**
 * The SDK's server, but for calls whose `arguments` are null or no object: null means none, and for the rest the tools
 * have a clear sentence in place of the SDK's list of issues.
 */
class ToolServer extends Server {
  /** Answers a call. */
  calling: Calling | null = null;

  protected override _wrapHandler(...[method, handler]: Parameters<Wrap>): ReturnType<Wrap> {
    const wrapped = super._wrapHandler(method, handler);
    if (method === 'initialize')
      return async (request, context) => wrapped(checkInitialize(request), context);
    if (method !== 'tools/call') return wrapped;
    return async (request, context) => {
      const { name, arguments: given } = (request.params ?? {}) as { name?: unknown; arguments?: unknown };
      if (typeof name !== 'string')
        throw invalid('params.name is the name of a tool; tools/list has them all.');
      const isUsual =
        given === undefined || (typeof given === 'object' && given !== null && !Array.isArray(given));
      if (isUsual || this.calling === null) return wrapped(request, context);
      return this.calling(name, given);
    };
  }
}
type Wrap = Server['_wrapHandler'];
type Opening = Parameters<ReturnType<Wrap>>[0];

/** A handshake that lacks something is told so, in place of the SDK's list of issues. */
function checkInitialize(request: Opening): Opening {
  const { protocolVersion, capabilities, clientInfo } = (request.params ?? {}) as Record<string, unknown>;
  const { name, version } = (clientInfo ?? {}) as Record<string, unknown>;
  const isWhole =
    typeof protocolVersion === 'string' &&
    typeof capabilities === 'object' &&
    capabilities !== null &&
    typeof name === 'string' &&
    typeof version === 'string';
  if (isWhole) return request;
  throw invalid('initialize takes params with protocolVersion, capabilities and clientInfo {name, version}.');
}

/** An error that the model sees, so that it can do something about it. */
const problem = (text: string): CallToolResult => ({
  content: [{ type: 'text', text: oneLine(text) }],
  isError: true,
});

/** "Premium and Pro". */
function titles(names: readonly Plan[]): string {
  const shown = names.map((name) => plans[name].title);
  return shown.length < 2 ? shown.join() : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

const beyondPlan = (tool: Tool, { plan }: ToolCall): string =>
  `${tool.name} is not part of the ${plans[plan].title} plan. It comes with ${titles(tool.plans)}. ` +
  'tools/list names what this plan can call.';

/** What cannot be read, and what is accepted. A message that names its parameter stands for itself. */
function unreadable(tool: Tool, error: z.ZodError): string {
  const wrong = error.issues.slice(0, 5).map(({ path, message }) => {
    const place = path.join('.');
    return message.includes(place) ? message : `${place}: ${message}`;
  });
  const inputs = Object.keys(tool.input.shape).join(', ');
  return `This cannot be used: ${[...new Set(wrong)].join(' ')} Inputs of ${tool.name}: ${inputs}.`;
}

function describe({ name, title, description, input, output }: Tool): Listing {
  return {
    name,
    title,
    description,
    inputSchema: schemaOf(input, 'input') as Listing['inputSchema'],
    outputSchema: open(schemaOf(output, 'output')) as Exclude<Listing['outputSchema'], undefined>,
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
function open(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(open);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key, value]) => key !== 'additionalProperties' || value !== false)
      .map(([key, value]) => [key, open(value)]),
  );
}
