/** The interface of an agent tool. */
import type { z } from 'zod';
import type { Catalogue } from '../catalogue/request.ts';
import type { Plan } from '../contract/plans.ts';

export type ToolContext = {
  plan: Plan;
  /** Base address of the service and of record pages, without a slash at its end. */
  baseUrl: string;
  /** Name of the service, for the attribution. */
  name: string;
  /** The attribution that the operator chose; null: the usual one. */
  attribution?: string | null;
  /** Slug of the service's city: days without a place are in its time zone. */
  homeCity?: string | null;
  /** ms since 1970. */
  now: number;
  catalogue: Catalogue;
};

/** A result: fields for programs (they match `output`), and a short text. */
export type ToolResult = {
  structured: Record<string, unknown>;
  text: string;
  /**
   * The time (ms) until which the answer stays the same if the catalogue does; null or absent if only the ends of events
   * and editions, the starts of editions and the days (UTC) change it.
   */
  validUntil?: number | null;
};

export type Tool = {
  name: string;
  title: string;
  /** For a model: when to use the tool, what it returns, what it cannot do, an example. */
  description: string;
  /** Plans that list the tool and may call it. */
  plans: readonly Plan[];
  input: z.ZodObject;
  output: z.ZodObject;
  /**
   * Runs the tool with an input that the schema `input` has parsed. It only reads.
   * @throws ToolInputError if a value cannot be used
   */
  run(input: Record<string, unknown>, call: ToolContext): ToolResult;
};

/** An input that cannot be used. The message says what is accepted, so that a model can correct it. */
export class ToolInputError extends Error {}
