/** The address of a request: its parameters, and the address of the next page. */
import { Problem } from '../contract/errors.ts';
import type { OperationDefinition } from '../contract/operations.ts';

const maxParameters = 1_000;

/**
 * Throws `invalid_parameter` for more parameters than the parser of the query string reads: it drops the others, and a
 * filter among them would be ignored. Details take no parameters.
 */
export function checkParameterCount({ shape }: OperationDefinition, url: string): void {
  // Names of one letter alone are longer than that.
  if (shape === 'detail' || url.length < maxParameters) return;
  const [, query = ''] = splitOnce(url, '?');
  let count = query === '' ? 0 : 1;
  for (let at = query.indexOf('&'); at >= 0; at = query.indexOf('&', at + 1)) count++;
  if (count > maxParameters)
    throw new Problem(
      'invalid_parameter',
      'This request has more than 1,000 query parameters. Send fewer; a list of slugs or ids is one parameter, separated by commas.',
    );
}

/** The address of the next page (RFC 8288): that of this one with the cursor replaced. */
export function nextPageUrl(baseUrl: string, url: string, cursor: string | null): string | null {
  if (cursor === null) return null;
  const [path, query = ''] = splitOnce(url, '?');
  const parameters = new URLSearchParams(query);
  parameters.set('cursor', cursor);
  return `${baseUrl}${path}?${parameters}`;
}

const splitOnce = (text: string, sign: string): string[] => {
  const at = text.indexOf(sign);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
};

/** Decodes path parameters. One that cannot be decoded stays as it is, and matches no slug. */
export function decodeParams(params: Record<string, string>): Record<string, string> {
  if (!Object.values(params).some((value) => value.includes('%'))) return params;
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      try {
        return [name, decodeURIComponent(value)];
      } catch {
        return [name, value];
      }
    }),
  );
}
