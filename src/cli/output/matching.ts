/** What the commands about matching share: how a record and why two are one is shown to people. */
import type { ComparedPair, CorrectionResult, RecordSummary } from '../../app.ts';
import { note, plural, stripUnsafeCharacters } from './terminal.ts';

/** Says for whom a change waits. */
export const noteWaiting = (what: string): void =>
  note(`waiting for ${stripUnsafeCharacters(what)} to finish …`);

/** What a record may be called on the command line. */
export const recordHelp = "an id (evt_…), kind/slug, or the address of a record's page";

export const recordLabel = ({ name, kind, slug, id }: RecordSummary): string =>
  `${name} (${kind}/${slug}, ${id})`;

/** What a source calls a record; what is known by name alone goes by its slug. */
export const sourceRecordLabel = ({
  source,
  external_id,
}: {
  source: string;
  external_id: string;
}): string => (source === '' ? external_id : `${source}:${external_id}`);

/** So many reasons are told, the weightiest. */
const maxReasons = 8;

/** A judgement in lines: outcome, score and rule, then the reasons with their weights. */
export function describePair(pair: ComparedPair, indent: string): string[] {
  const { a, b, reasons } = pair;
  const sides = [sourceRecordLabel(a), sourceRecordLabel(b)];
  const told = reasons.toSorted((one, two) => Math.abs(two.weight) - Math.abs(one.weight));
  const lines = told
    .slice(0, maxReasons)
    .map(({ weight, text }) => `${indent}  ${formatWeight(weight)}  ${text}`);
  const rest = told.length - lines.length;
  if (rest > 0) lines.push(`${indent}         and ${plural(rest, 'minor reason')}`);
  return [...wrapParts(sides, ' ~ ', indent), `${indent}  ${decisionText(pair)}`, ...lines];
}

/** What was decided of the two, and what of it an operator did. */
function decisionText({ outcome, score, rule, decision }: ComparedPair): string {
  const judged = `${outcome}, score ${score} (${rule})`;
  if (decision === null) return judged;
  return `${decision} by your decision; matching says ${judged}`;
}

const formatWeight = (weight: number): string =>
  `${weight > 0 ? '+' : ''}${(Math.round(weight * 100) / 100).toFixed(2)}`.padStart(7);

const maxLineWidth = 80;

/** Parts on one line where they fit, else each on its own. */
export function wrapParts(parts: readonly string[], between: string, indent: string): string[] {
  const line = indent + parts.join(between);
  if (line.length <= maxLineWidth) return [line];
  return parts.map((part, at) => (at === 0 ? indent : `${indent}${between.trimStart()}`) + part);
}

export const describeCorrected = (what: string, { record, revision }: CorrectionResult): string =>
  `${what}: ${recordLabel(record)}; revision ${revision}`;
