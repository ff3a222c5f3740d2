/** What a source that lists everything lists no longer (docs/spec/imports.md#promises, promise 5). */
import type { FeedKind } from '../contract/feed.ts';
import type { Source } from '../store/sources.ts';
import type { Workbench } from './workbench.ts';

export type WithdrawOptions = {
  source: Source;
  /** ms since 1970. */
  now: number;
  /** Even more than half. */
  force: boolean;
  /** Lines that did not say whose they are. */
  unreadable: number;
  /** Begins a batch, unless one is under way, as soon as nobody else holds the lock. */
  opened(): Promise<void>;
  /** Hears what is written now. */
  doing(what: string): void;
  /** Ends the batch if it is due, or at the end. */
  pause(isEnd: boolean): Promise<void>;
  count(kind: FeedKind): void;
};

/** So many are looked up at a time. */
const most = 200;

/** Withdraws what the run did not see; says why not, where more than half would go. */
export async function withdraw(bench: Workbench, options: WithdrawOptions): Promise<string | null> {
  const { sources } = bench;
  const { id: source, runs: run } = options.source;
  const why = refusal(sources.counts(source, run), options);
  if (why !== null) return why;
  for (let some = sources.gone(source, run, most); some.length > 0; some = sources.gone(source, run, most)) {
    for (const { kind, external_id: externalId, record_id: record } of some) {
      await options.opened();
      options.doing(`${kind} ${externalId}, withdrawn`);
      bench.writer.beginLine();
      sources.withdraw({ source, kind, externalId }, options.now, run);
      bench.rebuild(kind, record);
      if (!sources.isListed(record)) bench.writer.noteWithdrawn(kind, record, options.now);
      options.count(kind);
      await options.pause(false);
    }
    await options.pause(true);
  }
  return null;
}

function refusal(
  { listed, gone }: { listed: number; gone: number },
  { unreadable, force }: WithdrawOptions,
): string | null {
  if (force) return null;
  if (gone > 0 && unreadable > 0) {
    return `${unreadable} lines do not say whose they are, and ${gone} records were not listed otherwise: nothing was withdrawn. Mend the feed, or run it again with --force.`;
  }
  if (gone * 2 > listed) {
    return `The feed no longer lists ${gone} of ${listed} records: nothing was withdrawn. Run it again with --force if that is right.`;
  }
  return null;
}
