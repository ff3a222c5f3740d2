/** Source records in lists: those of a preview, and those that are held. */
import type { VNode } from 'preact';
import type { Listing } from './types.ts';

/** The start and the place of a record: `2027-12-03 23:00 · Kornspeicher · Hamburg`. */
export const listingText = ({ start_at, venue, city }: Listing): string =>
  [start_at?.slice(0, 16).replace('T', ' ') ?? null, venue, city].filter((part) => part !== null).join(' · ');

/** A list of records; a record may have the reason why it is left out. */
export function Listings({ records }: { records: readonly (Listing & { reason?: string | null })[] }): VNode {
  return (
    <ul class="rows">
      {records.map((record) => (
        <li key={record.kind + record.external_id}>
          <div class="what">
            <strong>
              <bdi>{record.name}</bdi>
            </strong>
            <div class="small soft">
              <bdi>{listingText(record)}</bdi>
            </div>
            {record.reason != null && (
              <div class="small">
                <bdi>{record.reason}</bdi>
              </div>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}
