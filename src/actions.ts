/**
 * The actions of the console that change or search the catalogue. They run in a process of their own
 * (`cli/commands/action.ts`). A new action is one entry in a table of `src/actions/`.
 */
import type { Action, ActionContext, ActionTable } from './actions/action.ts';
import { decisionActions } from './actions/decisions.ts';
import { heldRecordActions } from './actions/held-records.ts';
import { recordActions } from './actions/records.ts';
import { removalActions } from './actions/removals.ts';
import { sourceSettingActions } from './actions/source-settings.ts';
import { sourceActions } from './actions/sources.ts';
import type { App } from './app.ts';
import { includesRole, type Role } from './contract/roles.ts';
import { Failure } from './failure.ts';

export type { ActionContext, ActionLane } from './actions/action.ts';
export { previewedEvents, shorterLineups } from './actions/preview-events.ts';

/** All actions, by name. */
export const actions: ActionTable = {
  ...decisionActions,
  ...heldRecordActions,
  ...recordActions,
  ...removalActions,
  ...sourceActions,
  ...sourceSettingActions,
};

/** Returns an action. Throws a `Failure` if there is none, or the role does not suffice. */
export function findAction(name: string, role: Role): Action {
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action === undefined) throw new Failure(`There is no action ${name}.`, 2);
  if (!includesRole(role, action.role))
    throw new Failure(`${name} requires the role ${action.role}.`, 1, { code: 'role_required' });
  return action;
}

/** Returns the input of an action as it is checked. Throws a `Failure` if it is invalid. */
export function parseInput<Input>(action: Action<Input>, input: unknown): Input {
  const result = action.input.safeParse(input);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
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
