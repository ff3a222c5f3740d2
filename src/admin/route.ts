/** A route of the console: method, path, the role that it requires, and its handler. */
import type { AdminRequest, StaffRequest } from './admin-request.ts';

export type AdminRoute = {
  method: 'GET' | 'POST';
  /** `*` stands for a part of the path; `visit.ids` has its values. */
  path: string;
  /** Maximum length of the form in bytes, if 16 KiB are not enough. */
  maxFormBytes?: number;
  /** Whether the form has a file (`multipart/form-data`); `visit.file` has it. */
  hasFile?: true;
} & (
  | { role: 'open'; handle: (visit: AdminRequest) => void | Promise<void> }
  | { role: 'editor' | 'operator'; handle: (visit: StaffRequest) => void | Promise<void> }
);

/** The routes of one path, by method. */
export type RoutesOfPath = { GET?: AdminRoute; POST?: AdminRoute };

/** Returns a function that finds the routes of a path, and the parts that `*` stands for. */
export function createMatcher(
  routes: readonly AdminRoute[],
): (path: string) => { routes: RoutesOfPath; ids: string[] } | null {
  const byPath = new Map<string, RoutesOfPath>();
  for (const route of routes) {
    byPath.set(route.path, { ...byPath.get(route.path), [route.method]: route });
  }
  const patterns = [...byPath].map(([path, of]) => ({
    pattern: new RegExp(`^${path.replaceAll('*', '([A-Za-z0-9._~-]{1,200})')}$`),
    of,
  }));
  return (path) => {
    for (const { pattern, of } of patterns) {
      const match = pattern.exec(path);
      if (match !== null) return { routes: of, ids: match.slice(1) };
    }
    return null;
  };
}
