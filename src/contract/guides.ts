/** The guides, in the order in which they are read. Their texts lie in docs/guides; `/docs/guides/…` shows them. */
export const guides = [
  { name: 'first-call', title: 'First call', summary: 'A key, a request, and how to read the answer' },
  { name: 'paging', title: 'Paging', summary: 'Walking a list to its end, and what a cursor promises' },
  {
    name: 'filters-and-times',
    title: 'Filters, dates and time zones',
    summary: 'Narrowing lists, what "upcoming" means, and clocks that are not trusted',
  },
  { name: 'limits', title: 'Quotas and limits', summary: 'Plans, the six headers, and how to spend less' },
  { name: 'errors', title: 'Errors', summary: 'Every error type, when it is given and what to do' },
  {
    name: 'agents',
    title: 'Agents',
    summary: 'The MCP endpoint: tools, connecting with OAuth or a key, configuration of clients',
  },
  {
    name: 'running',
    title: 'Running your own',
    summary: 'A service of its own: systemd, a proxy, backups, updates, watching it',
  },
  {
    name: 'filling',
    title: 'Filling the catalogue',
    summary: 'Sources and their sync, imports by hand, and correcting what matching decided',
  },
  { name: 'feed-format', title: 'The feed format', summary: 'Records as lines of JSON: the one way in' },
  {
    name: 'offline',
    title: 'Developing offline',
    summary: 'A server with a fixed clock, small limits and failures on purpose, as a fixture of tests',
  },
  {
    name: 'command-line',
    title: 'The command line',
    summary: 'Every command, option and variable of the environment',
  },
] as const;
export type Guide = (typeof guides)[number];
