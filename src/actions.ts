/**
 * The actions of the console that change or search the catalogue: name, input, role, and the function of the app. They
 * run in a process of their own (`cli/commands/action.ts`). A new action is one entry here.
 */
import { z } from 'zod';
import type { App, FetchConfig } from './app.ts';
import { type FeedKind, feedRecordSchemas } from './contract/feed.ts';
import { type Actor, includesRole, type Role } from './contract/roles.ts';
import { Failure } from './failure.ts';

/** `read` and `write` actions run one after the other, in a process each. `long` ones are only started. */
export type ActionLane = 'read' | 'write' | 'long';

export type ActionContext = {
  actor: Actor;
  fetch: FetchConfig;
  /** Called with the work of another writer ("an import of berghain"), if the action has to wait for it. */
  onWait: (writer: string) => void;
};

type Action<Input = unknown> = {
  input: z.ZodType<Input>;
  role: Exclude<Role, 'user'>;
  lane: ActionLane;
  run: (app: App, input: Input, context: ActionContext) => Promise<unknown>;
};

const define = <Input>(action: Action<Input>): Action => action as Action;

const record = z.string().trim().min(1).max(300);
const pair = z.object({ a: record, b: record, force: z.boolean().default(false) });
const kind = z.enum(Object.keys(feedRecordSchemas) as [FeedKind, ...FeedKind[]]).nullable();
const sourceName = z.string().trim().min(1).max(100);
/** The console adds addresses only: a path would let an editor read files of the server. */
const address = z
  .string()
  .trim()
  .max(2_000)
  .regex(/^https?:\/\//i, 'The address of a source begins with https:// or http://.');

export const actions: Readonly<Record<string, Action>> = {
  'record.merge': define({
    input: pair,
    role: 'editor',
    lane: 'write',
    run: async (app, { a, b, force }, { actor, onWait }) =>
      (await app.corrections(onWait, actor)).merge(a, b, { force }),
  }),
  'record.never-merge': define({
    input: pair,
    role: 'editor',
    lane: 'write',
    run: async (app, { a, b, force }, { actor, onWait }) =>
      (await app.corrections(onWait, actor)).neverMerge(a, b, { force }),
  }),
  'record.split': define({
    input: z.object({ record, parts: z.array(record).max(100) }),
    role: 'editor',
    lane: 'write',
    run: async (app, input, { actor, onWait }) =>
      (await app.corrections(onWait, actor)).split(input.record, input.parts),
  }),
  'record.explain': define({
    input: z.object({ record }),
    role: 'editor',
    lane: 'read',
    run: async (app, input) => (await app.corrections()).explain(input.record),
  }),
  'record.duplicates': define({
    input: z.object({ kind }),
    role: 'editor',
    lane: 'read',
    run: async (app, input) => (await app.corrections()).duplicates(input.kind),
  }),
  'source.list': define({
    input: z.object({}),
    role: 'editor',
    lane: 'read',
    run: async (app, _, { fetch }) => (await app.sources(fetch)).list(),
  }),
  'source.add': define({
    input: z.object({
      name: sourceName,
      type: z.string().max(20),
      url: address,
      trust: z.string().max(5).optional(),
      every: z.string().max(10).optional(),
      complete: z.literal(true).optional(),
      options: z.array(z.string().max(500)).max(20).optional(),
    }),
    role: 'editor',
    lane: 'write',
    run: async (app, input, { fetch, actor }) => {
      const registry = await app.sources(fetch);
      const added = registry.add(input, actor);
      return { added, blocked: registry.blocked(added.name) };
    },
  }),
  'source.remove': define({
    input: z.object({ name: sourceName, withdraw: z.boolean() }),
    role: 'editor',
    lane: 'write',
    run: async (app, { name, withdraw }, { fetch, actor }) =>
      (await app.sources(fetch)).remove(name, { withdraw }, actor),
  }),
  'source.sync': define({
    input: z.object({ name: sourceName }),
    role: 'editor',
    lane: 'long',
    run: (app, { name }, context) => syncSource(app, name, context),
  }),
};

/** Reads a source. An exception of a socket or a timer has no caller: it ends the run, which is then recorded. */
async function syncSource(app: App, name: string, { fetch, onWait }: ActionContext): Promise<unknown> {
  const registry = await app.sources(fetch);
  const interrupt = (failure: unknown) => {
    if (!registry.interrupt(failure)) throw failure;
  };
  process.on('uncaughtException', interrupt);
  try {
    await registry.recordDeadRuns();
    return await registry.sync(name, { byHand: true, onWait });
  } finally {
    process.off('uncaughtException', interrupt);
  }
}

/** Returns an action. Throws a `Failure` if there is none, or the role does not suffice. */
export function findAction(name: string, role: Role): Action {
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action === undefined) throw new Failure(`There is no action ${name}.`, 2);
  if (!includesRole(role, action.role)) throw new Failure(`${name} requires the role ${action.role}.`);
  return action;
}

/** Returns the input of an action as it is checked. Throws a `Failure` if it is invalid. */
export function parseInput<Input>(action: Action<Input>, input: unknown): Input {
  const parsed = action.input.safeParse(input);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue?.path.join('.') ?? '';
  throw new Failure(field === '' ? String(issue?.message) : `${field}: ${issue?.message}`, 2);
}

/** Checks the input of an action and runs it. Throws a `Failure` if the input is invalid or the action is refused. */
export async function runAction(
  app: App,
  name: string,
  input: unknown,
  { role, ...context }: ActionContext & { role: Role },
): Promise<unknown> {
  const action = findAction(name, role);
  return action.run(app, parseInput(action, input), context);
}
