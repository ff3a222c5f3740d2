/** What the commands about matching share: how a record and why two are one is shown to people. */
import type { Corrected, ShownPair, ShownRecord } from '../app.ts';

/** What a record may be called on the command line. */
export const recordHelp = "an id (evt_…), kind/slug, or the address of a record's page";

export const nameOf = ({ name, kind, slug, id }: ShownRecord): string => `${name} (${kind}/${slug}, ${id})`;

/** A judgement in lines: outcome, score and rule, then every reason with its weight. */
export function describePair({ a, b, outcome, score, rule, reasons, decision }: ShownPair): string {
  const sides = [a, b].map(({ source, external_id }) =>
    source === '' ? external_id : `${source}:${external_id}`,
  );
  const decided = decision === null ? '' : `, decided: ${decision}`;
  const weights = reasons.map(({ weight, text }) => `    ${weight > 0 ? '+' : ''}${weight}  ${text}`);
  return [`  ${sides.join('  ~  ')}: ${outcome}, ${score} (${rule}${decided})`, ...weights].join('\n');
}

export const describeCorrected = (what: string, { record, revision }: Corrected): string =>
  `${what}: ${nameOf(record)}; revision ${revision}`;
