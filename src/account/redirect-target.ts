/** The redirect after signing in: only to paths of this site. */
import { maxNextLength } from '../pages/sign-in-path.ts';

/** Where a person goes after signing in, unless another page was asked for. */
export const dashboardPath = '/account/developer';
const placeholderOrigin = 'http://nowhere.invalid';

/** Account pages, the console, the reference, and authorization requests. */
const allowedPaths =
  /^\/(?:account(?:\/[\w.-]+)+|admin(?:\/[\w.-]+)*|docs(?:\/[\w.-]+)*|oauth\/interaction\/[\w-]{1,100})$/;

/**
 * Returns the path and query of `next` as a browser would parse it; the dashboard if it is not an allowed path, or could
 * be read as the address of another host.
 */
export function safeRedirectTarget(next: string | null): string {
  if (next === null || next.length > maxNextLength) return dashboardPath;
  // One slash, then printable ASCII without a backslash, which browsers treat as a slash.
  if (!/^\/(?![/\\])[!-[\]-~]*$/.test(next) || !URL.canParse(next, placeholderOrigin)) return dashboardPath;
  const { origin, pathname, search, hash } = new URL(next, placeholderOrigin);
  return origin === placeholderOrigin && allowedPaths.test(pathname)
    ? pathname + search + hash
    : dashboardPath;
}
