/**
 * Observable changes of releases, newest first (docs/spec/service.md#versioning). Removals and lower quotas are
 * listed before they take effect.
 */
export const changelog: readonly { date: string; breaking: boolean; text: string }[] = [
  {
    date: '2026-11-22',
    breaking: false,
    text: 'API keys can expire, can be limited to the REST API or to agents, and can be replaced with an overlap. A key of the wrong scope gets 403 with the new error type forbidden.',
  },
  {
    date: '2026-11-22',
    breaking: false,
    text: 'Limits: an MCP batch holds at most 10 messages, all keys of an account share a window of four times that of one key, and public pages are limited per network.',
  },
  {
    date: '2026-11-20',
    breaking: false,
    text: 'First release of cratebase: version 1 of the REST contract, all 33 read endpoints.',
  },
];
