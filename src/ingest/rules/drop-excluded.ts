/**
 * Withdraws records that a source still lists and that its patterns exclude by now, so that a new pattern also holds for
 * what was imported before (docs/guides/source-rules.md#patterns).
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { parseContent } from '../../store/resolution/record-content.ts';
import type { ListedRow, SourceRow } from '../../store/resolution/source-records.ts';
import { removeIfUnlisted } from '../import/missing-events.ts';
import type { WithdrawOptions } from '../import/withdraw.ts';
import type { WriteSession } from '../write-session.ts';
import type { RuleFilter } from './rule-filter.ts';

/** Records per look-up. */
const pageSize = 200;

export type DropOptions = Omit<WithdrawOptions, 'force' | 'onMissing' | 'unreadableLines'>;

/** Withdraws the excluded records. Returns their number. */
export async function dropExcluded(
  session: WriteSession,
  rules: RuleFilter,
  options: DropOptions,
): Promise<number> {
  if (!rules.hasPatterns) return 0;
  let count = 0;
  for await (const rows of listedPages(session, options.source)) {
    for (const row of rows) {
      if (rules.judgeByPattern(toRuledRecord(row)) === null) continue;
      await drop(session, row, options);
      count++;
    }
    await options.endBatchIfDue(true);
  }
  return count;
}

/** Yields the records that a source lists, in pages, and lets others work between two pages. */
export async function* listedPages(
  session: Pick<WriteSession, 'sources'>,
  source: Pick<SourceRow, 'id'>,
): AsyncGenerator<ListedRow[]> {
  for (let last = { kind: '', external_id: '' }; ; ) {
    const rows = session.sources.pageOfListed(source.id, last, pageSize);
    const end = rows.at(-1);
    if (end === undefined) return;
    yield rows;
    last = end;
    await nextTurn();
  }
}

/** A stored source record as the rules see it. */
export const toRuledRecord = ({ kind, external_id, content }: ListedRow) => ({
  kind,
  externalId: external_id,
  statement: parseContent(content),
});

async function drop(
  session: WriteSession,
  { kind, external_id: externalId, record_id: record }: ListedRow,
  { source, now, ...options }: DropOptions,
): Promise<void> {
  await options.beginWhenFree();
  options.noteWrite(`${kind} ${externalId}, excluded`);
  session.writer.beginSavepoint();
  session.sources.withdraw({ source: source.id, kind, externalId }, now, source.run_count);
  // A rule of an operator is no cancellation: an event that no other source lists is removed.
  if (!removeIfUnlisted(session, kind, record, source.name, { alsoPast: true })) {
    session.rebuild(kind, record);
    if (!session.sources.isListed(record) && !session.lookup.removed.has(record))
      session.writer.recordWithdrawal(kind, record, now);
  }
  options.count(kind);
  await options.endBatchIfDue(false);
}
