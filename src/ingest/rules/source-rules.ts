/**
 * The rules of a source: which of its records are imported, which values fill missing fields, and how the source is
 * credited (docs/guides/source-rules.md). Stored as JSON in `sources.rules`.
 */
import { z } from 'zod';
import { feedRecordSchemas } from '../../contract/feed.ts';
import { Failure } from '../../failure.ts';
import { shellQuote } from '../../shell-quote.ts';
import { maxPatternLength, maxPatterns } from './pattern.ts';

const { city, country, timezone, genres } = feedRecordSchemas.event.shape;
const pattern = z
  .string()
  .trim()
  .min(1, 'is empty')
  .max(maxPatternLength, `is longer than ${maxPatternLength} characters`);
const patterns = z.array(pattern).max(maxPatterns, `has more than ${maxPatterns} patterns`);
const httpUrl = z
  .string()
  .max(1_000, 'is longer than 1,000 characters')
  .refine((text) => URL.canParse(text) && /^https?:/i.test(text), 'is not an http or https address');
/** An SPDX licence identifier (https://spdx.org/licenses/), or the address of a licence. */
const license = z.union([z.string().regex(/^[A-Za-z0-9][A-Za-z0-9.+-]{0,99}$/), httpUrl], {
  error: 'is neither an SPDX identifier (such as CC-BY-4.0) nor an http or https address',
});
const line = z
  .string()
  .trim()
  .min(1, 'is empty')
  .max(300, 'is longer than 300 characters')
  .refine((text) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text), 'has more than one line');
const ms = z.int().min(0);

/** What happens to a record that a complete feed no longer lists. */
const onMissing = z.union([z.enum(['cancel', 'remove']), z.object({ removeAfterMs: ms })]);
export type OnMissing = z.infer<typeof onMissing>;

/** Members of the JSON object. A member that is left out has no effect; unknown members are kept. */
const sourceRules = z.looseObject({
  /** Only listings that fit one of these are imported. */
  include: patterns.optional(),
  /** Listings that fit one of these are not imported. */
  exclude: patterns.optional(),
  /** `city` to `genres` fill the missing fields of events, editions and festivals. */
  city: city.unwrap().unwrap().optional(),
  country: country.unwrap().unwrap().optional(),
  timezone: timezone.unwrap().unwrap().optional(),
  genres: genres.unwrap().unwrap().optional(),
  /** New records wait for an editor. */
  hold: z.boolean().optional(),
  license: license.optional(),
  attribution: line.optional(),
  attributionUrl: httpUrl.optional(),
  /** Events that ended longer ago are not imported. */
  maxAgeMs: ms.optional(),
  /** Past events that a complete feed no longer lists stay listed. */
  keepPast: z.boolean().optional(),
  onMissing: onMissing.optional(),
});
export type SourceRules = z.infer<typeof sourceRules>;
/** The names of the known members. */
export const ruleMembers = Object.keys(sourceRules.shape) as (keyof typeof sourceRules.shape)[];
export type RuleMember = (typeof ruleMembers)[number];

/**
 * Parses and validates stored rules.
 * @throws Failure if they are not valid, for example after a manual change of the file
 */
export function parseStoredRules(source: string, text: string): SourceRules {
  const result = sourceRules.safeParse(parseStoredJson(text));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new Failure(
    `The rules of ${source} cannot be read (${describeIssue(issue)}). Run \`cratebase sources set ${shellQuote(source)} --unset all\`, then set them again.`,
  );
}

/** Validates rules that an editor wants to set. Throws a `Failure` (wrong usage) that names the member. */
export function parseEditedRules(rules: Record<string, unknown>): SourceRules {
  const result = sourceRules.safeParse(rules);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const field = issue?.path[0] === 'maxAgeMs' ? 'maxAge' : String(issue?.path[0]);
  throw new Failure(`The rule ${describeIssue(issue)}.`, 2, { field });
}

/** Parses the JSON of stored rules without validating it; null if it is not JSON. */
export function parseStoredJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function describeIssue(issue: { path: PropertyKey[]; message: string } | undefined): string {
  if (issue === undefined) return 'is not valid';
  const [member = '', at] = issue.path;
  return `${String(member)}${typeof at === 'number' ? ` ${at + 1}` : ''} ${issue.message}`;
}
