/** One line of a feed, read: what it says, or why it cannot be taken. */
import { type FeedKind, feedHead, feedLines, type Statement } from '../contract/feed.ts';

export type ReadLine = { kind: FeedKind; externalId: string; statement: Statement<FeedKind> };
/** Why a line was skipped; `subject` is whom it speaks of, where that much could be read. */
export class BadLine extends Error {
  readonly subject: { kind: FeedKind; externalId: string } | null;
  constructor(reason: string, subject: { kind: FeedKind; externalId: string } | null = null) {
    super(reason);
    this.subject = subject;
  }
}

/** Reads one line; throws `BadLine` with a reason that names the member at fault. */
export function readLine(text: string): ReadLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (failure) {
    throw new BadLine(`not JSON: ${(failure as Error).message}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new BadLine('not a JSON object');
  const head = feedHead.safeParse(value);
  if (!head.success) {
    const at = head.error.issues[0]?.path[0];
    if (at === 'kind')
      throw new BadLine(`kind is missing or unknown; it is one of ${Object.keys(feedLines).join(', ')}`);
    throw new BadLine(describe(head.error.issues[0], value));
  }
  const { kind, external_id: externalId } = head.data;
  const body = feedLines[kind].safeParse(value);
  if (!body.success) throw new BadLine(describe(body.error.issues[0], value), { kind, externalId });
  return { kind, externalId, statement: body.data };
}

type Issue = {
  path: PropertyKey[];
  message: string;
  code?: string | undefined;
  values?: unknown[];
  minimum?: unknown;
  maximum?: unknown;
  expected?: unknown;
};

/** What is wrong with a value, in words of the feed rather than of a validator. */
function fault(issue: Issue): string {
  if (issue.code === 'invalid_value' && issue.values) return `must be one of ${issue.values.join(', ')}`;
  if (issue.code === 'too_small' && issue.minimum !== undefined) return `must be ${issue.minimum} or more`;
  if (issue.code === 'too_big' && issue.maximum !== undefined) return `must be ${issue.maximum} or less`;
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
