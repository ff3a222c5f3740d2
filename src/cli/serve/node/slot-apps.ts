/** The catalogues that a process of a node has open: the one that it serves, and the one that is ready to follow. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { App } from '../../../app.ts';
import type { PreparedCatalogue, RunningServer } from '../../../server.ts';

type OpenSlot = { path: string; app: App; holders: number };
type ReadySlot = OpenSlot & { change: PreparedCatalogue | null };

const pollMs = 20;

/**
 * The open slots of one process. Steps with slots must not overlap: the callers run `makeReady`, `serve` and
 * `release` one after the other.
 */
export class SlotApps {
  readonly #openApp: (path: string) => App;
  #server: RunningServer | null = null;
  #serving: OpenSlot | null = null;
  #ready: ReadySlot | null = null;
  /** Slots that served before, until no response reads them. */
  readonly #ending = new Map<string, Promise<void>>();

  /** @param openApp opens the catalogue of a slot for reading */
  constructor(openApp: (path: string) => App) {
    this.#openApp = openApp;
  }

  get isServing(): boolean {
    return this.#serving !== null;
  }

  /** The catalogue that is served. */
  get app(): App {
    if (this.#serving === null) throw new Error('no publication is served yet');
    return this.#serving.app;
  }

  /** Sets the server whose routes read the catalogue; without one, the catalogue is only open. */
  attach(server: RunningServer): void {
    this.#server = server;
  }

  /** Opens a slot and reads what its first requests need. */
  async makeReady(path: string): Promise<void> {
    if (this.#ready?.path === path || this.#serving?.path === path) return;
    const app = this.#openApp(path);
    try {
      // Each of these prepares statements for some milliseconds.
      await nextTurn();
      app.reader.state();
      await nextTurn();
      const { search } = app;
      await nextTurn();
      // Without a server, nothing is searched.
      if (this.#server !== null) while (!search.loadWords()) await nextTurn();
      const change = (await this.#server?.prepareCatalogue(app)) ?? null;
      this.#ready = { path, app, change, holders: 0 };
    } catch (failure) {
      app.close();
      throw failure;
    }
  }

  /** Serves a slot from now on. */
  async serve(path: string): Promise<void> {
    if (this.#serving?.path === path) return;
    await this.makeReady(path);
    const { change, ...slot } = this.#ready as ReadySlot;
    this.#ready = null;
    const former = this.#serving;
    this.#serving = slot;
    const isUnread = change?.() ?? (async () => {});
    if (former === null) return;
    this.#ending.set(former.path, end(former, isUnread));
  }

  /** Resolves when a slot is closed that does not serve. */
  async release(path: string): Promise<void> {
    if (this.#ready?.path === path) {
      this.#ready.app.close();
      this.#ready = null;
    }
    await this.#ending.get(path);
    this.#ending.delete(path);
  }

  /** Runs work that reads the slot that serves; the slot is not written before it ends. */
  async use<T>(work: (path: string) => Promise<T>): Promise<T> {
    const slot = this.#serving as OpenSlot;
    slot.holders += 1;
    try {
      return await work(slot.path);
    } finally {
      slot.holders -= 1;
    }
  }

  close(): void {
    this.#ready?.app.close();
    this.#serving?.app.close();
  }
}

/** Closes a slot once no response and no work reads it. */
async function end(slot: OpenSlot, isUnread: () => Promise<void>): Promise<void> {
  await isUnread();
  while (slot.holders > 0) await new Promise((resolve) => setTimeout(resolve, pollMs));
  slot.app.close();
}
