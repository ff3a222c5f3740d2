/** One line or record of a feed, read: what it says, or why it cannot be taken. */
import {
  type FeedKind,
  feedHead,
  feedLines,
  maxEntries,
  type Statement,
  tooManyEntries,
} from '../contract/feed.ts';
import type { Subject } from './lines.ts';
import { quickStatement } from './quick.ts';

/** What a record says of itself. */
export type Spoken = {
  kind: FeedKind;
  externalId: string;
  statement: Statement<FeedKind>;
  /** The slug that a new record is to have, where an export of a catalogue names it and it is free. */
  slug: string | null;
};
/** That a record went into another one (a line of an export). */
export type Tombstone = { kind: FeedKind; externalId: string; into: string };
export type ReadLine = Spoken | Tombstone;

/** Why a line was skipped; `subject` is whom it speaks of, where that much could be read. */
export class BadLine extends Error {
  readonly subject: Subject | null;
  constructor(reason: string, subject: Subject | null = null) {
    super(reason);
    this.subject = subject;
  }
}

/** Why a line could not be parsed. */
export const notJson = (failure: unknown): string => `not JSON: ${(failure as Error).message}`;

/** Reads one line; throws `BadLine` with a reason that names the member at fault. */
export function readLine(text: string): ReadLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (failure) {
    throw new BadLine(notJson(failure));
  }
  return readRecord(value);
}

/** Reads one record; throws `BadLine` as `readLine` does. */
export function readRecord(value: unknown): ReadLine {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new BadLine('not a JSON object');
  const quick = quickStatement(value as Record<string, unknown>);
  if (quick !== null) return { ...quick, slug: slugIn(value) };
  const head = feedHead.safeParse(value);
  if (!head.success) {
    const at = head.error.issues[0]?.path[0];
    if (at === 'kind')
      throw new BadLine(`kind is missing or unknown; it is one of ${Object.keys(feedLines).join(', ')}`);
    throw new BadLine(describe(head.error.issues[0], value));
  }
  const { kind, external_id: externalId } = head.data;
  const into = mergedInto(value);
  if (into !== null) return { kind, externalId, into };
  const tooLong = listTooLong(kind, value);
  if (tooLong !== null) throw new BadLine(tooLong, { kind, externalId });
  const body = feedLines[kind].safeParse(value);
  if (!body.success) throw new BadLine(describe(body.error.issues[0], value), { kind, externalId });
  return { kind, externalId, statement: body.data, slug: slugIn(value) };
}

/** What is wrong with a list that is too long: the validator would read all its entries before it said so. */
function listTooLong(kind: FeedKind, value: object): string | null {
  for (const list of Object.keys(maxEntries) as (keyof typeof maxEntries)[]) {
    const entries = (value as Record<string, unknown>)[list];
    if (!Array.isArray(entries) || !(list in feedLines[kind].shape)) continue;
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
const longestSlug = 120;

function slugIn(value: object): string | null {
  const { slug } = value as { slug?: unknown };
  return typeof slug === 'string' && slug.length <= longestSlug && slugPattern.test(slug) ? slug : null;
}
type Issue = {
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
function fault(issue: Issue): string {
  if (issue.code === 'invalid_value' && issue.values) return `must be one of ${issue.values.join(', ')}`;
  if (issue.code === 'too_small' && issue.minimum !== undefined) return `must be ${issue.minimum} or more`;
  if (issue.code === 'too_big' && issue.maximum !== undefined && issue.origin !== 'array')
    return `must be ${issue.maximum} or less`;
  if (issue.code === 'invalid_type' && /^Invalid input/.test(issue.message))
    return `must be ${article(String(issue.expected))}`;
  return issue.message;
}

const article = (type: string): string =>
  ({ string: 'a text', int: 'a whole number', array: 'a list', record: 'an object' })[type] ??
  `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;

function describe(issue: Issue | undefined, value: object): string {
  if (!issue) return 'does not fit the feed format';
  const path = issue.path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .slice(1);
  const missing = issue.path.length === 1 && !(String(issue.path[0]) in value);
  if (missing) return `${path} is missing`;
  return `${path} ${fault(issue)}`;
}
