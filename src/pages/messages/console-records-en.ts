/** The texts of the console in English: its frame and failures, the pages about records, and the audit log. */
import { createFormats } from './formats.ts';

const { counted } = createFormats({ language: 'en', dates: 'en-GB', keepsCommas: false });

const frame = { site: 'Site', breadcrumb: 'Breadcrumb', admin: 'Admin' };

const sections = {
  overview: 'Overview',
  sources: 'Sources',
  review: 'Review',
  records: 'Records',
  accounts: 'Accounts',
  settings: 'Settings',
  audit: 'Audit log',
};

/** Requests that fail. */
const failures = {
  toOverview: 'To the overview',
  toAccount: 'To your account',
  request: 'Request',
  notFound: 'Page not found',
  notFoundText: 'There is nothing at this address. Check it, or start from the overview.',
  forbidden: 'Not for this account',
  forbiddenText: (required: string, email: string, role: string) =>
    `This page requires the role ${required}. You are signed in as ${email}, with the role ${role}. An operator can change it.`,
  stale: 'This form is out of date',
  staleText:
    'It was opened before you signed in or out, or your browser keeps no cookies. Nothing was changed. Go back, reload the page, and send it again.',
  crossSite: 'Not from our own page',
  crossSiteText: (url: string) =>
    `This form was sent from another site, so nothing was changed. Open ${url}/admin yourself.`,
  method: 'Not this way',
  methodText: (methods: string) => `Use ${methods} here.`,
};

/** Names of the fields of a record. */
const fields: Readonly<Record<string, string>> = {
  name: 'Name',
  start_at: 'Start',
  end_at: 'End',
  image_url: 'Image address',
  external_ids: 'Ids elsewhere',
  lineup: 'Line-up',
  real_name: 'Real name',
  postal_code: 'Postal code',
  founded_year: 'Founded',
  feed_url: 'Feed address',
  minimum_age: 'Minimum age',
};

const rows = {
  more: 'More rows',
  artist: 'Artist',
  billing: 'Billing',
  billings: { '': 'none', headline: 'headline', support: 'support' },
  stage: 'Stage',
  setStart: 'Set from',
  setEnd: 'Set to',
  seller: 'Seller',
  url: 'Address',
  priceMin: 'Price from',
  priceMax: 'Price to',
  currency: 'Currency',
  availability: 'Availability',
  availabilities: {
    '': 'not known',
    available: 'available',
    limited: 'limited',
    sold_out: 'sold out',
    not_on_sale: 'not on sale',
  },
  venue: 'Venue',
  city: 'City',
  country: 'Country',
  type: 'Type',
  alias: 'Alias',
  row: (label: string, number: number) => `${label}, row ${number}`,
  nameMissing: (number: number) => `Row ${number} has no name. Write one, or empty the row.`,
  urlMissing: (number: number) => `Row ${number} has no address. Write one, or empty the row.`,
  price: (number: number) => `Row ${number}: a price is a number such as 12.50.`,
  venueMissing: 'The venue has no name. Write one, or empty city and country.',
};

/** Plain sentences of the audit log: what was done to the subject that follows. */
const actions: Readonly<Record<string, string>> = {
  'account.approve': 'Approved the account',
  'account.confirm-address': 'Confirmed the address of',
  'account.create': 'Created the account',
  'account.delete': 'Deleted the account',
  'account.operator-link': 'Made a link for an operator',
  'account.reject': 'Rejected a request for an account',
  'account.reset-link': 'Made a link for a new password of',
  'account.reset-second-factor': 'Removed the second factor of',
  'account.revoke-key': 'Revoked a key of',
  'account.set-limits': 'Changed the limits of',
  'account.set-password': 'Set the password of',
  'account.set-plan': 'Changed the plan of',
  'account.set-role': 'Changed the role of',
  'account.sign-out': 'Signed out',
  'account.suspend': 'Suspended',
  'account.unsuspend': 'Ended the suspension of',
  'account.undo': 'Took back a change of',
  'key.create': 'Created a key of',
  'key.revoke': 'Revoked a key of',
  'key.rotate': 'Replaced a key of',
  'plan.set': 'Changed the limits of the plan',
  'plan.cancel': 'Cancelled a change of the plan',
  'setting.set': 'Changed the setting',
  'record.add': 'Added the record',
  'record.edit': 'Edited',
  'record.reset': 'Gave the fields back to the sources of',
  'record.hide': 'Hid',
  'record.unhide': 'Showed again',
  'record.delete': 'Deleted',
  'record.restore': 'Restored',
  'record.forget': 'Forgot, on a privacy request,',
  'record.merge': 'Merged another record into',
  'record.never-merge': 'Decided that two records are different:',
  'record.same': 'Decided that two records are the same:',
  'record.split': 'Split',
  'record.undo': 'Took back a change of',
  'review.later': 'Put off the pair',
  'source.add': 'Added the source',
  'source.set': 'Changed the settings of the source',
  'source.pause': 'Paused the source',
  'source.resume': 'Resumed the source',
  'source.remove': 'Removed the source',
  'source.approve': 'Published records that waited, of the source',
  'source.reject': 'Refused records that waited, of the source',
};

const audit = {
  title: 'Audit log',
  lead: 'Every change that a person made here or in the terminal, newest first.',
  undone: 'The change is undone.',
  none: 'No entry matches. The log begins with the first change that a person makes.',
  newest: 'Newest entries',
  older: 'Older entries',
  pages: 'Pages of the audit log',
  about: 'About',
  by: 'By',
  subject: 'Subject',
  show: 'Show',
  kinds: {
    '': 'Everything',
    'record.': 'Records',
    'review.': 'Duplicates',
    'source.': 'Sources',
    'account.': 'Accounts',
    'plan.': 'Plans',
    'setting.': 'Settings',
  },
  undoneBy: (entry: number) => `undone by entry ${entry}`,
  inTerminal: ' in the terminal',
  entry: (id: number) => `, entry ${id}`,
  undo: 'Undo',
  undoLabel: (id: number) => `Undo entry ${id}`,
  details: (count: number) => counted(count, 'more detail', 'more details'),
  empty: 'none',
  value: 'value',
  on: 'yes',
  off: 'no',
  names: {
    quota_limit: 'requests per month',
    window_limit: 'requests per minute',
    suspended_ts: 'suspended',
  } as Readonly<Record<string, string>>,
};

export const consoleRecords = { frame, sections, failures, fields, rows, actions, audit };
