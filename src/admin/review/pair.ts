/** A doubtful pair as the action `review.next` returns it, and its rows on the page. */

import type { MergeForecast, ReviewSide } from '../../contract/console-results.ts';
import type { Messages } from '../../pages/messages/messages.ts';
import { formatLocalTime } from '../format.ts';

export type ReviewItem = {
  pair: string;
  kind: string;
  score: number;
  reasons: { evidence: string; weight: number; text: string }[];
  a: ReviewSide;
  b: ReviewSide;
  merge: MergeForecast;
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
type RowName = keyof Messages['consoleReview']['rows'];
type Row = readonly [
  name: RowName,
  isList: boolean,
  read: (side: ReviewSide, messages: Messages) => string[],
];
const rows: readonly Row[] = [
  ['name', false, (side) => [side.name]],
  ['starts', false, (side, messages) => single(side.start_at && formatLocalTime(messages, side.start_at))],
  ['ends', false, (side, messages) => single(side.end_at && formatLocalTime(messages, side.end_at))],
  [
    'status',
    false,
    (side, messages) =>
      single(side.status && (messages.consoleEdit.form.choices[side.status] ?? side.status)),
  ],
  ['venue', false, (side) => single(side.venue)],
  ['city', false, (side) => single(side.city)],
  ['country', false, (side) => single(side.country)],
  ['lineup', true, (side) => side.lineup],
  ['genres', false, (side) => side.genres],
  ['aliases', true, (side) => side.aliases],
  ['links', true, (side) => side.links],
  ['ids', true, (side) => side.external_ids],
  [
    'has',
    false,
    (side, { consoleReview }) =>
      Object.entries(side.counts).map(([what, count]) => consoleReview.count(what, count)),
  ],
  ['sources', true, (side, messages) => side.sources.map((source) => sourceText(source, messages))],
];
/** Sources always differ; that says nothing. */
const neutral = new Set<RowName>(['sources', 'has']);

/** Returns the rows that at least one side has a value for. */
export function comparedRows({ a, b }: ReviewItem, messages: Messages): ComparedRow[] {
  const texts = messages.consoleReview;
  const limit = (entries: string[]): string[] =>
    entries.length <= maxEntries
      ? entries
      : [...entries.slice(0, maxEntries), texts.more(entries.length - maxEntries)];
  return rows.flatMap(([name, isList, read]) => {
    const [one, other] = [read(a, messages), read(b, messages)];
    if (one.length === 0 && other.length === 0) return [];
    const differs =
      !neutral.has(name) && one.length > 0 && other.length > 0 && one.join('\n') !== other.join('\n');
    return [{ label: texts.rows[name], isList, a: limit(one), b: limit(other), differs }];
  });
}

const sourceText = (
  { source, external_id, withdrawn }: ReviewSide['sources'][number],
  { consoleReview }: Messages,
): string => `${source}: ${external_id}${withdrawn ? ` (${consoleReview.unlisted})` : ''}`;
