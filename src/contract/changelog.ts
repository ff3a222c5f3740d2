/** Observable changes of the service, newest first (interface.md, Versioning). */
export const changelog: readonly { date: string; breaking: boolean; text: string }[] = [
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
  {
    date: '2026-08-10',
    breaking: true,
    text: 'The MCP endpoint requires authorization. Tools are per plan.',
  },
  {
    date: '2026-08-09',
    breaking: true,
    text: 'MCP rebuilt on the stateless 2026-07-28 revision; structuredContent fields became snake_case. Labels, genres, cities, podcasts, episodes, festival editions, tickets, stats and search were added.',
  },
  {
    date: '2026-08-08',
    breaking: false,
    text: 'Monthly quotas enforced; rate-limit and quota headers added. Artist, venue and festival endpoints added.',
  },
  {
    date: '2026-08-07',
    breaking: false,
    text: 'MCP endpoint moved to {base_url}/mcp. API keys became creatable and revocable.',
  },
];
