/** The texts of the console's pages about sources in English. It is the pattern of the other languages, as `en.ts` is. */
import { formatsOf } from './formats.ts';

const { counted, number } = formatsOf({ language: 'en', dates: 'en-GB', keepsCommas: false });

/** The one definition of each count: all pages name it in these words. */
export const counts = {
  sources: (count: number) => counted(count, 'source', 'sources'),
  /** Valid records that the source lists at present. */
  listed: (count: number) => `${counted(count, 'record', 'records')} listed`,
  /** Stored records that the source withdrew, or only names by an id. */
  unlisted: (count: number) => `${counted(count, 'record', 'records')} no longer listed`,
  usual: (count: number) => `usually ${number(count)} in a run`,
  only: (count: number) => `${number(count)} listed only here`,
  shared: (count: number) => `${number(count)} listed by other sources too`,
  ofFirst: (count: number) => `(of the first ${number(count)})`,
  rejected: (count: number) => `${counted(count, 'record', 'records')} rejected`,
  waiting: (count: number) => `${counted(count, 'record', 'records')} to approve`,
  records: (count: number) => counted(count, 'record', 'records'),
  events: (count: number) => counted(count, 'event', 'events'),
  atClosedVenues: (count: number) => `${counted(count, 'event', 'events')} at closed venues`,
  acts: (count: number) => counted(count, 'act', 'acts'),
  /** Entries of a timetable. */
  sets: (count: number) => counted(count, 'set with a time', 'sets with a time'),
  otherRecords: (count: number) => counted(count, 'other record', 'other records'),
  runs: (count: number) => counted(count, 'run', 'runs'),
  shown: (shown: number, all: number) => `${number(shown)} of ${number(all)} shown`,
};

const kinds: Record<string, readonly [one: string, other: string]> = {
  event: ['event', 'events'],
  artist: ['artist', 'artists'],
  venue: ['venue', 'venues'],
  festival: ['festival', 'festivals'],
  edition: ['festival edition', 'festival editions'],
  label: ['label', 'labels'],
  podcast: ['podcast', 'podcasts'],
  episode: ['episode', 'episodes'],
  release: ['release', 'releases'],
  track: ['track', 'tracks'],
  city: ['city', 'cities'],
  genre: ['genre', 'genres'],
};

export const list = {
  title: 'Sources',
  add: 'Add a source',
  empty: 'There are no sources. Add the address of a calendar, a feed or a page with events.',
  lastRead: 'last read {date}',
  next: 'next run {date}',
  done: {
    removed: 'Removed from the schedule. Its records stay.',
    withdrawn:
      'Removed. Its records are withdrawn: upcoming events that no other source lists left the catalogue. You can bring them back.',
    purging: 'The source is being removed with its records.',
  },
};

export const states = {
  unscheduled: 'not scheduled',
  paused: 'paused',
  failed: (count: number) => (count === 1 ? 'failed' : `failed ${number(count)} times`),
  fresh: 'not read yet',
  ok: 'ok',
  reading: 'being read',
};

export const progress = {
  waiting: 'The source is read as soon as other work ends.',
  reading: 'The source is being read.',
  read: 'The source was read. The page shows the result.',
  idle: 'The source is not being read.',
  purging: (name: string) => `${name} is being removed with its records.`,
  purged: (name: string) => `${name} and its records are removed.`,
  listReading: 'Sources are being read.',
  listRead: 'No source is being read any more. The list shows the results.',
  reload: 'Reload',
};

export const source = {
  done: {
    saved: 'Saved. The next run uses it.',
    added: 'Added.',
    unchanged: 'Nothing was changed.',
    paused: 'Paused. The schedule skips it until you resume it.',
    resumed: 'Resumed.',
  },
  run: 'Run now',
  pause: 'Pause',
  resume: 'Resume',
  previewTitle: 'Preview of the rules',
  state: 'State',
  type: 'Type',
  address: 'Address',
  lastSuccess: 'Last success',
  lastImport: 'Last import',
  never: 'never',
  nextRun: 'Next run',
  none: 'none',
  records: 'Records',
  contribution: 'Of these',
  held: 'Held',
  runs: 'Runs',
  allRuns: 'All runs',
  rejected: 'Rejected records',
  allRejected: 'All rejected records',
  closedVenues:
    'The source lists events at venues that closed before. The events are in the catalogue, and the venues stay closed. If a venue opened again, clear the field “Closed since” of its record.',
  closedSince: (date: string) => `closed since ${date}`,
  settings: 'Settings and rules',
  remove: 'Remove',
  removeText:
    'Stop reading it and keep its records, withdraw them, or remove the source with all its records.',
  removeLink: 'Remove …',
  missing: (name: string) => (name === '' ? 'No source is named' : `There is no source “${name}”`),
  missingText: 'It was removed or renamed, or the address has a mistake. The list has all sources.',
  toList: 'To the list of sources',
  noAction: 'The form does not say what to do with the source.',
};

export const settings = {
  refused: 'Nothing was saved. Correct this:',
  trust: 'Trust',
  trustHint: '0 to 100; if sources disagree, the highest wins',
  every: 'Read every',
  everyHint: 'Such as 90m, 12h, 7d',
  include: 'Only records that match',
  includeHint: 'One pattern per line, such as *techno*; empty: all',
  exclude: 'Leave out records that match',
  excludeHint: 'One pattern per line, such as *karaoke*',
  city: 'City, if none is stated',
  country: 'Country, if none is stated',
  countryHint: 'Two letters, such as DE',
  timezone: 'Time zone, if none is stated',
  timezoneHint: 'Such as Europe/Berlin',
  maxAge: 'Leave out events older than',
  maxAgeHint: 'Such as 90d; empty: none',
  onMissing: 'Upcoming events that it no longer lists',
  onMissingHint:
    'Cancelled events stay in lists, marked as cancelled. Removed ones leave lists, search and the API. An event that another source lists stays in any case.',
  onMissingChoices: {
    cancel: 'Mark as cancelled',
    remove: 'Remove at once',
    after: 'Remove after a time',
  },
  onMissingAfter: 'Time until removal',
  onMissingAfterHint: 'Such as 12h or 7d; used only with “Remove after a time”',
  license: 'Licence',
  attribution: 'Attribution line',
  attributionUrl: 'Attribution address',
  genres: 'Genres, if none is stated',
  genresHint: 'One per line',
  complete: 'The list is complete: upcoming events missing from it are treated as set above',
  keepPast: 'Keep events that are over, even if it no longer lists them',
  hold: 'Hold new records until an editor approves them',
  save: 'Save',
  preview: 'Show the effect first',
};

/** What is wrong with an input, by its name; `name_taken` is the code `taken` of `name`. */
export const errors: Record<string, string> = {
  name: "A name has 1 to 100 letters, digits, spaces and the characters . _ & ' + ( ) -, and begins with a letter or digit.",
  name_taken: 'A source has this name already, or the name is reserved. Choose another one.',
  name_input: 'Write a name of at most 100 characters.',
  url_taken: 'A source reads this address already. Choose a name to add it a second time.',
  url_input: 'An address begins with https:// or http:// and has at most 2,000 characters.',
  type: 'Choose a type from the list.',
  trust: 'Trust is a whole number from 0 to 100.',
  every: 'Write a span from 5m to 31d, such as 90m, 12h or 7d.',
  include: 'Write at most 100 patterns of at most 200 characters, one per line.',
  exclude: 'Write at most 100 patterns of at most 200 characters, one per line.',
  genres: 'Write names of genres, one per line.',
  city: 'Write the name of one city.',
  country: 'Write the two letters of the country, such as DE.',
  timezone: 'Write the name of a time zone, such as Europe/Berlin.',
  maxAge: 'Write a time span of minutes, hours, days or weeks, such as 12h, 90d or 6w.',
  onMissing: 'Choose what happens to these events.',
  onMissingAfter: 'Write a time span of minutes, hours, days or weeks, such as 12h, 7d or 6w.',
  license: 'Write an SPDX identifier such as CC-BY-4.0, or an http or https address.',
  attribution: 'Write one line of at most 300 characters.',
  attributionUrl: 'Write an http or https address of at most 1,000 characters.',
  sure: 'Tick the box to delete the records for good.',
  record: 'Choose at least one record.',
};

export const rules = {
  unsaved: 'Nothing is saved yet.',
  text: 'The rules below judge the records that the last run listed.',
  listed: 'Listed',
  alwaysStay: (text: string) => `${text} always stay`,
  stay: 'Stay',
  leftOut: 'Left out',
  areLeftOut: 'Are left out',
  empty: 'The source listed no events so far.',
  reasons: {
    include: 'matches no pattern of “Only records that match”',
    exclude: 'matches a pattern of “Leave out records that match”',
    'max-age': 'older than the maximum age',
    hold: 'waits for approval',
  } as Record<string, string>,
};

export const runs = {
  title: (name: string) => `Runs of ${name}`,
  heading: 'Runs',
  table: 'Table of runs',
  caption: 'Runs, the newest first',
  empty: 'It was not read yet.',
  byHand: 'It has no schedule: files are imported by hand, and their runs are not listed.',
  started: 'Started',
  result: 'Result',
  listed: 'Records listed',
  rejected: 'Rejected',
  error: 'Error',
  kept: 'The last 100 runs are kept.',
  outcomes: {
    done: 'done',
    unchanged: 'unchanged',
    partial: 'partly read',
    refused: 'refused',
    failed: 'failed',
  } as Record<string, string>,
};

export const rejected = {
  title: (name: string) => `Rejected records of ${name}`,
  heading: 'Rejected records',
  lead: 'They stay listed until the source is read again without the mistake.',
  empty: 'No record was rejected.',
  record: (line: number) => `record ${line}`,
};

export const held = {
  title: (name: string) => `Held records of ${name}`,
  heading: 'Held records',
  lead: 'New records of {name} are published when an editor approves them.',
  waiting: (count: number) => `${counted(count, 'record', 'records')} to approve`,
  rejected: (count: number) => `${counted(count, 'record', 'records')} rejected`,
  noneWaiting: 'No record waits.',
  noneRejected: 'No record was rejected.',
  choose: 'Choose records',
  chosen: 'Chosen records',
  approve: 'Approve',
  reject: 'Reject',
  page: 'This page',
  approvePage: (count: number) => `Approve these ${number(count)}`,
  rejectPage: (count: number) => `Reject these ${number(count)}`,
  all: 'All pages',
  approveAll: (count: number) => `Approve all ${number(count)}`,
  rejectAll: (count: number) => `Reject all ${number(count)}`,
  link: 'page',
  refused: 'Nothing was changed. Correct this:',
  noAction: 'The form does not say what to do with the records.',
  done: {
    approved: 'Approved and published. Later changes of these records are published at once.',
    'partly-approved':
      'Approved. Some records could not be published and wait again. `cratebase sources approve` shows the reasons.',
    rejected: 'Rejected. Later runs do not publish these records.',
  },
};

export const pager = {
  range: (from: number, to: number, all: number) => `${number(from)} to ${number(to)} of ${number(all)}`,
  next: (count: number) => `Next ${number(count)}`,
  previous: (count: number) => `Previous ${number(count)}`,
};

export const remove = {
  title: (name: string) => `Remove ${name}`,
  ask: 'Remove {name}?',
  keep: 'Keep its records',
  keepText: (listed: string) => `It is not read any more. Its records (${listed}) stay as they are.`,
  keepButton: 'Remove from the schedule',
  withdraw: 'Withdraw its records',
  withdrawText: 'Upcoming events that no other source lists leave the catalogue. You can bring them back.',
  withdrawButton: 'Remove and withdraw',
  purge: 'Remove with all its records',
  deleted: (counts: string) => `Will be deleted: ${counts}.`,
  leave: 'These leave the catalogue, because no other source has them: {counts}.',
  noneLeaves: 'Other sources have all of them, so none leaves the catalogue.',
  others: (counts: string) => `These stay, because other sources have them: ${counts}.`,
  running: 'The source is being read now, so these numbers still grow. The removal begins when the run ends.',
  noOthers: 'No record of another source is affected.',
  hidden: (counts: string) => `These are hidden or deleted already, and stay so: ${counts}.`,
  final: 'This cannot be undone.',
  sure: 'Delete these records for good',
  purgeButton: 'Remove with its records',
  back: 'Keep the source',
  refused: 'Nothing was changed. Correct this:',
  noWay: 'Choose what happens to its records.',
};

export const add = {
  title: 'Add a source',
  lead: 'Paste the address of a club, a programme, a calendar or a podcast. Its source is recognized. Nothing is imported before you add it.',
  refused: 'The source was not added. Correct this:',
  unread: 'The address could not be read as a source:',
  url: 'Address',
  type: 'Type',
  name: 'Name',
  nameHint: 'Shown with its events; by default the host',
  addedNameHint: 'Shown with its events',
  preview: 'Preview',
  types: {
    '': 'Recognize it',
    ical: 'Calendar (iCalendar)',
    jsonld: 'Pages or a sitemap with schema.org data',
    podcast: 'Podcast (RSS or Atom)',
    feed: 'Feed of cratebase',
    ticketmaster: 'Ticketmaster',
    musicbrainz: 'MusicBrainz',
    discogs: 'Discogs',
    wordpress: 'WordPress (The Events Calendar)',
    squarespace: 'Squarespace',
    gancio: 'Gancio',
    mobilizon: 'Mobilizon',
    eventbrite: 'Eventbrite',
    tickettailor: 'Ticket Tailor',
    seatgeek: 'SeatGeek',
    csv: 'Table (CSV)',
    openstreetmap: 'OpenStreetMap (Overpass)',
    wikidata: 'Wikidata (query)',
  } as Record<string, string>,
  found: 'Address',
  events: 'Events',
  soFar: (text: string) => `${text} so far`,
  rejected: 'Rejected',
  empty: 'It lists no events. It can still be added.',
  withoutCity: (count: number) => `${count === 1 ? 'One event has' : `${count} events have`} no city.`,
  withoutZone: (count: number) =>
    `${count === 1 ? 'One event has a clock time' : `${count} events have clock times`} of an unknown time zone, so only the date is shown.`,
  placeLater:
    'This type takes no place. Add the source, then set city, country and time zone in its settings and rules.',
  place: { city: 'City', country: 'Country', timezone: 'Time zone' },
  placeHints: {
    city: 'Of events that state none, such as Berlin',
    country: 'Its code, such as DE',
    timezone: 'Only if the city does not say it, such as Europe/Berlin',
  },
  previewAgain: 'Preview again with this place',
  shorterLineups: 'Events that would lose acts',
  shorterLineupsText:
    'The line-up that this source states replaces the one read from a description or title. To keep an act whatever sources state, add it on the page of the event before.',
  withoutActs: (names: string) => `without ${names}`,
  matches: 'The catalogue has these already',
  noMatches: 'The catalogue has none of these records yet.',
  matchesUnknown:
    'The data file is too large to compare with while you wait. `cratebase add` in the terminal does so.',
  addTitle: 'Add it',
  complete: 'The list is complete: events missing from it count as cancelled',
  submit: 'Add the source',
  another: 'Another address',
};
/** The name of a kind of record; an unknown kind is its own name. */
export const kindName = (kind: string): string => kinds[kind]?.[0] ?? kind;
/** The number of records of a kind, with its name. */
export const kindCount = (kind: string, count: number): string =>
  counted(count, ...(kinds[kind] ?? [kind, kind]));
