/** All routes of the console. `test/admin/routes.test.ts` requests each one with each role. */
import { overviewRoutes } from './overview/overview.tsx';
import { recordRoutes } from './records/routes.ts';
import { reviewRoutes } from './review/review.tsx';
import type { AdminRoute } from './route.ts';
import { sourceRoutes } from './sources/routes.ts';

export const adminRoutes: readonly AdminRoute[] = [
  ...overviewRoutes,
  ...reviewRoutes,
  ...recordRoutes,
  ...sourceRoutes,
];
