/** One line of a feed, read: what it says, or why it cannot be taken. */
import { type FeedKind, feedHead, feedLines, type Statement } from '../contract/feed.ts';

export type ReadLine = { kind: FeedKind; externalId: string; statement: Statement<FeedKind> };
/** Why a line was skipped. */
export class BadLine extends Error {}

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
  if (!body.success) throw new BadLine(describe(body.error.issues[0], value));
  return { kind, externalId, statement: body.data };
}

type Issue = { path: PropertyKey[]; message: string };

function describe(issue: Issue | undefined, value: object): string {
  if (!issue) return 'does not fit the feed format';
  const path = issue.path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .slice(1);
  const missing = issue.path.length === 1 && !(String(issue.path[0]) in value);
  if (missing) return `${path} is missing`;
  return `${path} ${issue.message.replace(/^Invalid input: /, 'is wrong: ')}`;
}
