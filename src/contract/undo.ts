/** Entries of the audit log that the console can undo: their action, and the role that may undo them. */
import type { Role } from './roles.ts';

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
