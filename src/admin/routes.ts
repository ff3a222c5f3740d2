/** All routes of the console. `test/admin/routes.test.ts` requests each one with each role. */
import { accountRoutes } from './accounts/changes.tsx';
import { auditRoutes } from './audit/audit.tsx';
import { overviewRoutes } from './overview/overview.tsx';
import type { AdminRoute } from './route.ts';
import { settingsRoutes } from './settings/settings.tsx';
import { sourceRoutes } from './sources/sources.tsx';
import { startRoutes } from './start/start.tsx';

export const adminRoutes: readonly AdminRoute[] = [
  ...startRoutes,
  ...overviewRoutes,
  ...sourceRoutes,
  ...accountRoutes,
  ...settingsRoutes,
  ...auditRoutes,
];
