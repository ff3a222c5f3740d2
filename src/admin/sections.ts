/** The menu of the console. An entry shows if the account has its role. */
import type { Role } from '../contract/roles.ts';
import type { Messages } from '../pages/messages/messages.ts';

export const sections: readonly { path: string; label: keyof Messages['consoleFrame']; role: Role }[] = [
  { path: '/admin', label: 'overview', role: 'editor' },
  { path: '/admin/sources', label: 'sources', role: 'editor' },
  { path: '/admin/review', label: 'review', role: 'editor' },
  { path: '/admin/records', label: 'records', role: 'editor' },
  { path: '/admin/accounts', label: 'accounts', role: 'operator' },
  { path: '/admin/settings', label: 'settings', role: 'operator' },
  { path: '/admin/audit', label: 'audit', role: 'editor' },
];
