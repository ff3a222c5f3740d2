/** What a tool of the agent endpoint is: the seam between the transport and the four tools. */
import type { z } from 'zod';
import type { Catalogue } from '../catalogue/handlers.ts';
import type { Plan } from '../contract/plans.ts';

/** What a tool may know of a call, beside its input. */
export type ToolContext = {
  /** The plan that the call is answered for. */
  plan: Plan;
  /** The service's base address, without a slash at its end: records' pages lie below it. */
  baseUrl: string;
  /** The service's name, as its attribution shows it. */
  name: string;
  /** ms since 1970. */
  now: number;
  catalogue: Catalogue;
};

/** An answer: fields for programs (they fit `output`), and a short text for reading. */
export type ToolResult = { structured: Record<string, unknown>; text: string };

export type Tool = {
  name: string;
  title: string;
  /** Written for a model: when to use it, what it returns, what it cannot do, an example. */
  description: string;
  /** Who can see and call it. */
  plans: readonly Plan[];
  input: z.ZodObject;
  output: z.ZodObject;
  /**
   * Answers a call; `input` has been read by `input`. Reads, and changes nothing.
   * @throws ToolProblem where the input can be read but not used
   */
  run(input: Record<string, unknown>, call: ToolContext): ToolResult;
};

/** An input that cannot be used. The message says what is accepted, so that a model corrects itself in one step. */
export class ToolInputError extends Error {}
