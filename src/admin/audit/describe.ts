/** Texts of audit entries. */
import type { AuditEntry } from '../../store/audit-log.ts';

/** Words for actions whose name does not say enough. Others are shown by their name: `record.hide` as "Record: hide". */
const actionTexts: Readonly<Record<string, string>> = {
  'account.approve': 'Approved the account',
  'account.create': 'Created the account',
  'account.delete': 'Deleted the account',
  'account.operator-link': 'Made a link for an operator',
  'account.reject': 'Rejected a request for an account',
  'account.reset-link': 'Made a link for a new password of',
  'account.reset-second-factor': 'Removed the second factor of',
  'account.revoke-key': 'Revoked a key of',
  'account.set-limits': 'Changed the limits of',
  'account.set-password': 'Set the password of',
  'account.set-plan': 'Changed the plan of',
  'account.set-role': 'Changed the role of',
  'account.sign-out': 'Signed out',
  'account.suspend': 'Suspended',
  'account.unsuspend': 'Ended the suspension of',
};

/** Returns an action in words. */
export function describeAction(action: string): string {
  const text = Object.hasOwn(actionTexts, action) ? actionTexts[action] : undefined;
  if (text !== undefined) return text;
  const [subject = '', verb = ''] = action.split('.', 2);
  return `${subject.charAt(0).toUpperCase()}${subject.slice(1)}: ${verb.replaceAll('-', ' ')}`;
}

/** Returns the page of an entry's subject in the console; null if it has none. */
export function subjectPath({ subjectKind, subject }: AuditEntry): string | null {
  return subjectKind === 'account' && subject.startsWith('acc_') ? `/admin/accounts/${subject}` : null;
}

const maxTextLength = 300;

function toText(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text;
}

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns what an entry changed: `before → after` of each field, then its other details. */
export function describeChanges(details: Record<string, unknown>): { name: string; text: string }[] {
  const { before, after, ...rest } = details;
  const changes: { name: string; text: string }[] = [];
  if (isFields(before) || isFields(after)) {
    const [old, next] = [isFields(before) ? before : {}, isFields(after) ? after : {}];
    for (const name of new Set([...Object.keys(old), ...Object.keys(next)])) {
      if (JSON.stringify(old[name]) === JSON.stringify(next[name])) continue;
      changes.push({
        name: toName(name),
        text: `${toText(toValue(name, old[name]))} → ${toText(toValue(name, next[name]))}`,
      });
    }
  } else if (before !== undefined || after !== undefined) {
    changes.push({ name: 'value', text: `${toText(before)} → ${toText(after)}` });
  }
  for (const [name, value] of Object.entries(rest)) {
    if (typeof value !== 'object' || value === null)
      changes.push({ name: toName(name), text: toText(value) });
  }
  return changes;
}

const names: Readonly<Record<string, string>> = {
  quota_limit: 'requests per month',
  window_limit: 'requests per minute',
  suspended_ts: 'suspended',
};

const toName = (name: string): string => names[name] ?? name.replaceAll('_', ' ');

/** Shows times in a form that people read. */
const toValue = (name: string, value: unknown): unknown =>
  name.endsWith('_ts') && typeof value === 'number'
    ? `${new Date(value).toISOString().slice(0, 16)}Z`
    : value;
