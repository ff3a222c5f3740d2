/** The texts of the developer page and of its keys, usage and apps, in English. */

/** A number that is formatted already. */
type Value = number | string;

export const developer = {
  title: 'Developer',
  lead: 'Keys for programs, apps for agents, and what they use: the account {email}.',
  keys: 'API keys',
  usage: 'Usage',
  apps: 'Connected apps',
  plan: 'Plan',
  done: {
    revoked: 'The key is revoked.',
    disconnected: 'The app is disconnected.',
    'sent-before':
      'This form was sent before and has made its key, which is not shown again. If you have not copied it, revoke it and create another.',
  },
};

export const plan = {
  eachMonth: 'Each month',
  monthly: (count: Value) => `${count} requests for the account`,
  eachMinute: 'Each minute',
  minutely: (count: Value) => `${count} requests for each key or app`,
  ownLimit: (count: Value) => `(your own limit; the plan has ${count})`,
  /** A change of the limits of a plan. */
  change: (name: string, quota: Value, window: Value, seconds: Value) =>
    `From {date} on, the ${name} plan has ${quota} requests per account and month, and ${window} per key and ${seconds} s.`,
  attribution: 'Show this wherever you show the data: {sentence}',
  changedBy: 'The operator of this service changes the plan of an account.',
};

/** The list of keys, and the form for a new one. */
export const keys = {
  none: 'No keys yet. Name one above, after the program or the machine that will use it.',
  newName: 'Name of a new key',
  mayCall: 'It may call',
  scopes: {
    all: 'REST API and agents',
    rest: 'REST API only',
    agents: 'Agents (MCP) only',
  },
  expires: 'It expires',
  lifetimes: {
    never: 'never',
    '30d': 'after 30 days',
    '90d': 'after 90 days',
    '365d': 'after a year',
  },
  create: 'Create API key',
  revoked: 'revoked',
  expired: 'expired',
  created: 'Created {date}',
  neverUsed: 'never used',
  lastUsed: 'last used {date}',
  expiresOn: 'expires {date}',
  expiredOn: 'expired {date}',
  revokedOn: 'revoked {date}',
  replace: 'Replace',
  replaceNamed: (name: string) => `Replace ${name}`,
  revoke: 'Revoke',
  revokeNamed: (name: string) => `Revoke ${name}`,
  pages: 'Pages of keys',
  newer: 'Newer keys',
  older: 'Older keys',
  page: (page: Value, pages: Value) => `Page ${page} of ${pages}`,
};

/** What happens with one key: it is shown once, replaced or revoked. */
export const key = {
  newTitle: 'Your new key',
  newLead:
    'The key {name} is shown this once. Copy it to where it will be used: a lost key cannot be brought back, only replaced.',
  copyKey: 'Copy key',
  copyCommand: 'Copy command',
  tryIt: 'Try it',
  forAgent: 'Give it to your agent, with the address {address}.',
  isCopied: 'I have copied it',
  oldEnded: 'The old key is no longer valid.',
  oldValid: 'The old key is valid until {date}. Change your programs before then.',
  replaceTitle: 'Replace a key',
  replaceHeading: 'Replace this key?',
  replaceLead:
    '{name}, {hint}: you get a new key with the same name and the same rights. The old key stays valid for a while, so that you can change your programs one by one.',
  overlap: 'The old key is valid',
  overlaps: {
    '24h': 'one more day',
    '1h': 'one more hour',
    '7d': 'one more week',
    '30d': '30 more days',
    '0m': 'not at all: it ends now',
  },
  createNew: 'Create the new key',
  revokeTitle: 'Revoke a key',
  revokeHeading: 'Revoke this key?',
  revokeLead:
    '{name}, {hint}: programs and agents that use it are refused from their next request on. A revoked key cannot be brought back.',
  revokeButton: 'Revoke key',
};

export const usage = {
  share: (used: Value, quota: Value) => `${used} of ${quota} requests`,
  inMonth: (month: string) => `in ${month}`,
  meter: (used: Value, quota: Value, month: string) => `${used} of ${quota} requests used in ${month}`,
  resets: 'The count begins again on {date} at 00:00 UTC. REST, MCP and all your keys and apps share it.',
  usedUp:
    'The month is used up: requests are answered with 429 until the count begins again on {date} at 00:00 UTC. REST, MCP and all your keys and apps share it.',
  noticeFull: (used: Value, quota: Value) =>
    `The month is used up: ${used} of ${quota} requests. Programs and agents get a 429 until {date}.`,
  noticeMuch: (used: Value, quota: Value) =>
    `At least 80 % of the month are used: ${used} of ${quota} requests. The count begins again on {date}.`,
  none: 'No requests yet. The first one shows up here at once, REST and MCP apart.',
  perDay: 'Requests per day, the last 30 days',
  day: 'Day (UTC)',
  perMonth: 'Requests per month, the last 12 months',
  month: 'Month (UTC)',
};

export const apps = {
  none: 'No app is connected. Give an agent the address {address}: it asks you here, and needs no key.',
  onYourMachine: 'on a machine of yours, not verified',
  verified: 'name verified by {host}',
  unverified: '{host}, not verified',
  may: (scopes: string) => `May ${scopes}.`,
  /** Short descriptions of scopes; `consent.scopes` has whole sentences. */
  scopes: { 'catalogue:read': 'read the catalogue' },
  nothing: 'do nothing',
  connected: 'Connected {date}',
  disconnect: 'Disconnect',
  disconnectNamed: (name: string) => `Disconnect ${name}`,
  title: 'Disconnect an app',
  heading: 'Disconnect this app?',
  lead: '{name} is refused from its next request on, and has to ask you again to come back.',
};
