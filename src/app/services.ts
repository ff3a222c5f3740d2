/** The services that use the data file, and what they report about their surroundings. */
import { readSetting, writeSetting } from '../store/database.ts';
import { isBusy, withBusyTimeout } from '../store/file/busy-timeout.ts';
import {
  findRunningServices,
  type RegisteredService,
  type RunningService,
  registerService,
  removeDeadServices,
} from '../store/file/service-registry.ts';
import type { Connections } from './connections.ts';

const proxySeenKey = 'forwarded_at';

/** The register of running services in a data file. */
export class Services {
  readonly #path: string;
  readonly #connections: Connections;

  constructor(path: string, connections: Connections) {
    this.#path = path;
    this.#connections = connections;
  }

  /** Returns the running services of this machine that use the file, the latest first. */
  running(): RunningService[] {
    return findRunningServices(this.#connections.catalogue, this.#path);
  }

  /**
   * Registers a service (`cli/serve/service-registry.ts`), or removes it if `note` is null. Entries of dead processes
   * are removed.
   * @returns false, without waiting, if another process holds the write lock
   */
  register(name: string, note: RegisteredService | null): boolean {
    try {
      const sqlite = this.#connections.direct;
      withBusyTimeout(sqlite, 0, () => {
        if (note !== null) removeDeadServices(sqlite);
        registerService(sqlite, name, note);
      });
      return true;
    } catch (failure) {
      if (isBusy(failure)) return false;
      throw failure;
    }
  }

  /** Returns when a service last saw an unconfigured proxy, in ms since 1970; 0 means never. */
  proxySeenAt(): number {
    return Number(readSetting(this.#connections.catalogue, proxySeenKey) ?? 0);
  }

  /** Records that a service saw an unconfigured proxy now. */
  recordProxySeen(): void {
    writeSetting(this.#connections.direct, proxySeenKey, String(Date.now()));
  }
}
