/** All routes of the console. `test/admin/routes.test.ts` requests each one with each role. */
import { accountRoutes } from './accounts/changes.tsx';
import { auditRoutes } from './audit/audit.tsx';
import { overviewRoutes } from './overview/overview.tsx';
import { recordRoutes } from './records/routes.ts';
import { reviewRoutes } from './review/review.tsx';
import type { AdminRoute } from './route.ts';
import { settingsRoutes } from './settings/changes.ts';
import { sourceRoutes } from './sources/routes.ts';
import { startRoutes } from './start/start.tsx';

export const adminRoutes: readonly AdminRoute[] = [
  ...startRoutes,
  ...overviewRoutes,
  ...sourceRoutes,
  ...reviewRoutes,
  ...recordRoutes,
  ...accountRoutes,
  ...settingsRoutes,
  ...auditRoutes,
];
