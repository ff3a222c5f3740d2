/**
 * The page budget: a page and its style sheets have at most 60 KB before compression, so long lists are cut by their size in
 * bytes, not only by their count.
 */
import { siteStylesheet } from '../../pages/site-style.ts';
import { stylesheet } from '../../pages/style.ts';

/** Maximum size of a page with its style sheets, in bytes. */
export const maxPageBytes = 60_000;
/** Size reserved for the head, the header, headings and facts of a page, in bytes. */
const frameBytes = 7_500;

/** Maximum size of a page's long lists together, in bytes. */
export const pageBudgetBytes = maxPageBytes - frameBytes - Buffer.byteLength(stylesheet + siteStylesheet);

type LinkedName = { slug: string; name: string };
export type NameEntry = {
  href: string;
  name: string;
  note?: string | null;
  upcoming?: string | null;
  picture?: string | null;
};

/** Approximate size of one item on a page with its markup, in bytes. */
export const estimatedBytes = {
  /** A name with its link and `around` bytes of markup. */
  act: ({ slug, name }: LinkedName, around = 60): number => around + slug.length + Buffer.byteLength(name),
  row: (act: LinkedName): number => estimatedBytes.act(act, 82),
  /** A longer name takes two lines, and one that is cut has a title. */
  drawn: ({ name }: LinkedName): number => {
    const bytes = Buffer.byteLength(name);
    return 128 + bytes + (name.length > 13 ? 30 : 0) + (name.length > 26 ? 15 + bytes : 0);
  },
  /** Includes the schema.org objects, which have at most 30 performers. */
  performers: (lineup: readonly LinkedName[]): number =>
    totalBytes(lineup.slice(0, 30), (act) => estimatedBytes.act(act, 76)),
  /** Sellers occur twice: in the list and in the schema.org objects. */
  ticket: ({ url, seller }: { url: string; seller: string }): number =>
    400 + 2 * (url.length + seller.length),
  /** An entry of a list of names with its address and its notes. */
  entry: ({ href, name, note, upcoming, picture }: NameEntry): number =>
    62 +
    href.length +
    Buffer.byteLength(name) +
    (note ? 34 + Buffer.byteLength(note) : 0) +
    (upcoming ? 42 + Buffer.byteLength(upcoming) : 0) +
    (picture ? 140 + picture.length : 0),
  event: ({ name, lineup }: { name: string; lineup: readonly { name: string }[] }): number =>
    470 +
    Buffer.byteLength(name) +
    lineup.slice(0, 5).reduce((sum, act) => sum + Buffer.byteLength(act.name), 0),
};

/** Returns how many of the first items fit into `budget` bytes. */
export function countFitting<T>(items: readonly T[], weigh: (item: T) => number, budget: number): number {
  let rest = budget;
  const over = items.findIndex((item) => {
    rest -= weigh(item);
    return rest < 0;
  });
  return over < 0 ? items.length : over;
}

/** Returns the total size of all items, in bytes. */
export const totalBytes = <T>(items: readonly T[], weigh: (item: T) => number): number =>
  items.reduce((sum, item) => sum + weigh(item), 0);

/** Sizes of the lists of events on the page of a record, in bytes, and the fewest events of each. */
export const recordEventsBudget = {
  upcoming: { bytes: 12_000, minimum: 8 },
  past: { bytes: 5_500, minimum: 4 },
} as const;

/** Returns how many of the first events of a list fit into its part of the page. */
export const countEvents = (
  events: readonly Parameters<typeof estimatedBytes.event>[0][],
  { bytes, minimum }: { bytes: number; minimum: number },
): number => Math.max(Math.min(minimum, events.length), countFitting(events, estimatedBytes.event, bytes));
