/** Where somebody goes on to after signing in: a path of ours, whatever a link from elsewhere asks for. */

const home = '/account/developer';
const nowhere = 'http://nowhere.invalid';

/** A page of accounts or of the reference, or a request that waits for the answer of who signs in. */
const ours = /^\/(?:account(?:\/[\w.-]+)+|docs(?:\/[\w.-]+)*|oauth\/interaction\/[\w-]{1,100})$/;

/**
 * The path (with its query) that `next` names, as a browser would read it; the dashboard where it is none of those that
 * signing in leads to, or could be read as the address of another host.
 */
export function safeNext(next: string | null): string {
  if (next === null || next.length > 2_000) return home;
  // One slash, then printable ASCII without a backslash, which browsers take for a slash.
  if (!/^\/(?![/\\])[!-[\]-~]*$/.test(next) || !URL.canParse(next, nowhere)) return home;
  const { origin, pathname, search, hash } = new URL(next, nowhere);
  return origin === nowhere && ours.test(pathname) ? pathname + search + hash : home;
}
