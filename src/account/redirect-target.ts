/** Where somebody goes on to after signing in: a path of ours, whatever a link from elsewhere asks for. */

const dashboardPath = '/account/developer';
const placeholderOrigin = 'http://nowhere.invalid';

/** A page of accounts or of the reference, or a request that waits for the answer of who signs in. */
const allowedPaths = /^\/(?:account(?:\/[\w.-]+)+|docs(?:\/[\w.-]+)*|oauth\/interaction\/[\w-]{1,100})$/;

/**
 * The path (with its query) that `nextCursor` names, as a browser would read it; the dashboard where it is none of those that
 * signing in leads to, or could be read as the address of another host.
 */
export function safeRedirectTarget(next: string | null): string {
  if (next === null || next.length > 2_000) return dashboardPath;
  // One slash, then printable ASCII without a backslash, which browsers take for a slash.
  if (!/^\/(?![/\\])[!-[\]-~]*$/.test(next) || !URL.canParse(next, placeholderOrigin)) return dashboardPath;
  const { origin, pathname, search, hash } = new URL(next, placeholderOrigin);
  return origin === placeholderOrigin && allowedPaths.test(pathname)
    ? pathname + search + hash
    : dashboardPath;
}
