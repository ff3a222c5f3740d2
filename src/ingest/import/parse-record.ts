/** Parses one line or record of a feed, or reports why it is invalid. */

import type { z } from 'zod';
import {
  type FeedKind,
  type FeedRecordContent,
  feedRecordHead,
  feedRecordSchemas,
  maxEntries,
  tooManyEntries,
} from '../../contract/feed.ts';
import { notJsonReason, type RecordKey } from '../../sources/common/input-items.ts';
import { parseJson } from '../../sources/common/parse-json.ts';
import { validateFast } from './fast-validate.ts';

/** A validated record of a feed. */
export type ParsedRecord = {
  kind: FeedKind;
  externalId: string;
  statement: FeedRecordContent<FeedKind>;
  /** The slug from an export of a catalogue; a new record gets it if it is free. */
  slug: string | null;
  /** The forgotten record that the line is about (`removals/forgetting/scrubber.ts`). */
  boundTo?: number;
};
/** A line of an export that reports a merged record (`into`), or a removed one (null). */
export type Tombstone = { kind: FeedKind; externalId: string; into: string | null };
export type ParsedLine = ParsedRecord | Tombstone;

/** An invalid line with its reason; `recordKey` is null if the record key could not be read. */
export class InvalidLine extends Error {
  readonly recordKey: RecordKey | null;
  constructor(reason: string, subject: RecordKey | null = null) {
    super(reason);
    this.recordKey = subject;
  }
}

/** Parses one line. Throws `InvalidLine` with a reason that names the invalid member. */
export function parseLine(text: string): ParsedLine {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (failure) {
    throw new InvalidLine(notJsonReason(failure));
  }
  return parseRecord(value);
}

/** Parses one record. Throws `InvalidLine` as `parseLine` does. */
export function parseRecord(value: unknown): ParsedLine {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new InvalidLine('not a JSON object');
  const quick = validateFast(value as Record<string, unknown>);
  if (quick !== null) return { ...quick, slug: requestedSlug(value) };
  const head = feedRecordHead.safeParse(value);
  if (!head.success) {
    const at = head.error.issues[0]?.path[0];
    if (at === 'kind')
      throw new InvalidLine(
        `kind is missing or unknown; it is one of ${Object.keys(feedRecordSchemas).join(', ')}`,
      );
    throw new InvalidLine(describeIssue(head.error.issues[0], value));
  }
  const { kind, external_id: externalId } = head.data;
  const into = mergedInto(value);
  if (into !== null || isRemoval(value)) return { kind, externalId, into };
  const tooLong = tooLongListReason(kind, value);
  if (tooLong !== null) throw new InvalidLine(tooLong, { kind, externalId });
  const body = feedRecordSchemas[kind].safeParse(value);
  if (!body.success) throw new InvalidLine(describeIssue(body.error.issues[0], value), { kind, externalId });
  return { kind, externalId, statement: body.data, slug: requestedSlug(value) };
}

/**
 * Validates the value of one member of a kind of record. Returns the value as the catalogue keeps it. Throws
 * `InvalidLine` with a reason that names the member.
 */
export function parseMember(kind: FeedKind, member: string, value: unknown): unknown {
  const list = member as keyof typeof maxEntries;
  const tooLong = Array.isArray(value) && list in maxEntries ? tooManyEntries(list, value.length) : null;
  if (tooLong !== null) throw new InvalidLine(`${member} ${tooLong}`);
  const schema = (feedRecordSchemas[kind].shape as Record<string, z.ZodType>)[member];
  const result = schema?.safeParse(value);
  if (result === undefined) throw new InvalidLine(`${member} is no field of a ${kind}`);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = [member, ...(issue?.path ?? [])];
  throw new InvalidLine(describeIssue(issue && { ...issue, path }, { [member]: value }));
}

/** Returns the reason for a list that is too long; the validator would read all its entries first. */
function tooLongListReason(kind: FeedKind, value: object): string | null {
  for (const list of Object.keys(maxEntries) as (keyof typeof maxEntries)[]) {
    const entries = (value as Record<string, unknown>)[list];
    if (!Array.isArray(entries) || !(list in feedRecordSchemas[kind].shape)) continue;
    const reason = tooManyEntries(list, entries.length);
    if (reason !== null) return `${list} ${reason}`;
  }
  return null;
}

/** Returns the target of a merge if the line is a tombstone. */
function mergedInto(value: object): string | null {
  const { change, into } = value as { change?: unknown; into?: unknown };
  return change === 'merged' && typeof into === 'string' && into !== '' ? into : null;
}

/** Whether the line reports that the exporting catalogue removed the record. */
const isRemoval = (value: object): boolean => {
  const { change } = value as { change?: unknown };
  return (change === 'hidden' || change === 'deleted') && !('name' in value) && !('edition' in value);
};

const slugPattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const maxSlugLength = 120;

function requestedSlug(value: object): string | null {
  const { slug } = value as { slug?: unknown };
  return typeof slug === 'string' && slug.length <= maxSlugLength && slugPattern.test(slug) ? slug : null;
}
type ValidationIssue = {
  path: PropertyKey[];
  message: string;
  code?: string | undefined;
  values?: unknown[];
  minimum?: unknown;
  maximum?: unknown;
  /** The type of a value that is too large; lists and texts have a message of their own. */
  origin?: string | undefined;
  expected?: unknown;
};

/** Describes a validation problem in terms of the feed format. */
function describeProblem(issue: ValidationIssue): string {
  if (issue.code === 'invalid_value' && issue.values) return `must be one of ${issue.values.join(', ')}`;
  if (issue.code === 'too_small' && issue.minimum !== undefined) return `must be ${issue.minimum} or more`;
  if (
    issue.code === 'too_big' &&
    issue.maximum !== undefined &&
    issue.origin !== 'array' &&
    issue.origin !== 'string'
  )
    return `must be ${issue.maximum} or less`;
  if (issue.code === 'invalid_type' && /^Invalid input/.test(issue.message))
    return `must be ${withArticle(String(issue.expected))}`;
  return issue.message;
}

const withArticle = (type: string): string =>
  ({ string: 'a text', int: 'a whole number', array: 'a list', record: 'an object' })[type] ??
  `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;

function describeIssue(issue: ValidationIssue | undefined, value: object): string {
  if (!issue) return 'does not fit the feed format';
  const path = issue.path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .slice(1);
  const isMissing = issue.path.length === 1 && !(String(issue.path[0]) in value);
  if (isMissing) return `${path} is missing`;
  return `${path} ${describeProblem(issue)}`;
}
