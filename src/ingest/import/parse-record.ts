/** One line or record of a feed, read: what it says, or why it cannot be taken. */
import {
  type FeedKind,
  type FeedRecordContent,
  feedRecordHead,
  feedRecordSchemas,
  maxEntries,
  tooManyEntries,
} from '../../contract/feed.ts';
import { notJsonReason, type RecordKey } from '../../sources/common/input-items.ts';
import { validateFast } from './fast-validate.ts';

/** What a record says of itself. */
export type ParsedRecord = {
  kind: FeedKind;
  externalId: string;
  statement: FeedRecordContent<FeedKind>;
  /** The slug that a new record is to have, where an export of a catalogue names it and it is free. */
  slug: string | null;
};
/** That a record went into another one (a line of an export). */
export type Tombstone = { kind: FeedKind; externalId: string; into: string };
export type ParsedLine = ParsedRecord | Tombstone;

/** Why a line was skipped; `recordKey` is whom it speaks of, where that much could be read. */
export class InvalidLine extends Error {
  readonly recordKey: RecordKey | null;
  constructor(reason: string, subject: RecordKey | null = null) {
    super(reason);
    this.recordKey = subject;
  }
}

/** Reads one line; throws `InvalidLine` with a reason that names the member at fault. */
export function parseLine(text: string): ParsedLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (failure) {
    throw new InvalidLine(notJsonReason(failure));
  }
  return parseRecord(value);
}

/** Reads one record; throws `InvalidLine` as `parseLine` does. */
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
  if (into !== null) return { kind, externalId, into };
  const tooLong = tooLongListReason(kind, value);
  if (tooLong !== null) throw new InvalidLine(tooLong, { kind, externalId });
  const body = feedRecordSchemas[kind].safeParse(value);
  if (!body.success) throw new InvalidLine(describeIssue(body.error.issues[0], value), { kind, externalId });
  return { kind, externalId, statement: body.data, slug: requestedSlug(value) };
}

/** What is wrong with a list that is too long: the validator would read all its entries before it said so. */
function tooLongListReason(kind: FeedKind, value: object): string | null {
  for (const list of Object.keys(maxEntries) as (keyof typeof maxEntries)[]) {
    const entries = (value as Record<string, unknown>)[list];
    if (!Array.isArray(entries) || !(list in feedRecordSchemas[kind].shape)) continue;
    const reason = tooManyEntries(list, entries.length);
    if (reason !== null) return `${list} ${reason}`;
  }
  return null;
}

/** Where a record went, if that is what a line tells. */
function mergedInto(value: object): string | null {
  const { change, into } = value as { change?: unknown; into?: unknown };
  return change === 'merged' && typeof into === 'string' && into !== '' ? into : null;
}

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
  /** Of what kind a value is that is too large. */
  origin?: string | undefined;
  expected?: unknown;
};

/** What is wrong with a value, in words of the feed rather than of a validator. */
function describeProblem(issue: ValidationIssue): string {
  if (issue.code === 'invalid_value' && issue.values) return `must be one of ${issue.values.join(', ')}`;
  if (issue.code === 'too_small' && issue.minimum !== undefined) return `must be ${issue.minimum} or more`;
  if (issue.code === 'too_big' && issue.maximum !== undefined && issue.origin !== 'array')
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
  const missing = issue.path.length === 1 && !(String(issue.path[0]) in value);
  if (missing) return `${path} is missing`;
  return `${path} ${describeProblem(issue)}`;
}
