/** Removes secrets from locations of sources for messages, reports and lists. */

/** Whether a location is an http or https address. */
export const isHttpUrl = (location: string): boolean => /^https?:\/\//i.test(location);

/** Names of URL parameters that contain a key. */
const secretParameterNames =
  /^(?:api[-_]?key|key|token|access[-_]?token|secret|password|auth|sig(?:nature)?)$/i;

/**
 * Removes credentials and secrets from an address.
 * @param secrets values to replace as well
 */
export function redactUrl(location: string, secrets: readonly string[] = []): string {
  let text = location;
  if (isHttpUrl(location) && URL.canParse(location)) {
    const url = new URL(location);
    url.username = '';
    url.password = '';
    for (const name of new Set(url.searchParams.keys()))
      if (secretParameterNames.test(name)) url.searchParams.set(name, '(hidden)');
    text = url.href.replaceAll('%28hidden%29', '(hidden)');
  }
  for (const secret of secrets) if (secret !== '') text = text.replaceAll(secret, '(hidden)');
  return text;
}
