/** Locations of sources as they may be told: in messages, reports and lists. */

/** Whether a location is an address rather than a file. */
export const isHttpUrl = (location: string): boolean => /^https?:\/\//i.test(location);

/** Parameters of an address that carry a key, whatever they are called. */
const secretParameterNames =
  /^(?:api[-_]?key|key|token|access[-_]?token|secret|password|auth|sig(?:nature)?)$/i;

/** An address as it may be shown: without what only its owner should know. */
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
