/** Pages of a list: its place in the address (`?from=100`), and the links to the pages around it. */
import type { VNode } from 'preact';
import { useMessages } from '../../pages/messages/messages.ts';
import type { StaffRequest } from '../admin-request.ts';
import { withQuery } from '../parts.tsx';

/** Reads the number of entries before those of the page. */
export const readFrom = (text: string | null): number => (/^\d{1,7}$/.test(text ?? '') ? Number(text) : 0);

type PagerProps = {
  visit: StaffRequest;
  path: string;
  query: Readonly<Record<string, string>>;
  from: number;
  /** Entries on this page, on a full page, and of the whole list. */
  shown: number;
  pageSize: number;
  all: number;
};

/** The place of this page in the list, and links to the pages around it; nothing if there is one page. */
export function Pager({ visit, path, query, from, shown, pageSize, all }: PagerProps): VNode | null {
  const { pager } = useMessages().consoleSources;
  const end = from + shown;
  if (shown === 0 || (from === 0 && end >= all)) return null;
  const link = (start: number, text: string) => (
    <a href={visit.path(withQuery(path, { ...query, from: start }))}>{text}</a>
  );
  return (
    <div class="list-end">
      <span class="soft">{pager.range(from + 1, end, all)}</span>
      {from > 0 && link(Math.max(0, from - pageSize), pager.previous(Math.min(from, pageSize)))}
      {end < all && link(end, pager.next(Math.min(all - end, pageSize)))}
    </div>
  );
}
