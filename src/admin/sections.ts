/** The menu of the console. An entry shows if the account has its role. */
import type { Role } from '../contract/roles.ts';

export const sections: readonly { path: string; label: string; role: Role }[] = [
  { path: '/admin', label: 'Overview', role: 'editor' },
  { path: '/admin/sources', label: 'Sources', role: 'editor' },
  { path: '/admin/review', label: 'Review', role: 'editor' },
  { path: '/admin/records', label: 'Records', role: 'editor' },
  { path: '/admin/accounts', label: 'Accounts', role: 'operator' },
  { path: '/admin/settings', label: 'Settings', role: 'operator' },
  { path: '/admin/audit', label: 'Audit log', role: 'editor' },
];
