/** A change of the catalogue that a process of a node asks for. Workers send it to the primary process. */
import { findAction } from '../../../actions.ts';
import { type App, openApp } from '../../../app.ts';
import { type ActionCaller, ActionDelayed, type ActionRunner } from '../../../contract/action-runner.ts';
import { type ErrorType, Problem } from '../../../contract/errors.ts';
import type { Actor } from '../../../contract/roles.ts';
import { Failure, type FailureDetails } from '../../../failure.ts';
import { describeFailure, type Log } from '../../../log.ts';
import type { SetServiceIdentity } from '../../../server.ts';
import { type ActionProcesses, unexpectedFailure } from '../action-process.ts';
import type { NodeChanges } from './changes.ts';
import type { SlotApps } from './slot-apps.ts';

type IdentityChanges = Parameters<SetServiceIdentity>[0];

export type NodeChange =
  | { kind: 'action'; action: string; input: unknown; caller: ActionCaller }
  | { kind: 'identity'; changes: IdentityChanges; actor: Actor };

/** The outcome of a change, for another process. */
export type NodeChangeReply =
  | { type: 'done'; result: unknown }
  /** The change goes on (`ActionDelayed`). */
  | { type: 'delayed'; writer: string | null; kind: 'read' | 'change' }
  /** The accounts or the service are away for a while. */
  | { type: 'problem'; problem: ErrorType; message: string }
  /** An expected failure: the message is for the person. */
  | { type: 'refused'; message: string; exitStatus: number; details: FailureDetails };

/** Carries out changes in the process that follows the catalogue. */
export function createNodeChanger(changes: NodeChanges, actions: ActionProcesses, log: Log) {
  return async (change: NodeChange): Promise<unknown> => {
    if (change.kind === 'identity')
      return changes.runForPerson((path) => setIdentity(path, change.changes, change.actor));
    const { action, input, caller } = change;
    const work = (data: string) => actions.runOn({ data }, action, input, caller);
    if (findAction(action, caller.role).lane !== 'long') return changes.runForPerson(work);
    // The page does not wait for the end: the state of the source shows it.
    changes
      .run(work, longWaitMs)
      .catch((failure: unknown) =>
        log('warn', 'an action of the console failed', { action, ...describeFailure(failure) }),
      );
    return { started: true };
  };
}

/** How long reading a source waits for another node (ms). */
const longWaitMs = 3_600_000;

async function setIdentity(path: string, changes: IdentityChanges, actor: Actor): Promise<void> {
  const app = openApp({ data: path, create: false });
  try {
    await app.identity.set(reviveBuffers(changes), actor);
  } finally {
    app.close();
  }
}

type BufferJson = ReturnType<Buffer['toJSON']>;

/** The bytes of a logo that came from another process as JSON. */
const reviveBuffers = (changes: IdentityChanges): IdentityChanges =>
  Object.fromEntries(
    Object.entries(changes).map(([key, value]) => {
      const json = value as BufferJson | string | null;
      const isBuffer = typeof json === 'object' && json?.type === 'Buffer' && !Buffer.isBuffer(json);
      return [key, isBuffer ? Buffer.from(json.data) : value];
    }),
  );

/**
 * Runs the actions of the console: those that read on the slot that serves, the others through `change`.
 * @param change carries out a change, here or in the primary process
 */
export const createNodeActions =
  (
    slots: SlotApps,
    actions: ActionProcesses,
    change: (change: NodeChange) => Promise<unknown>,
  ): ActionRunner =>
  <T>(action: string, input: unknown, caller: ActionCaller) => {
    const { lane } = findAction(action, caller.role);
    if (lane === 'read' || lane === 'preview')
      return slots.use((data) => actions.runOn<T>({ data, readOnly: true }, action, input, caller));
    return change({ kind: 'action', action, input, caller }) as Promise<T>;
  };

/** Changes the identity of the service, and returns what it is then. */
export const createIdentitySetter =
  (readApp: () => App, change: (change: NodeChange) => Promise<unknown>): SetServiceIdentity =>
  async (changes, actor) => {
    await change({ kind: 'identity', changes, actor });
    return readApp().identity.current();
  };

/** Describes an outcome for another process. Unexpected failures are logged here, and not described to the person. */
export async function describeOutcome(work: Promise<unknown>, log: Log): Promise<NodeChangeReply> {
  try {
    return { type: 'done', result: (await work) ?? null };
  } catch (failure) {
    if (failure instanceof ActionDelayed)
      return { type: 'delayed', writer: failure.writer, kind: failure.kind };
    if (failure instanceof Problem)
      return { type: 'problem', problem: failure.type, message: failure.message };
    if (!(failure instanceof Failure)) log('error', 'a change failed', describeFailure(failure));
    const { message, exitStatus, details } = failure instanceof Failure ? failure : unexpectedFailure();
    return { type: 'refused', message, exitStatus, details };
  }
}

/** Returns what another process described, or throws it. */
export function readOutcome(reply: NodeChangeReply): unknown {
  if (reply.type === 'done') return reply.result;
  if (reply.type === 'delayed') throw new ActionDelayed(reply.writer, reply.kind);
  if (reply.type === 'problem') throw new Problem(reply.problem, reply.message);
  throw new Failure(reply.message, reply.exitStatus, reply.details);
}
