/**
 * The headers of the response to a CORS preflight request (Fetch standard); its status is 204.
 *
 * @param allowedMethods the methods of the endpoint, separated by commas
 * @param allowedHeaders the request headers that a page may send, separated by commas
 * @returns names and values in turn
 */
export const preflightHeaders = (allowedMethods: string, allowedHeaders: string): string[] => [
  'Allow',
  allowedMethods,
  'Access-Control-Allow-Methods',
  allowedMethods,
  'Access-Control-Allow-Headers',
  allowedHeaders,
  'Access-Control-Max-Age',
  '86400',
];
