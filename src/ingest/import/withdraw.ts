/** Withdraws records that a complete source no longer lists (docs/spec/imports.md#promises, promise 5). */
import type { FeedKind } from '../../contract/feed.ts';
import { plural } from '../../plural.ts';
import type { SourceRow, UnseenRow } from '../../store/resolution/source-records.ts';
import type { WriteSession } from '../write-session.ts';
import { type MissingRule, missingRuleOf, removeAfterMs, removeIfUnlisted } from './missing-events.ts';

export type WithdrawOptions = {
  source: SourceRow;
  /** ms since 1970. */
  now: number;
  /** Withdraw even if more than half would go. */
  force: boolean;
  /** Overrides the rule of the source. */
  onMissing: MissingRule | undefined;
  /** Lines whose record key could not be read. */
  unreadableLines: number;
  /** Begins a batch as soon as the lock is free, unless one is open. */
  beginWhenFree(): Promise<void>;
  /** Receives what is written next, for the lock report. */
  noteWrite(what: string): void;
  endBatchIfDue(isEnd: boolean): Promise<void>;
  count(kind: FeedKind): void;
};

/** Records per look-up. */
const pageSize = 200;

/** Withdraws the records that the run did not see. Returns the reason if it refused because more than half would go. */
export async function withdraw(session: WriteSession, options: WithdrawOptions): Promise<string | null> {
  const { sources } = session;
  const { id: source, run_count: run } = options.source;
  const graceMs = removeAfterMs(options.onMissing ?? missingRuleOf(sources.store.rulesOf(source)));
  const why = refusalReason(sources.countListed(source, run), options);
  if (why !== null) return why;
  let after = { kind: '', external_id: '' };
  const nextPage = () => sources.findUnseen(source, run, { after, limit: pageSize });
  for (let rows = nextPage(); rows.length > 0; rows = nextPage()) {
    after = rows.at(-1) ?? after;
    for (const row of rows)
      await withdrawRecord(session, row, options, 'withdrawn', () =>
        graceMs === 0 ? removeIfUnlisted(session, row.kind, row.record_id, options.source.name) : false,
      );
    await options.endBatchIfDue(true);
  }
  if (graceMs !== null) await removeOverdue(session, options, graceMs);
  return null;
}

/**
 * Withdraws one record of a source.
 * @param remove removes a record that no source lists any more; false if it stays
 */
export async function withdrawRecord(
  session: WriteSession,
  { kind, external_id: externalId, record_id: record }: UnseenRow,
  { source, now, ...options }: Omit<WithdrawOptions, 'force' | 'onMissing' | 'unreadableLines'>,
  what: string,
  remove: () => boolean,
): Promise<void> {
  await options.beginWhenFree();
  options.noteWrite(`${kind} ${externalId}, ${what}`);
  session.writer.beginSavepoint();
  session.sources.withdraw({ source: source.id, kind, externalId }, now, source.run_count);
  if (!remove()) {
    session.rebuild(kind, record);
    if (!session.sources.isListed(record) && !session.lookup.removed.has(record))
      session.writer.recordWithdrawal(kind, record, now);
  }
  options.count(kind);
  await options.endBatchIfDue(false);
}

/** Removes the upcoming events that the source has not listed for the time that its rule grants them. */
async function removeOverdue(
  session: WriteSession,
  { source, now, ...options }: WithdrawOptions,
  graceMs: number,
): Promise<void> {
  for (const { kind, record_id: record } of session.sources.findOverdue(source.id, now - graceMs, now)) {
    await options.beginWhenFree();
    options.noteWrite(`${kind} ${record}, removed`);
    session.writer.beginSavepoint();
    removeIfUnlisted(session, kind, record, source.name);
    await options.endBatchIfDue(false);
  }
  await options.endBatchIfDue(true);
}

function refusalReason(
  { listed, gone }: { listed: number; gone: number },
  { unreadableLines: unreadable, force }: WithdrawOptions,
): string | null {
  if (force) return null;
  if (gone > 0 && unreadable > 0) {
    return `${plural(unreadable, 'line')} ${unreadable === 1 ? 'has' : 'have'} no readable key, and ${plural(gone, 'record')} ${gone === 1 ? 'was' : 'were'} not listed otherwise: nothing was withdrawn. Fix the feed, or run it again with --force.`;
  }
  if (gone * 2 > listed) {
    return `The feed no longer lists ${gone.toLocaleString('en')} of ${plural(listed, 'record')}: nothing was withdrawn. Run it again with --force if that is right.`;
  }
  return null;
}
