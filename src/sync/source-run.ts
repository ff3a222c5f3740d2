/** One reading of one source: its adapter with what it is given, and what it said at its end. */
import type { Readable } from 'node:stream';
import { Failure } from '../failure.ts';
import type { GuardedFetch } from '../fetch/fetch.ts';
import type { PageRow } from '../store/schedules.ts';
import type { Incoming } from './lines.ts';
import type { AdapterEnd, SourceType, Subject } from './sources/adapter.ts';
import { adapters } from './sources/adapters.ts';
import { makeOpener, type Validator } from './sources/open.ts';

export type RunOptions = {
  type: string;
  location: string;
  complete: boolean;
  options: Readonly<Record<string, string>>;
  /** ms since 1970. */
  now: number;
  fetch: GuardedFetch;
  /** What the last finished run found where. */
  pages: readonly PageRow[];
  stdin?: Readable;
};

export type SourceRun = {
  /** To be read once. Throws a `Failure` where the source cannot be read. */
  records(): AsyncGenerator<Incoming>;
  /** How it ended; null before that. */
  readonly end: AdapterEnd | null;
  /** What was found where, for the next run: of pages that did not change, as it was. */
  pages(): PageRow[];
};

export function openRun(options: RunOptions): SourceRun {
  const { type, location, complete, now, fetch, stdin } = options;
  const memory = new Memory(options.pages);
  const rejected: Incoming[] = [];
  let end: AdapterEnd | null = null;
  const context = {
    location,
    ...makeOpener({ location, fetch, validators: memory, ...(stdin ? { stdin } : {}) }),
    now,
    complete,
    options: options.options,
    reject: (where: string, reason: string, subject: Subject | null = null) => {
      rejected.push({ rejected: { where, reason, subject } });
    },
  };
  async function* records(): AsyncGenerator<Incoming> {
    const adapter = adapters[type as SourceType];
    if (adapter === undefined) throw new Failure(`This version reads no sources of type ${type}.`);
    const reading = adapter.read(context);
    for (;;) {
      const next = await reading.next();
      yield* rejected.splice(0);
      if (next.done) {
        end = next.value ?? { ended: 'whole' };
        return;
      }
      yield { record: next.value };
    }
  }
  return {
    records,
    get end() {
      return end;
    },
    pages: () => memory.rows(),
  };
}

/** Validators of the last run, and those of this one. */
class Memory {
  readonly #before: ReadonlyMap<string, Validator>;
  readonly #now = new Map<string, Validator>();

  constructor(pages: readonly PageRow[]) {
    this.#before = new Map(
      pages.map(({ page, etag, last_modified }) => [page, { etag, lastModified: last_modified }]),
    );
  }

  get(key: string): Validator | null {
    const known = this.#before.get(key) ?? null;
    // Asked for again, and so still a page of the source: what changed is put afterwards.
    if (known !== null) this.#now.set(key, known);
    return known;
  }

  put(key: string, validator: Validator): void {
    if (validator.etag !== null || validator.lastModified !== null) this.#now.set(key, validator);
    else this.#now.delete(key);
  }

  rows(): PageRow[] {
    return [...this.#now].map(([page, { etag, lastModified }]) => ({
      page,
      etag,
      last_modified: lastModified,
    }));
  }
}
