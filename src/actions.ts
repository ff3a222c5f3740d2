/**
 * The actions of the console that change or search the catalogue: name, input, role, and the function of the app. They
 * run in a process of their own (`cli/commands/action.ts`). A new action is one entry here.
 */
import { z } from 'zod';
import type { App, FetchConfig, RemovedSummary } from './app.ts';
import { type FeedKind, feedRecordSchemas } from './contract/feed.ts';
import { type Actor, includesRole, type Role } from './contract/roles.ts';
import { Failure } from './failure.ts';

/**
 * `read` and `write` actions run one after the other, in a process each. `preview` ones read addresses of others, which may
 * be slow. `long` ones are only started.
 */
export type ActionLane = 'read' | 'preview' | 'write' | 'long';

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

const auditId = z.int().min(1);
const fieldChanges = z
  .array(
    z.object({
      field: z.string().max(50),
      operation: z.enum(['set', 'add', 'remove']),
      value: z.unknown(),
    }),
  )
  .min(1)
  .max(60);
const shortText = z.string().max(2_000).optional();
const patterns = z.array(z.string().max(200)).max(100).optional();
const ruleMembers = {
  include: patterns,
  exclude: patterns,
  genres: patterns,
  city: shortText,
  country: shortText,
  timezone: shortText,
  license: shortText,
  attribution: shortText,
  attributionUrl: shortText,
  maxAge: shortText,
  onMissing: shortText,
  hold: z.boolean().optional(),
  keepPast: z.boolean().optional(),
};
/** The address of a source is a location of the web here, too. */
const sourceChanges = z.object({
  url: address.optional(),
  trust: shortText,
  every: shortText,
  clock: shortText,
  complete: z.boolean().optional(),
  ...ruleMembers,
});
/** Other settings of a form are ignored: a preview is about the rules only. */
const ruleChanges = z.object(ruleMembers);
const heldSelection = z.union([z.literal('all'), z.array(z.string().max(600)).min(1).max(200)]);
const maxHits = 30;
/** Time of a preview of an address with the recognition of its type, in ms. The page waits for it. */
const maxPreviewMs = 20_000;
const maxRemovedRead = 2_000;
const maxHistory = 100;

/** An action that hides a record, or takes that back. */
function removal(verb: 'hide' | 'delete' | 'unhide' | 'restore'): Record<string, Action> {
  return {
    [`record.${verb}`]: define({
      input: z.object({ record, reason: z.string().trim().max(500).nullable() }),
      role: 'editor',
      lane: 'write',
      run: async (app, input, { actor, onWait }) => {
        const removals = await app.removals(actor, onWait);
        const { reason } = input;
        if (verb === 'hide' || verb === 'delete') return removals[verb](input.record, { reason });
        return removals[verb](input.record);
      },
    }),
  };
}

async function findRemoved(app: App, query: string, actor: Actor): Promise<RemovedSummary[]> {
  const all = (await app.removals(actor)).list({ limit: maxRemovedRead });
  const words = query.toLowerCase();
  return all
    .filter(({ name, slug }) => name.toLowerCase().includes(words) || slug.includes(words))
    .slice(0, maxHits);
}

/** Everything that the page of a record shows. A removed record has no fields. */
async function showRecord(app: App, text: string, actor: Actor): Promise<unknown> {
  const removed = (await app.removals(actor)).list({ limit: maxRemovedRead }).find(({ id }) => id === text);
  const history = app.auditLog();
  if (removed !== undefined) {
    const entries = history
      .list({ subjectKind: removed.kind, subject: removed.slug, limit: maxHistory })
      .map((entry) => ({ ...entry, at: new Date(entry.createdTs).toISOString(), undone_by: entry.undoneBy }));
    return { removed, record: removed, fields: [], explanation: null, history: entries };
  }
  const edits = await app.edits(actor);
  const { fields, ...summary } = edits.fields(text);
  const explanation = (await app.corrections()).explain(text);
  return { removed: null, record: summary, fields, explanation, history: edits.history(text, maxHistory) };
}

async function detectType(app: App, url: string, fetch: FetchConfig, maxMs: number): Promise<string> {
  const format = await app.detectSourceType(url, fetch, maxMs).catch((failure: Error) => {
    throw new Failure(`The address cannot be read: ${failure.message}`);
  });
  if (format?.type != null) return format.type;
  throw new Failure(
    format === null
      ? 'The format of this address is not recognized. Choose the type.'
      : `This address returns ${format.label}, which is no source. Choose the type if it is one nevertheless.`,
  );
}

/** Hosts of the services whose requests carry a key of the operator, by the type of the source. */
const keyedHosts: Readonly<Record<string, string>> = { ticketmaster: 'app.ticketmaster.com' };

/** Throws a `Failure` if an editor would send a key of the operator to another host than that of its service. */
function assertKeyStays(type: string, url: string): void {
  const host = Object.hasOwn(keyedHosts, type) ? keyedHosts[type] : undefined;
  if (host === undefined || new URL(url).hostname === host) return;
  throw new Failure(
    `In the console, a source of the type ${type} has an address at https://${host}, because its requests carry the key of the operator. The terminal accepts others.`,
  );
}

/** Suggests a name for a source: the host without `www.`, such as `club.example`. */
const nameOfHost = (url: string): string => new URL(url).hostname.replace(/^www\./, '').replaceAll(':', '');

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
  'record.search': define({
    input: z.object({ query: z.string().trim().max(200) }),
    role: 'editor',
    lane: 'read',
    run: async (app, { query }, { actor }) => ({
      hits: query === '' ? [] : app.searchHits(query, maxHits, ''),
      removed: await findRemoved(app, query, actor),
    }),
  }),
  'record.show': define({
    input: z.object({ record }),
    role: 'editor',
    lane: 'read',
    run: async (app, input, { actor }) => await showRecord(app, input.record, actor),
  }),
  ...removal('hide'),
  ...removal('delete'),
  ...removal('unhide'),
  ...removal('restore'),
  'record.forget': define({
    input: z.object({ record, name: z.enum(['keep', 'remove']) }),
    role: 'editor',
    lane: 'write',
    run: async (app, input, { actor, onWait }) =>
      (await app.removals(actor, onWait)).forget(input.record, { name: input.name }),
  }),
  'record.edit': define({
    input: z.object({ record, changes: fieldChanges, expected: z.record(z.string(), z.unknown()) }),
    role: 'editor',
    lane: 'write',
    run: async (app, input, { actor, onWait }) =>
      (await app.edits(actor, onWait)).set(input.record, input.changes, { expected: input.expected }),
  }),
  'record.reset': define({
    input: z.object({ record, fields: z.array(z.string().max(50)).max(50) }),
    role: 'editor',
    lane: 'write',
    run: async (app, input, { actor, onWait }) =>
      (await app.edits(actor, onWait)).reset(input.record, input.fields),
  }),
  'record.add': define({
    input: z.object({ kind: kind.unwrap(), changes: fieldChanges }),
    role: 'editor',
    lane: 'write',
    run: async (app, input, { actor, onWait }) =>
      (await app.edits(actor, onWait)).add(input.kind, input.changes),
  }),
  'record.undo': define({
    input: z.object({ auditId }),
    role: 'editor',
    lane: 'write',
    run: async (app, input, { actor, onWait }) => (await app.edits(actor, onWait)).undo(input.auditId),
  }),
  'review.next': define({
    input: z.object({ kind, after: z.string().max(100).nullable(), limit: z.int().min(1).max(100) }),
    role: 'editor',
    lane: 'read',
    run: async (app, input, { actor }) => {
      const review = await app.review(actor);
      return { ...(await review.next(input)), counts: await review.count() };
    },
  }),
  'review.count': define({
    input: z.object({}),
    role: 'editor',
    lane: 'read',
    run: async (app, _, { actor }) => (await app.review(actor)).count(),
  }),
  'review.decide': define({
    input: z.object({ pair: z.string().max(100), verdict: z.enum(['same', 'different', 'later']) }),
    role: 'editor',
    lane: 'write',
    run: async (app, { pair: name, verdict }, { actor, onWait }) =>
      (await app.review(actor, onWait)).decide(name, verdict),
  }),
  'review.undo': define({
    input: z.object({ auditId }),
    role: 'editor',
    lane: 'write',
    run: async (app, input, { actor, onWait }) => (await app.review(actor, onWait)).undo(input.auditId),
  }),
  'source.show': define({
    input: z.object({ name: sourceName }),
    role: 'editor',
    lane: 'read',
    run: async (app, { name }, { fetch }) => {
      const registry = await app.sources(fetch);
      const details = await registry.show(name);
      return { ...details, rejections: details.scheduled ? registry.rejected(name) : null };
    },
  }),
  'source.runs': define({
    input: z.object({ name: sourceName }),
    role: 'editor',
    lane: 'read',
    run: async (app, { name }, { fetch }) => (await app.sources(fetch)).runs(name),
  }),
  'source.rejected': define({
    input: z.object({ name: sourceName }),
    role: 'editor',
    lane: 'read',
    run: async (app, { name }, { fetch }) => {
      const { rejected, rejected_count } = (await app.sources(fetch)).summary(name);
      return { rejected, rejected_count };
    },
  }),
  'source.held': define({
    input: z.object({
      name: sourceName,
      state: z.enum(['waiting', 'rejected']),
      limit: z.int().min(1).max(200),
      offset: z.int().min(0).max(10_000_000).default(0),
    }),
    role: 'editor',
    lane: 'read',
    run: async (app, { name, ...options }, { fetch }) => (await app.sources(fetch)).held(name, options),
  }),
  'source.approve': define({
    input: z.object({ name: sourceName, selection: heldSelection }),
    role: 'editor',
    lane: 'write',
    run: async (app, { name, selection }, { actor, fetch, onWait }) => {
      const registry = await app.sources(fetch);
      const decision = await registry.approve(name, selection, actor);
      const report = await registry.publishApproved(name, { onWait });
      return { ...decision, rejected: report?.rejected ?? [] };
    },
  }),
  'source.reject': define({
    input: z.object({ name: sourceName, selection: heldSelection }),
    role: 'editor',
    lane: 'write',
    run: async (app, { name, selection }, { actor, fetch }) => ({
      ...(await (await app.sources(fetch)).reject(name, selection, actor)),
      rejected: [],
    }),
  }),
  'source.preview-rules': define({
    input: z.object({ name: sourceName, changes: ruleChanges }),
    role: 'editor',
    lane: 'read',
    run: async (app, { name, changes }, { fetch }) => (await app.sources(fetch)).preview(name, changes),
  }),
  'source.check': define({
    input: z.object({ name: sourceName, changes: sourceChanges }),
    role: 'editor',
    lane: 'read',
    run: async (app, { name, changes }, { fetch }) =>
      (await app.sources(fetch)).check(name, changes).map(({ message, details }) => ({ message, details })),
  }),
  'source.purge-preview': define({
    input: z.object({ name: sourceName }),
    role: 'editor',
    lane: 'read',
    run: async (app, { name }, { actor }) => (await app.removals(actor)).previewPurge(name),
  }),
  'source.preview': define({
    input: z.object({ url: address, type: z.string().max(20), name: z.string().trim().max(100) }),
    role: 'editor',
    lane: 'preview',
    run: async (app, { url, type, name }, { fetch }) => {
      const end = performance.now() + maxPreviewMs;
      const detected = type === '' ? await detectType(app, url, fetch, maxPreviewMs) : type;
      assertKeyStays(detected, url);
      const input = { url, type: detected, name: name === '' ? nameOfHost(url) : name };
      const registry = await app.sources(fetch);
      const { preview } = await registry.previewUrl({
        ...input,
        maxMs: Math.max(1, end - performance.now()),
      });
      return { ...preview, name: input.name };
    },
  }),
  'source.set': define({
    input: z.object({ name: sourceName, changes: sourceChanges }),
    role: 'editor',
    lane: 'write',
    run: async (app, { name, changes }, { actor, fetch }) =>
      (await app.sources(fetch)).set(name, changes, actor),
  }),
  'source.pause': define({
    input: z.object({ name: sourceName }),
    role: 'editor',
    lane: 'write',
    run: async (app, { name }, { actor, fetch }) => (await app.sources(fetch)).pause(name, actor),
  }),
  'source.resume': define({
    input: z.object({ name: sourceName }),
    role: 'editor',
    lane: 'write',
    run: async (app, { name }, { actor, fetch }) => (await app.sources(fetch)).resume(name, actor),
  }),
  'source.purge': define({
    input: z.object({ name: sourceName }),
    role: 'editor',
    lane: 'long',
    run: async (app, { name }, { actor, onWait }) => (await app.removals(actor, onWait)).purgeSource(name),
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
      assertKeyStays(input.type, input.url);
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
  const path = issue?.path ?? [];
  const field = path.findLast((part) => typeof part === 'string');
  const message = path.length === 0 ? String(issue?.message) : `${path.join('.')}: ${issue?.message}`;
  throw new Failure(message, 2, field === undefined ? {} : { field, code: 'input' });
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
