/** The guides, in reading order. Their texts are in docs/guides and are served at `/docs/guides/…`. */
export const guides = [
  {
    name: 'first-call',
    title: 'Your first request',
    summary: 'Get a key, send a request, read the response',
  },
  {
    name: 'offline',
    title: 'Testing a client offline',
    summary: 'A local server with a frozen clock, small limits and injected failures',
  },
  {
    name: 'agents',
    title: 'Agents',
    summary: 'The MCP endpoint: tools, OAuth or key, configuration of clients',
  },
  { name: 'paging', title: 'Paging', summary: 'How to read a whole list, and what a cursor guarantees' },
  {
    name: 'filters-and-times',
    title: 'Filters, dates and time zones',
    summary: 'Filters of lists, date windows, and untrusted clock times',
  },
  { name: 'limits', title: 'Quotas and limits', summary: 'Plans, rate limits, headers, and fewer requests' },
  { name: 'errors', title: 'Errors', summary: 'Every error type, its cause and what to do' },
  {
    name: 'running',
    title: 'Running a service',
    summary: 'Install with systemd or in a container, behind a proxy with TLS',
  },
  {
    name: 'identity',
    title: 'Name, logo and languages',
    summary: 'Name, logo, colour, legal links and texts of a service; languages of its pages',
  },
  {
    name: 'filling',
    title: 'Importing events',
    summary: 'Add sources, schedule them, import files, copy a catalogue',
  },
  {
    name: 'matching',
    title: 'Reviewing duplicates',
    summary: 'See why listings were merged, and correct it permanently',
  },
  { name: 'accounts', title: 'Accounts and keys', summary: 'Create, approve, change and delete accounts' },
  {
    name: 'backups',
    title: 'Backups and upgrades',
    summary: 'Back up, verify, restore and upgrade a data file',
  },
  { name: 'monitoring', title: 'Monitoring', summary: 'Health checks, metrics and logs' },
  { name: 'feed-format', title: 'Feed format', summary: 'The JSON lines that an import reads' },
  {
    name: 'command-line',
    title: 'Command line',
    summary: 'Every command, option and environment variable',
  },
] as const;
export type Guide = (typeof guides)[number];
