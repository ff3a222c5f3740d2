/** Source records in lists: those of a preview, and those that are held. */
import type { VNode } from 'preact';
import type { ListingSummary } from '../../contract/source-summaries.ts';
import { type Messages, useMessages } from '../../pages/messages/messages.ts';
import { BoldName } from '../../pages/parts.tsx';
import { formatDay, formatLocalTime } from '../format.ts';

/** The start and the place of a record: `3 Dec 2027, 23:00 · Kornspeicher · Hamburg`. A festival edition has its last day too. */
export const listingText = (
  messages: Messages,
  { kind, start_at, end_at, venue, city }: ListingSummary,
): string =>
  [
    kind === 'edition'
      ? daysOf(messages, start_at, end_at)
      : start_at && formatLocalTime(messages, start_at.slice(0, 16)),
    venue,
    city,
  ]
    .filter((part) => part !== null)
    .join(' · ');

/** The first and the last day: `16 Jul 2027 – 18 Jul 2027`. */
const daysOf = (messages: Messages, start: string | null, end: string | null): string | null => {
  const [first, last] = [start && formatDay(messages, start), end && formatDay(messages, end)];
  return first === null || last === null || first === last ? (first ?? last) : `${first} – ${last}`;
};

/** What a festival edition has: its acts and timed sets. */
const sizeOf = ({ acts, sets }: ListingSummary, counts: Messages['consoleSources']['counts']): string[] => [
  ...(acts === null ? [] : [counts.acts(acts)]),
  ...(sets === null || sets === 0 ? [] : [counts.sets(sets)]),
];

/** Records that a list of a preview shows. */
const maxShown = 10;

type ListingsProps = {
  /** The first records; `rule` is why a record is left out. */
  records: readonly (ListingSummary & { rule?: string | null })[];
  /** All records, of which `records` are the first. */
  count: number;
};

/** The first records of a list, and how many of all they are. */
export function Listings({ records, count }: ListingsProps): VNode {
  const messages = useMessages();
  const { rules, counts, kindCount } = messages.consoleSources;
  const first = records.slice(0, maxShown);
  return (
    <>
      <ul class="rows">
        {first.map((record) => (
          <li key={record.kind + record.external_id}>
            <div class="what">
              <BoldName>{record.name}</BoldName>
              <div class="small soft">
                <bdi>{listingText(messages, record)}</bdi>
                {record.kind === 'edition' && (
                  <> · {[kindCount('edition', 1), ...sizeOf(record, counts)].join(', ')}</>
                )}
              </div>
              {record.rule != null && <div class="small">{rules.reasons[record.rule] ?? record.rule}</div>}
            </div>
          </li>
        ))}
      </ul>
      {count > first.length && <p class="small soft">{counts.shown(first.length, count)}</p>}
    </>
  );
}
