/** Where somebody goes on to after signing in: a path of ours, whatever a link from elsewhere asks for. */

const home = '/account/developer';
const nowhere = 'http://nowhere.invalid';

/**
 * The path (with its query) that `next` names, as it stands; the dashboard where it is none, or a browser could read
 * it as the address of another host.
 */
export function safeNext(next: string | null): string {
  if (next === null || next.length > 2_000) return home;
  // One slash, then printable ASCII without a backslash, which browsers take for a slash.
  if (!/^\/(?![/\\])[!-[\]-~]*$/.test(next) || !URL.canParse(next, nowhere)) return home;
  const { origin, pathname } = new URL(next, nowhere);
  return origin === nowhere && !pathname.startsWith('//') ? next : home;
}
