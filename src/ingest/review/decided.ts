/** The message for a person who decides a pair that another person decided first. */
import { Failure } from '../../failure.ts';
import type { AuditEntry } from '../../store/audit-log.ts';
import type { PairDetails } from '../corrections/correction-log.ts';

/** A pair was decided already; `entry` is that decision. */
export class AlreadyDecided extends Failure {
  readonly entry: AuditEntry;

  constructor(message: string, entry: AuditEntry) {
    super(message, 1, { code: 'decided', value: actorName(entry.actor) });
    this.entry = entry;
  }
}

const verbs: Record<string, string> = {
  'record.merge': 'merged them',
  'record.never-merge': 'decided that they are different',
  'review.later': 'put the pair off',
};

/** Tells who decided a pair, how and when: `ada@example.com merged them 2 minutes ago`. */
export function describeDecision({ action, actor, createdTs, details }: AuditEntry, now: number): string {
  const { record, other } = details as PairDetails;
  const pair = `${record.kind}/${record.slug} and ${other.kind}/${other.slug}`;
  return `This pair is decided already: ${actorName(actor)} ${verbs[action] ?? action} ${formatAgo(now - createdTs)} (${pair}).`;
}

/** The name of a person in a sentence: `account:ada@example.com` is `ada@example.com`. */
const actorName = (actor: string): string => {
  const [kind, ...name] = actor.split(':');
  return kind === 'terminal' ? `${name.join(':')} (in the terminal)` : name.join(':');
};

/** Formats a time that has passed, in ms. */
export function formatAgo(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return 'just now';
  const [count, unit] =
    minutes < 60
      ? [minutes, 'minute']
      : minutes < 24 * 60
        ? [Math.floor(minutes / 60), 'hour']
        : [Math.floor(minutes / (24 * 60)), 'day'];
  return `${count} ${unit}${count === 1 ? '' : 's'} ago`;
}
