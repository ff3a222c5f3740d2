/** Keeps past events listed that a complete feed no longer lists (docs/guides/source-rules.md#past-events). */
import type { SourceRow } from '../../store/resolution/source-records.ts';
import type { WithdrawOptions } from '../import/withdraw.ts';
import type { WriteSession } from '../write-session.ts';

/** Records per transaction. */
const batchSize = 200;

/** Marks the past events of a source as seen by its current run, so that they are neither withdrawn nor counted. */
export async function keepPastEvents(
  session: WriteSession,
  { id: source, run_count: run }: SourceRow,
  {
    now,
    beginWhenFree,
    noteWrite,
    endBatchIfDue,
  }: Omit<WithdrawOptions, 'source' | 'force' | 'onMissing' | 'unreadableLines'>,
): Promise<void> {
  for (let isMore = true; isMore; ) {
    await beginWhenFree();
    noteWrite('past events, kept');
    isMore = session.sources.markPastSeen(source, { run, now, limit: batchSize }) === batchSize;
    await endBatchIfDue(true);
  }
}
