/** The page budget: a page has at most 50 KB, so long lists are cut by their size in bytes, not only by their count. */

/** Maximum size of a page's long lists together, in bytes; the rest of the 50 KB is for everything else. */
export const pageBudgetBytes = 44_000;

type LinkedName = { slug: string; name: string };

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
  event: ({ name, lineup }: { name: string; lineup: readonly LinkedName[] }): number =>
    470 +
    Buffer.byteLength(name) +
    lineup.slice(0, 5).reduce((sum, act) => sum + Buffer.byteLength(act.name), 0),
};

/** Returns how many of the first items fit into `room` bytes. */
export function countFitting<T>(items: readonly T[], weigh: (item: T) => number, budget: number): number {
  let left = budget;
  const over = items.findIndex((item) => {
    left -= weigh(item);
    return left < 0;
  });
  return over < 0 ? items.length : over;
}

/** Returns the total size of all items, in bytes. */
export const totalBytes = <T>(items: readonly T[], weigh: (item: T) => number): number =>
  items.reduce((sum, item) => sum + weigh(item), 0);
