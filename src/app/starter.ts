/** The starter catalogue of a new data file, with its sample events (`ingest/starter.ts`). */
import type { Clock } from '../clock.ts';
import { readSetting } from '../store/database.ts';
import { countSampleEvents } from '../store/schedule/sample-events.ts';
import type { Sqlite } from './connections.ts';

/** The starter catalogue of one data file: whether it is still to be imported, its import, and its sample events. */
export class Starter {
  readonly #sqlite: Sqlite;
  readonly #clock: Clock;

  constructor(sqlite: Sqlite, clock: Clock) {
    this.#sqlite = sqlite;
    this.#clock = clock;
  }

  /** Marks a new file for the starter catalogue. If filling it is interrupted, the next start continues. */
  async request(options: { samples?: boolean } = {}): Promise<void> {
    const { requestStarter } = await import('../ingest/starter.ts');
    requestStarter(this.#sqlite, options);
  }

  /** Whether the file is still to be filled. */
  get isPending(): boolean {
    return readSetting(this.#sqlite, 'starter') === 'wanted';
  }

  /** Fills the file with the starter catalogue. */
  async import(): Promise<void> {
    const { importStarter } = await import('../ingest/starter.ts');
    await importStarter(this.#sqlite, this.#clock.now());
  }

  /** Counts the sample events of the starter catalogue in the file. */
  countSampleEvents(): number {
    return countSampleEvents(this.#sqlite);
  }
}
