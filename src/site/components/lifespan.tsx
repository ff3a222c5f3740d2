/** Says that a venue or label has closed, or that an artist or festival has ended. */
import type { VNode } from 'preact';
import { hasBegun } from '../../contract/partial-date.ts';
import { type Messages, useMessages } from '../../pages/messages/messages.ts';

type Ending = { closed_at?: string | null | undefined; ended_at?: string | null | undefined };

/** "Closed since March 2016", "Active until 2020"; null without a date. */
export function endingText({ formats, common }: Messages, record: Ending, now: number): string | null {
  const { closed_at: closed, ended_at: ended } = record;
  if (closed != null) {
    const date = formats.partialDate(closed);
    return hasBegun(closed, now) ? common.closedSince(date) : common.openUntil(date);
  }
  return ended == null ? null : common.activeUntil(formats.partialDate(ended));
}

/** The same in one word, for lists: "closed". Empty if it is still open or active. */
export function endedNote({ common }: Messages, record: Ending, now: number): string {
  if (record.closed_at != null) return hasBegun(record.closed_at, now) ? common.closed : '';
  return record.ended_at != null && hasBegun(record.ended_at, now) ? common.ended : '';
}

/** The line below the heading of a record that closed or ended; nothing for others. */
export function EndingLine({ record, now }: { record: Ending; now: number }): VNode | null {
  const text = endingText(useMessages(), record, now);
  return text === null ? null : (
    <p>
      <span class="tag bad">{text}</span>
    </p>
  );
}
