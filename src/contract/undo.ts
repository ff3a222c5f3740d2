/** Entries of the audit log: which are about accounts, and which people can undo. */
import type { Role } from './roles.ts';

/** The subjects whose entries are with the accounts: in a cluster, in PostgreSQL. */
export const accountSubjects = ['account', 'key', 'plan', 'cluster'] as const;

/** Whether entries about this kind of subject are with the accounts. */
export const isAccountSubject = (kind: string): boolean =>
  (accountSubjects as readonly string[]).includes(kind);

/** The actions that can be undone, and the role that the console requires for it. */
export const undoableActions: Readonly<Record<string, Role>> = {
  'account.set-limits': 'operator',
  'account.set-plan': 'operator',
  'account.set-role': 'operator',
  'account.suspend': 'operator',
  'account.unsuspend': 'operator',
  'record.add': 'editor',
  'record.delete': 'editor',
  'record.edit': 'editor',
  'record.hide': 'editor',
  'record.merge': 'editor',
  'record.never-merge': 'editor',
  'record.reset': 'editor',
  'record.restore': 'editor',
  'record.split': 'editor',
  'review.later': 'editor',
};
