/**
 * Withdraws records that a source still lists and that its patterns exclude by now, so that a new pattern also holds for
 * what was imported before (docs/guides/source-rules.md#patterns).
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { parseContent } from '../../store/resolution/record-content.ts';
import type { ListedRow, SourceRow } from '../../store/resolution/source-records.ts';
import { removeIfUnlisted } from '../import/missing-events.ts';
import { type WithdrawOptions, withdrawRecord } from '../import/withdraw.ts';
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
      // A rule of an operator is no cancellation: an event that no other source lists is removed.
      await withdrawRecord(session, row, options, 'excluded', () =>
        removeIfUnlisted(session, row.kind, row.record_id, options.source.name, { alsoPast: true }),
      );
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
