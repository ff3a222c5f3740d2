/** A doubtful pair as the action `review.next` returns it, and its rows on the page. */

type Named = { id: string; kind: string; slug: string; name: string };
export type ReviewSide = Named & {
  start_at: string | null;
  end_at: string | null;
  status: string | null;
  venue: string | null;
  city: string | null;
  country: string | null;
  lineup: string[];
  genres: string[];
  aliases: string[];
  links: string[];
  external_ids: string[];
  counts: Record<string, number>;
  sources: {
    source: string;
    external_id: string;
    name: string | null;
    url: string | null;
    withdrawn: boolean;
  }[];
};
export type ReviewItem = {
  pair: string;
  kind: string;
  score: number;
  reasons: { evidence: string; weight: number; text: string }[];
  a: ReviewSide;
  b: ReviewSide;
  merge: {
    stays: Named;
    merged: Named;
    name: string;
    name_from: string | null;
    conflicts: { what: string; stays: string; merged: string }[];
  };
};
export type ReviewPage = {
  data: ReviewItem[];
  total: number;
  counts: { total: number; upcoming: number; kinds: Record<string, number> };
};

/** One row of the comparison. `differs`: both sides have a value, and the values are not the same. */
export type ComparedRow = { label: string; a: string[]; b: string[]; isList: boolean; differs: boolean };

const maxEntries = 12;

const single = (value: string | null): string[] => (value === null ? [] : [value]);
const rows: readonly (readonly [label: string, isList: boolean, read: (side: ReviewSide) => string[]])[] = [
  ['Name', false, (side) => [side.name]],
  ['Starts', false, (side) => single(side.start_at && formatTime(side.start_at))],
  ['Ends', false, (side) => single(side.end_at && formatTime(side.end_at))],
  ['Status', false, (side) => single(side.status)],
  ['Venue', false, (side) => single(side.venue)],
  ['City', false, (side) => single(side.city)],
  ['Country', false, (side) => single(side.country)],
  ['Line-up', true, (side) => side.lineup],
  ['Genres', false, (side) => side.genres],
  ['Also known as', true, (side) => side.aliases],
  ['Links', true, (side) => side.links],
  ['Ids elsewhere', true, (side) => side.external_ids],
  [
    'Has',
    false,
    (side) => Object.entries(side.counts).map(([what, count]) => `${count.toLocaleString('en')} ${what}`),
  ],
  ['Sources', true, (side) => side.sources.map(sourceText)],
];
/** Sources always differ; that says nothing. */
const neutral = new Set(['Sources', 'Has']);

/** Returns the rows that at least one side has a value for. */
export function comparedRows({ a, b }: ReviewItem): ComparedRow[] {
  return rows.flatMap(([label, isList, read]) => {
    const [one, other] = [read(a), read(b)];
    if (one.length === 0 && other.length === 0) return [];
    const differs =
      !neutral.has(label) && one.length > 0 && other.length > 0 && one.join('\n') !== other.join('\n');
    return [{ label, isList, a: limit(one), b: limit(other), differs }];
  });
}

const limit = (entries: string[]): string[] =>
  entries.length <= maxEntries
    ? entries
    : [...entries.slice(0, maxEntries), `and ${(entries.length - maxEntries).toLocaleString('en')} more`];

const formatTime = (text: string): string => text.slice(0, 16).replace('T', ' ');

const sourceText = ({ source, external_id, withdrawn }: ReviewSide['sources'][number]): string =>
  `${source}: ${external_id}${withdrawn ? ' (no longer listed)' : ''}`;
