/** The answer to a browser that asks before it calls (Fetch standard, CORS-preflight). */

/**
 * @param allowedMethods the methods that the address takes
 * @param headers the request headers that a page may send
 * @returns names and values of the header fields, in turn; the status is 204
 */
export const preflightHeaders = (allow: string, headers: string): string[] => [
  'Allow',
  allow,
  'Access-Control-Allow-Methods',
  allow,
  'Access-Control-Allow-Headers',
  headers,
  'Access-Control-Max-Age',
  '86400',
];
