/** Parses headings of a line-up, such as stages, and splits lines at them. */
import * as words from '../patterns.ts';

const stageHeading = words.wholePattern(words.stageHeading);
const heading = words.wholePattern(words.headingWords);
const supportHeading = words.wholePattern(words.supportWords);
/** Maximum length of a line that is a heading alone. */
const maxHeadingLength = 80;

/** Whether the text before a colon names a stage. */
export const isStageHeading = (head: string): boolean => stageHeading.test(head);
/** Whether the text before a colon is a heading of a line-up that is not a stage. */
export const isHeading = (head: string): boolean => heading.test(head);

const stageSign = /[:;|/[]/;

/** Splits a line with several stages: "Main Room: A, B; Panorama Bar: C", "[Main Floor] A, B [Bar] C". */
export function splitByStage(line: string): string[] {
  // Most entries of line-ups are names, without a sign that ends a heading or stands between stages.
  if (!stageSign.test(line)) return [line];
  const chunks = line.split(
    /\s*(?:[;|/•,.]|\s[–-]\s)\s*(?=[^:;|/•,.]{2,40}:\s)|\s(?=(?:(?:floor|room|stage|saal|sala) ?\S{1,4}|live|djs?|vjs?|mcs?|hosts?|supports?|special guests?)\s?:\s)/iu,
  );
  const byHead: string[] = [];
  // "A, Project: B" has no heading: the text before a colon must be a stage or a billing.
  for (const chunk of chunks) {
    const head = headingBeforeColon(chunk);
    if (byHead.length === 0 || (head !== null && isAnyHeading(head))) byHead.push(chunk);
    else byHead.push(`${byHead.pop()}, ${chunk}`);
  }
  const heads = byHead.map(headingBeforeColon);
  if (byHead.length > 1 && heads.some((head) => head !== null && isStageHeading(head))) return byHead;
  if (byHead.length > 1 && heads.every((head) => head !== null && isAnyHeading(head))) return byHead;
  const dashed = line.split(/\s*[;|/]\s*/u);
  if (dashed.length > 1 && dashed.every(hasDashedStage)) return dashed;
  const every = line.split(/\s*[;|/]\s*(?=[^:;|/]{2,40}:\s)/u);
  if (every.length > 1 && every.every((chunk) => headingBeforeColon(chunk) !== null)) return every;
  const bracketed = line.split(/\s*(?=\[[^\]]{2,40}\])/u);
  const names = bracketed.map((chunk) => /^\[([^\]]{2,40})\]/u.exec(chunk)?.[1]);
  if (names.length > 1 && names.every((head) => head !== undefined && isStageHeading(head))) return bracketed;
  return [line];
}

const isAnyHeading = (head: string): boolean =>
  isStageHeading(head) || heading.test(head) || supportHeading.test(head);
const hasDashedStage = (chunk: string): boolean =>
  isStrictStageName(/^(.{2,40}?)\s+[–-]\s/u.exec(chunk)?.[1] ?? '');
const headingBeforeColon = (chunk: string): string | null =>
  /^([^:]{2,40}):\s/u.exec(chunk)?.[1]?.trim() ?? null;

/** Splits a line into its heading, or null, and the rest. */
export function parseHeading(line: string, hasSeveralLines: boolean): { head: string | null; rest: string } {
  const [, inBrackets, behind = ''] = /^\[([^\]]{2,40})\]\s*:?\s*(.*)$/u.exec(line) ?? [];
  if (inBrackets !== undefined && isStageHeading(inBrackets)) return { head: inBrackets, rest: behind };
  const [, beforeColon, afterColon = ''] =
    /^([^:,]{2,40}):(?:\s+(.*)|)$/u.exec(line.replace(/^[@–\-•*#=~\s]+/u, '')) ?? [];
  if (beforeColon !== undefined) {
    const head = beforeColon.replace(/[\s–\-•*#=~]+$/u, '');
    const rest = afterColon.trim();
    if (
      isStageHeading(head) ||
      heading.test(head) ||
      supportHeading.test(head) ||
      rest === '' ||
      hasSeveralLines
    )
      return { head, rest };
  }
  const dashed = /^(.{2,40}?)\s+[–-]\s+(?=\S)(.+)$/u.exec(line);
  const [, beforeDash, behindDash = ''] = dashed ?? [];
  if (beforeDash !== undefined && isStrictStageName(beforeDash))
    return { head: beforeDash, rest: behindDash };
  if (line.length > maxHeadingLength) return { head: null, rest: line };
  const alone = /^[@–\-•*#=~\s]*(.{2,40}?)[–\-•*#=~\s]*$/u.exec(line);
  const [, stage] = alone ?? [];
  if (stage !== undefined && hasSeveralLines && isStrictStageName(stage)) return { head: stage, rest: '' };
  return { head: null, rest: line };
}

/** A heading without a colon must be certainly a stage: "Room 2", "Main Floor". */
const strictStageName = words.wholePattern(
  "(?:main|second|small|big|upper|lower|blue|red|black|white|green|techno|house|disco|drum ?& ?bass|trance|outdoor|indoor|ground|1st|2nd|open[- ]air|dark)[ -](?:room|floor|stage|hall|area|bar|tent|terrace|garden)|(?:room|floor|stage|area|hall|halle|saal|sala|salle|zaal|level|ebene|palco|pista|piso|scène|bühne|podium) ?#?(?:[0-9]{1,2}|i{1,3}|one|two|three|a|b|c)|mainroom|mainfloor|mainstage|panorama bar|[\\p{L}']+ (?:stage|floor)",
);
const isStrictStageName = (head: string): boolean => strictStageName.test(head.trim());
