/** Shared texts of the commands about matching: labels of records, and comparisons with their reasons. */
import type { ComparedPair, CorrectionResult } from '../../app.ts';
import type { RecordSummary } from '../../contract/review-items.ts';
import { plural } from '../../plural.ts';
import { note } from './terminal.ts';

/** Prints which process a change waits for. */
export const noteWaiting = (what: string): void => note(`waiting for ${what} to finish …`);

/** Help text of an argument that names a record. */
export const recordHelp = "an id (evt_…), kind/slug, or the address of a record's page";

/** Returns a record as `NAME (KIND/SLUG, ID)`. The name is as it is stored, with any characters. */
export const recordLabel = ({ name, kind, slug, id }: RecordSummary): string =>
  `${name} (${kind}/${slug}, ${id})`;

/** Returns `source:external_id`; the slug of a record without source records. */
export const sourceRecordLabel = ({
  source,
  external_id,
}: {
  source: string;
  external_id: string;
}): string => (source === '' ? external_id : `${source}:${external_id}`);

/** Reasons per comparison, those with the largest weight first. */
const maxReasons = 8;

/** Returns a comparison as lines: outcome, score and rule, then the reasons with their weights. */
export function describePair(pair: ComparedPair, indent: string): string[] {
  const { a, b, reasons } = pair;
  const sides = [sourceRecordLabel(a), sourceRecordLabel(b)];
  const byWeight = reasons.toSorted((one, two) => Math.abs(two.weight) - Math.abs(one.weight));
  const lines = byWeight
    .slice(0, maxReasons)
    .map(({ weight, text }) => `${indent}  ${formatWeight(weight)}  ${text}`);
  const rest = byWeight.length - lines.length;
  if (rest > 0) lines.push(`${indent}         and ${plural(rest, 'minor reason')}`);
  return [...wrapParts(sides, ' ~ ', indent), `${indent}  ${decisionText(pair)}`, ...lines];
}

/** Returns the outcome of matching, and the decision of an operator if there is one. */
function decisionText({ outcome, score, rule, decision }: ComparedPair): string {
  const result = `${outcome}, score ${score} (${rule})`;
  if (decision === null) return result;
  return `${decision} by your decision; matching says ${result}`;
}

/** Returns the weight of a reason with its sign and two decimals, in seven columns. */
export const formatWeight = (weight: number): string =>
  `${weight > 0 ? '+' : ''}${(Math.round(weight * 100) / 100).toFixed(2)}`.padStart(7);

const maxLineWidth = 80;

/** Joins parts on one line if they fit, otherwise puts each on its own line. */
export function wrapParts(parts: readonly string[], between: string, indent: string): string[] {
  const line = indent + parts.join(between);
  if (line.length <= maxLineWidth) return [line];
  return parts.map((part, at) => (at === 0 ? indent : `${indent}${between.trimStart()}`) + part);
}

/** Returns the record of a correction and the revision of the catalogue, after `what`. */
export const describeCorrected = (what: string, { record, revision }: CorrectionResult): string =>
  `${what}: ${recordLabel(record)}; revision ${revision}`;
