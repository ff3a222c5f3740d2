/** All routes of the console. `test/admin/routes.test.ts` requests each one with each role. */
import { overviewRoutes } from './overview/overview.tsx';
import type { AdminRoute } from './route.ts';

export const adminRoutes: readonly AdminRoute[] = [...overviewRoutes];
