/**
 * Actions of the console that change or search the catalogue. They run in a process of their own, so that they never
 * hold up requests (`cli/serve/action-process.ts`). `src/actions.ts` has the table of actions.
 */
import { Failure } from '../failure.ts';
import type { Actor, Role } from './roles.ts';

/** The person who runs an action: the name for the audit log, and the role that decides whether it is allowed. */
export type ActionCaller = { actor: Actor; role: Role };

/**
 * Runs an action and returns its result, as JSON would transport it. Rejects with a `Failure` whose message the page
 * shows: the input is refused, the role does not suffice, too many actions wait, or the process ended.
 */
export type ActionRunner = <T>(action: string, input: unknown, caller: ActionCaller) => Promise<T>;

/** An action that takes longer than a page waits, because it waits for another writer or has much to do. It goes on. */
export class ActionDelayed extends Failure {
  readonly writer: string | null;
  readonly kind: 'read' | 'change';

  /**
   * Creates the message for the person.
   * @param writer the work that it waits for, such as "an import of berghain"; null: it works
   */
  constructor(writer: string | null, kind: 'read' | 'change') {
    super(kind === 'read' ? readText : changeText(writer), 1, {
      code: kind === 'read' ? 'delayed_read' : writer === null ? 'delayed_change' : 'delayed_by',
    });
    this.writer = writer;
    this.kind = kind;
  }
}

const readText = 'This takes longer than usual. Nothing was changed. Try again in a minute.';

const changeText = (writer: string | null): string =>
  writer === null
    ? 'Your change takes longer than usual and goes on. The audit log shows it when it is done. Do not send it again.'
    : `Your change waits for ${writer}. It is made as soon as that ends; the audit log shows it then. Do not send it again.`;
