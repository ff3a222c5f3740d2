/** Source records in lists: those of a preview, and those that are held. */
import type { VNode } from 'preact';
import { useMessages } from '../../pages/messages/messages.ts';
import type { Listing } from './types.ts';

/** The start and the place of a record: `2027-12-03 23:00 · Kornspeicher · Hamburg`. */
export const listingText = ({ start_at, venue, city }: Listing): string =>
  [start_at?.slice(0, 16).replace('T', ' ') ?? null, venue, city].filter((part) => part !== null).join(' · ');

/** Records that a list of a preview shows. */
const maxShown = 10;

type ListingsProps = {
  /** The first records; `rule` is why a record is left out. */
  records: readonly (Listing & { rule?: string | null })[];
  /** All records, of which `records` are the first. */
  count: number;
};

/** The first records of a list, and how many of all they are. */
export function Listings({ records, count }: ListingsProps): VNode {
  const { rules, counts } = useMessages().consoleSources;
  const shown = records.slice(0, maxShown);
  return (
    <>
      <ul class="rows">
        {shown.map((record) => (
          <li key={record.kind + record.external_id}>
            <div class="what">
              <strong>
                <bdi>{record.name}</bdi>
              </strong>
              <div class="small soft">
                <bdi>{listingText(record)}</bdi>
              </div>
              {record.rule != null && <div class="small">{rules.reasons[record.rule] ?? record.rule}</div>}
            </div>
          </li>
        ))}
      </ul>
      {count > shown.length && <p class="small soft">{counts.shown(shown.length, count)}</p>}
    </>
  );
}
