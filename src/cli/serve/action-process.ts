/**
 * Runs actions of the console in processes of their own, one per lane (`src/actions.ts`). A process starts with the first
 * action and ends when it was idle for a minute, so that a click does not wait for a start. The actions of one lane run
 * one after the other; people take turns. Previews have several lanes: a slow or hostile address that one person previews
 * delays none of another.
 */
import { type ActionLane, findAction, parseInput } from '../../actions.ts';
import { type ActionCaller, ActionDelayed, type ActionRunner } from '../../contract/action-runner.ts';
import { Failure } from '../../failure.ts';
import { FairQueue } from '../../fair-queue.ts';
import { describeFailure, type Log } from '../../log.ts';
import type { Settings } from '../../settings.ts';
import { childEnvironment, selfCommand } from '../child-process.ts';
import type { ActionPlace, ActionReply, ActionRequest } from './action-messages.ts';
import { readJsonLines } from './json-lines.ts';
import { type LaunchedProcess, launch } from './launch/launch.ts';

export type ActionProcesses = {
  run: ActionRunner;
  /** Runs an action on another data file than that of the settings, and waits for its end. */
  runOn<T>(place: ActionPlace, action: string, input: unknown, caller: ActionCaller): Promise<T>;
  stop(): Promise<void>;
};
export type ActionProcessOptions = {
  config: Pick<Settings, 'data' | 'baseUrl' | 'fetchAllow'> &
    Partial<Pick<Settings, 'cluster' | 'clusterCa'>>;
  log: Log;
  /** The command that starts this program; by default the one that started this process. */
  program?: { command: string; args: string[] };
};

/** How long an idle process is kept, in ms. */
const idleMs = 60_000;
/** After this time, in ms, an action that writes goes on without its page, which says so; another one is ended. Proxies wait 30 s. */
const patienceMs = { waiting: 8_000, working: 25_000 };
/** Actions that may wait, of all people and of one. */
const maxWaiting = { all: 50, person: 10 };
/** Lanes of previews. Each person uses one at a time. */
const previewLanes = 3;
/** Time of a process to end its action after the service stops, in ms. */
const stopTimeoutMs = 5_000;
const maxErrorLength = 4_000;

/** Returns a runner without processes; each lane starts one when it needs it. */
export function createActionProcesses(options: ActionProcessOptions): ActionProcesses {
  const lanes: Record<ActionLane, readonly Lane[]> = {
    read: [new Lane(options, 'read')],
    preview: Array.from({ length: previewLanes }, () => new Lane(options, 'preview')),
    write: [new Lane(options, 'write')],
    long: [new Lane(options, 'long')],
  };
  const laneOf = (lane: ActionLane, { actor }: ActionCaller): Lane => chooseLane(lanes[lane], actor);
  return {
    run: async <T>(action: string, input: unknown, caller: ActionCaller): Promise<T> => {
      const definition = findAction(action, caller.role);
      const { lane } = definition;
      parseInput(definition, input);
      const result = laneOf(lane, caller).run({ action, input, ...caller });
      if (lane !== 'long') return result as Promise<T>;
      // The page does not wait for the end: the state of the source shows it.
      result.catch((failure: unknown) =>
        options.log('warn', 'an action of the console failed', { action, ...describeFailure(failure) }),
      );
      return { started: true } as T;
    },
    runOn: <T>(place: ActionPlace, action: string, input: unknown, caller: ActionCaller) => {
      const definition = findAction(action, caller.role);
      parseInput(definition, input);
      return laneOf(definition.lane, caller).run({ action, input, ...caller, ...place }) as Promise<T>;
    },
    stop: async () => {
      const all = Object.values(lanes).flat();
      await Promise.all(all.map((lane) => lane.stop()));
    },
  };
}

/**
 * Returns the lane that has actions of a person, or the one with the fewest actions. Of several, it is the one whose
 * action runs for the shortest time: one that runs for long may never end.
 */
function chooseLane(lanes: readonly Lane[], actor: string): Lane {
  const own = lanes.find((lane) => lane.hasActionOf(actor));
  return own ?? lanes.reduce((best, lane) => (lane.isBetterThan(best) ? lane : best));
}

type Task = {
  request: Omit<ActionRequest, 'id'>;
  resolve: (result: unknown) => void;
  reject: (failure: Failure) => void;
  /** What it waits for, as far as it is known. */
  writer: string | null;
  /** The page was answered before the action ran. */
  isLate: boolean;
};

class Lane {
  readonly #options: ActionProcessOptions;
  readonly #lane: ActionLane;
  readonly #waiting = new FairQueue<Task>();
  #current: { id: number; task: Task } | null = null;
  #child: LaunchedProcess | null = null;
  #lastId = 0;
  #beganAt = 0;
  #idleTimer: NodeJS.Timeout | undefined;
  #killTimer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(options: ActionProcessOptions, lane: ActionLane) {
    this.#options = options;
    this.#lane = lane;
  }

  /** Whether fewer actions run or wait here, or the present one began later. */
  isBetterThan(other: Lane): boolean {
    const difference = this.#size - other.#size;
    return difference < 0 || (difference === 0 && this.#beganAt > other.#beganAt);
  }

  get #size(): number {
    return this.#waiting.size + (this.#current === null ? 0 : 1);
  }

  hasActionOf(actor: string): boolean {
    return this.#current?.task.request.actor === actor || this.#waiting.sizeOf(actor) > 0;
  }

  run(request: Task['request']): Promise<unknown> {
    if (this.#isStopped)
      return Promise.reject(
        new Failure('The service is stopping. Try again shortly.', 1, { code: 'stopping' }),
      );
    const { actor } = request;
    if (this.#waiting.size >= maxWaiting.all || this.#waiting.sizeOf(actor) >= maxWaiting.person) {
      return Promise.reject(
        new Failure('Too many actions wait to be carried out. Try again in a minute.', 1, {
          code: 'too_many_actions',
        }),
      );
    }
    return new Promise((resolve, reject) => {
      const task: Task = { request, resolve, reject, writer: null, isLate: false };
      const late = this.#startPatience(task, patienceMs.working);
      const settle = <V>(settleWith: (value: V) => void) => {
        return (value: V) => {
          clearTimeout(late);
          settleWith(value);
        };
      };
      task.resolve = settle(resolve);
      task.reject = settle(reject);
      this.#waiting.push(actor, task);
      this.#next();
    });
  }

  /** Reports to the page after a time that the action goes on. No page waits for a `long` one. */
  #startPatience(task: Task, ms: number): NodeJS.Timeout | undefined {
    if (this.#lane === 'long') return undefined;
    const kind = this.#lane === 'write' ? 'change' : 'read';
    return setTimeout(() => {
      task.isLate = true;
      task.reject(new ActionDelayed(task.writer, kind));
    }, ms);
  }

  /** Ends the process. The action that it runs has a few seconds to end; it is atomic, so nothing is left half done. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#idleTimer);
    for (let task = this.#waiting.shift(); task !== undefined; task = this.#waiting.shift())
      task.reject(
        new Failure('The service stopped before it carried this out. Nothing was changed.', 1, {
          code: 'stopped_before',
        }),
      );
    const child = this.#child;
    if (child === null) return;
    const gone = new Promise((resolve) => child.once('close', resolve));
    child.stdin.end();
    const gentle = setTimeout(() => child.kill('SIGTERM'), this.#current === null ? 1_000 : stopTimeoutMs);
    const hard = setTimeout(() => child.kill('SIGKILL'), 2 * stopTimeoutMs);
    await gone;
    clearTimeout(gentle);
    clearTimeout(hard);
  }

  /** Sends the next action to the process, and starts the process if there is none. */
  #next(): void {
    if (this.#current !== null || this.#isStopped) return;
    let task = this.#waiting.shift();
    // A result that no page waits for is of no use; a change is made all the same.
    while (task?.isLate && this.#lane !== 'write') task = this.#waiting.shift();
    clearTimeout(this.#idleTimer);
    if (task === undefined) {
      this.#idleTimer = setTimeout(() => this.#retire(), idleMs).unref();
      return;
    }
    this.#lastId += 1;
    this.#beganAt = performance.now();
    this.#current = { id: this.#lastId, task };
    this.#child ??= this.#start();
    this.#limitWork(this.#child);
    this.#child.stdin.write(`${JSON.stringify({ id: this.#lastId, ...task.request })}\n`);
  }

  /**
   * Kills the process when an action that changes nothing takes too long: busy code hears no signal, and the actions
   * that wait go on in another process.
   */
  #limitWork(child: LaunchedProcess): void {
    if (this.#lane !== 'read' && this.#lane !== 'preview') return;
    this.#killTimer = setTimeout(() => child.kill('SIGKILL'), patienceMs.working);
  }

  /** Ends the idle process. The next action starts another one. */
  #retire(): void {
    if (this.#current !== null) return;
    this.#child?.stdin.end();
    this.#child = null;
  }

  #start(): LaunchedProcess {
    const { config, program = selfCommand() } = this.#options;
    const own = ['action', '--data', config.data];
    if (config.baseUrl !== null) own.push('--base-url', config.baseUrl);
    if (config.fetchAllow.length > 0) own.push('--fetch-allow', ...config.fetchAllow);
    const env = childEnvironment(config);
    const child = launch({ command: program.command, args: [...program.args, ...own], env });
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(-maxErrorLength);
    });
    const fail = (error: Error): void => {
      errors += `\n${error.message}`;
    };
    // An unreadable reply ends the process; `close` reports it.
    this.#read(child).catch((error: Error) => {
      fail(error);
      child.kill('SIGKILL');
    });
    child.on('error', fail);
    child.on('close', (status, signal) => this.#handleExit(child, signal ?? status, errors));
    return child;
  }

  async #read(child: LaunchedProcess): Promise<void> {
    for await (const reply of readJsonLines<ActionReply>(child.stdout))
      if (this.#child === child) this.#take(reply);
  }

  #take(reply: ActionReply): void {
    if (this.#current?.id !== reply.id) return;
    const { task } = this.#current;
    if (reply.type === 'waiting') {
      task.writer = reply.writer;
      this.#startPatience(task, patienceMs.waiting)?.unref();
      return;
    }
    clearTimeout(this.#killTimer);
    this.#current = null;
    if (reply.type === 'done') task.resolve(reply.result);
    else if (reply.type === 'refused')
      task.reject(new Failure(reply.message, reply.exitStatus, reply.details));
    else task.reject(unexpectedFailure());
    this.#next();
  }

  #handleExit(child: LaunchedProcess, status: string | number | null, errors: string): void {
    // It was idle and retired.
    if (this.#child !== child) return;
    this.#child = null;
    clearTimeout(this.#killTimer);
    const current = this.#current;
    if (this.#isStopped) {
      current?.task.reject(stoppedFailure());
      return;
    }
    const error = errors.trim().split('\n').at(-1) ?? '';
    this.#options.log('error', 'the action process ended', {
      status,
      action: current?.task.request.action,
      error,
    });
    this.#current = null;
    current?.task.reject(unexpectedFailure());
    this.#next();
  }
}

const stoppedFailure = (): Failure =>
  new Failure(
    'The service stopped while this was carried out. Check whether it was done, then try again.',
    1,
    {
      code: 'stopped_during',
    },
  );

/** The failure that a person sees for an unexpected one, which the log describes. */
export const unexpectedFailure = (): Failure =>
  new Failure(
    'This ended unexpectedly. A change is made as a whole or not at all: check whether it was made, then try again. The log of the service has the reason.',
    1,
    { code: 'unexpected' },
  );
