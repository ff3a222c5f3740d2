/** Texts of a doubtful pair: both records side by side, the evidence, and what a merge would give. */
import type { ReviewItem, ReviewSide } from '../../contract/review-items.ts';
import { plural } from '../../plural.ts';
import { formatWeight } from './matching.ts';
import { bold, type Cell, formatTable, stripUnsafeCharacters } from './terminal.ts';

/** Reasons per pair, those with the largest weight first. */
const maxReasons = 6;
const maxListEntries = 8;

/** Returns the rows of the comparison: label, value of each side. Rows without a value are left out. */
export function comparisonRows({
  a,
  b,
}: ReviewItem): { label: string; a: string; b: string; differs: boolean }[] {
  const rows: [string, (side: ReviewSide) => string][] = [
    ['name', (side) => side.name],
    ['starts', (side) => side.start_at?.slice(0, 16).replace('T', ' ') ?? ''],
    ['ends', (side) => side.end_at?.slice(0, 16).replace('T', ' ') ?? ''],
    ['status', (side) => side.status ?? ''],
    ['venue', (side) => side.venue ?? ''],
    ['city', (side) => side.city ?? ''],
    ['country', (side) => side.country ?? ''],
    ['line-up', (side) => listText(side.lineup)],
    ['genres', (side) => listText(side.genres)],
    ['also known as', (side) => listText(side.aliases)],
    ['links', (side) => listText(side.links)],
    ['ids', (side) => listText(side.external_ids)],
    ['has', (side) => countsText(side)],
    ['sources', (side) => listText(side.sources.map(sourceText))],
  ];
  return rows.flatMap(([label, textOf]) => {
    const [one, other] = [textOf(a), textOf(b)];
    const differs = one !== other && one !== '' && other !== '' && label !== 'sources';
    return one === '' && other === '' ? [] : [{ label, a: one, b: other, differs }];
  });
}

/** Returns a pair as text. */
export function formatPair(item: ReviewItem): string {
  const { pair, kind, score, rule, reasons, merge } = item;
  const table = formatTable(
    ['', '', 'A', 'B'],
    comparisonRows(item).map(({ label, a, b, differs }): Cell[] => [
      differs ? '≠' : '',
      label,
      a || null,
      b || null,
    ]),
  );
  const evidence = reasons
    .slice(0, maxReasons)
    .map(({ weight, text }) => `  ${formatWeight(weight)}  ${text}`);
  const rest = reasons.length - evidence.length;
  return [
    `${bold(`${kind}, score ${score} (${rule})`)}  ${pair}`,
    table,
    ...evidence.map(stripUnsafeCharacters),
    ...(rest > 0 ? [`           and ${plural(rest, 'minor reason')}`] : []),
    stripUnsafeCharacters(forecastText(merge)),
  ].join('\n');
}

/** Returns one sentence on what a merge gives. */
export function forecastText({ stays, merged, name, name_from, conflicts }: ReviewItem['merge']): string {
  const origin = name_from === null ? '' : `, from ${name_from}`;
  const warning = conflicts.map(({ what, stays: one, merged: other }) => `${what} ${one} and ${other}`);
  return [
    `If they are the same: ${stays.kind}/${stays.slug} stays, ${merged.kind}/${merged.slug} leads to it. Its name is ${JSON.stringify(name)}${origin}.`,
    ...(warning.length > 0 ? [`They differ: ${warning.join('; ')}.`] : []),
  ].join(' ');
}

function listText(entries: readonly string[]): string {
  const rest = entries.length - maxListEntries;
  return entries.slice(0, maxListEntries).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

const countsText = ({ counts }: ReviewSide): string =>
  Object.entries(counts)
    .map(([what, count]) => plural(count, what.slice(0, -1)))
    .join(', ');

const sourceText = ({ source, external_id, withdrawn }: ReviewSide['sources'][number]): string =>
  `${source}:${external_id}${withdrawn ? ' (withdrawn)' : ''}`;
