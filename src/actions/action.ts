/** The definition of a console action (input, role, function of the app), and inputs that several actions share. */
import { z } from 'zod';
import type { App, FetchConfig } from '../app.ts';
import { type FeedKind, feedRecordSchemas } from '../contract/feed.ts';
import type { Actor, Role } from '../contract/roles.ts';

/**
 * `read` and `write` actions run one after the other, in a process each. `preview` ones read addresses of others, which may
 * be slow; those of several people run at the same time. `long` ones are only started.
 */
export type ActionLane = 'read' | 'preview' | 'write' | 'long';

export type ActionContext = {
  actor: Actor;
  fetch: FetchConfig;
  /** Called with the work of another writer ("an import of berghain"), if the action has to wait for it. */
  onWait: (writer: string) => void;
};

export type Action<Input = unknown> = {
  input: z.ZodType<Input>;
  role: Exclude<Role, 'user'>;
  lane: ActionLane;
  run: (app: App, input: Input, context: ActionContext) => Promise<unknown>;
};

/** Defines an action of editors. @param shape the members of its input */
export const defineAction = <S extends z.ZodRawShape>(
  lane: ActionLane,
  shape: S,
  run: (app: App, input: z.infer<z.ZodObject<S>>, context: ActionContext) => Promise<unknown>,
): Action => ({ input: z.object(shape), role: 'editor', lane, run: run as Action['run'] });

/** The actions of a subject, by name. */
export type ActionTable = Readonly<Record<string, Action>>;

/** A record, as people name it: "artist/helena-hauff". */
export const recordInput = z.string().trim().min(1).max(300);
/** A kind of record; null: all kinds. */
export const kindInput = z.enum(Object.keys(feedRecordSchemas) as [FeedKind, ...FeedKind[]]).nullable();
/** The number of an entry of the audit log. */
export const auditIdInput = z.int().min(1);
/** The name of a source. */
export const sourceNameInput = z.string().trim().min(1).max(100);
