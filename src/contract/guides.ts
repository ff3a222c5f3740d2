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
  {
    name: 'mirroring',
    title: 'Mirroring a catalogue',
    summary: 'Copy the whole catalogue, and follow its changes',
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
    name: 'administering',
    title: 'Administering a service',
    summary: 'The console at /admin, roles, suspended accounts, the audit log',
  },
  {
    name: 'identity',
    title: 'Name, logo and languages',
    summary: 'Name, logo, colour, legal links and texts of a service; languages of its pages',
  },
  {
    name: 'pages',
    title: 'Pages for visitors',
    summary: 'What is on tonight: days, genres, questions, a remembered city, calendars and feeds',
  },
  {
    name: 'your-city',
    title: 'Your city in ten minutes',
    summary: 'Real events from pasted addresses, ticket sellers, calendars and a spreadsheet',
  },
  {
    name: 'filling',
    title: 'Importing events',
    summary: 'Add sources, schedule them, import files, copy a catalogue',
  },
  {
    name: 'reviewing',
    title: 'Reviewing doubtful pairs',
    summary: 'Decide by keys or in the browser whether two records are the same, and undo it',
  },
  {
    name: 'source-rules',
    title: 'Rules of sources',
    summary: 'Choose what a source may bring in, review it before publishing, credit it, pause it',
  },
  {
    name: 'matching',
    title: 'Reviewing duplicates',
    summary: 'See why listings were merged, and correct it permanently',
  },
  {
    name: 'correcting',
    title: 'Correcting records',
    summary: 'Set fields above the sources, add records by hand, undo',
  },
  { name: 'accounts', title: 'Accounts and keys', summary: 'Create, approve, change and delete accounts' },
  {
    name: 'signing-in',
    title: 'Signing in',
    summary: 'Mail, OpenID Connect, passkeys, second factor, and help for people who cannot sign in',
  },
  {
    name: 'backups',
    title: 'Backups and upgrades',
    summary: 'Back up, verify, restore and upgrade a data file',
  },
  {
    name: 'several-machines',
    title: 'Several machines',
    summary: 'Accounts in PostgreSQL, nodes behind a load balancer',
  },
  {
    name: 'privacy-requests',
    title: 'Privacy requests',
    summary: 'Find, export, correct and erase the data of artists and account holders',
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
