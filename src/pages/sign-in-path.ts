/** The path of the sign-in page that leads back to another page. */

/** The longest path that signing in leads back to. Clients and proxies do not read longer headers, with signs escaped. */
export const maxNextLength = 2_000;

/**
 * Returns the path of the sign-in page.
 * @param next the path of the page that follows
 * @param otherwise the page that follows if `next` is too long
 */
export const signInPath = (next: string, otherwise: string): string =>
  `/account/sign-in?next=${encodeURIComponent(next.length > maxNextLength ? otherwise : next)}`;
