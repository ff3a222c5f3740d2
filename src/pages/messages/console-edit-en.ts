/** The texts of the console's pages about records in English: search, one record, adding, merging, forgetting. */

/** A number, a date or a name in a sentence. */
type Value = number | string;

export const kinds: Readonly<Record<string, string>> = {
  event: 'event',
  artist: 'artist',
  venue: 'venue',
  festival: 'festival',
  edition: 'edition',
  city: 'city',
  label: 'label',
  genre: 'genre',
  podcast: 'podcast',
  episode: 'episode',
};

export const search = {
  title: 'Records',
  name: 'Name',
  hint: 'Artists, events, venues, festivals and all others',
  search: 'Search',
  add: 'Add a record',
  found: 'Found',
  none: 'No record has this name. Search finds words of names and their beginnings.',
  removed: 'Hidden and deleted',
  noneRemoved: 'Nothing is hidden or deleted.',
  removedBy: (state: string, person: string, day: string) => `${state} by ${person}, ${day}`,
};

export const states = { hidden: 'hidden', deleted: 'deleted', forgotten: 'forgotten' };

export const record = {
  done: {
    saved: 'Saved. Your values stand above every source until you reset them.',
    unchanged: 'Nothing was changed.',
    reset: 'Reset. The sources decide again.',
    hide: 'Hidden. It is gone from lists, search, pages, agents, exports and counts.',
    delete: 'Deleted. Later imports do not bring it back.',
    unhide: 'Shown again.',
    restore: 'Restored.',
    merge: 'Merged. The other record leads here.',
    split: 'Split.',
    undo: 'Undone.',
    added: 'Added.',
  },
  timezoneMissing:
    'Pages show the day only, without the clock time: no time zone is known. Set the time zone, a city or a venue.',
  created: (count: number): string =>
    count === 1
      ? 'The catalogue did not have this record, so it is new. If that is a typing error, undo the change in the history below.'
      : 'The catalogue did not have these records, so they are new. If one is a typing error, undo the change in the history below.',
  refused: 'Your change was not saved',
  missing: 'There is no such record',
  missingText: 'It may have been merged, or its address has a mistake. Search for its name.',
  toRecords: 'To the records',
  fields: 'Fields',
  sources: 'Sources',
  remove: 'Hide or delete',
  merge: 'Merge and split',
  privacy: 'Privacy request',
  privacyText: 'Erase for good what is known of the artist, if the artist asks for it.',
  forget: 'Forget …',
  history: 'History',
  publicPage: 'public page',
  removed: (state: string, person: string, day: string) =>
    `This record is ${state}, by ${person} on ${day}. `,
  reasonIs: 'Reason: ',
  showAgain: 'Show it again',
  restore: 'Restore it',
  noSources: 'No source describes this record. Others mention it by its name.',
  unlisted: 'no longer listed',
  page: 'page',
  reason: 'Reason',
  reasonHint: 'For the history; may be empty',
  hide: 'Hide',
  delete: 'Delete',
  removeText:
    'Both take it out of everything that visitors and programs see, and later imports do not bring it back. Both can be undone here.',
  mergeOther: 'Merge another record into this one',
  mergeHint: 'Its id, or {path}, or the address of its page',
  continue: 'Continue',
  similar: 'Similar: ',
  splitTitle: 'Split: these source records become a record of their own',
  split: 'Split',
  noHistory: 'No changes are recorded.',
  undo: 'Undo',
  undone: ' · undone',
  byImport: 'by an import',
  inTerminal: (person: string) => `${person}, in the terminal`,
  revision: (number: Value) => ` · revision ${number}`,
};

/** What happened to a record, in its history. */
export const history: Readonly<Record<string, string>> = {
  created: 'created',
  updated: 'updated',
  merged: 'merged',
  removed: 'removed',
  deleted: 'deleted',
  cancelled: 'cancelled',
  'record.edit': 'edited',
  'record.reset': 'reset',
  'record.add': 'added',
  'record.forget': 'forgotten',
  'record.hide': 'hidden',
  'record.delete': 'deleted',
  'record.unhide': 'shown again',
  'record.restore': 'restored',
  'record.merge': 'merged',
  'record.never-merge': 'kept separate',
  'record.split': 'split',
  'record.undo': 'undone',
  'review.later': 'put off in the review',
};

export const form = {
  save: 'Save',
  none: 'none',
  reset: 'Reset',
  resetTitle: 'Let the sources decide again',
  resetMissing: 'Choose at least one field to reset.',
  splitMissing: 'Choose at least one source record that leaves.',
  edited: 'edited',
  editedBy: (person: string, day: string) => ` by ${person}, ${day}; sources: `,
  json: ', as JSON',
  perLine: ', one per line',
  from: 'from ',
  noSource: 'no source states it',
  allSources: 'from all sources',
  derived: {
    lineup: 'derived from the genres of the line-up',
    description: 'read from the description',
    title: 'read from the title',
  },
  choices: {
    scheduled: 'scheduled',
    rescheduled: 'rescheduled',
    postponed: 'postponed',
    cancelled: 'cancelled',
  } as Readonly<Record<string, string>>,
};

export const add = {
  titles: {
    event: 'Add an event',
    artist: 'Add an artist',
    venue: 'Add a venue',
  } as Readonly<Record<string, string>>,
  kinds: 'Kinds',
  lead: 'If the catalogue has it already, your values join that record.',
  refused: 'The record was not added',
  required: 'Fill in this field.',
  add: 'Add',
  start: 'Local time: 2027-05-01T23:00',
  end: '2027-05-02T08:00',
  country: 'Two letters, such as DE',
  perLine: 'One per line',
  url: 'Page of the event',
};

export const merge = {
  title: 'Merge {other} into {record}?',
  short: 'Merge',
  missing: 'Name the record that is merged into this one.',
  notFound: 'There is no such record. Search for its name, and copy its id.',
  itself: 'That is this record itself, or one that was merged into it. Name another one.',
  stays: 'Stays',
  merged: 'Is merged into it',
  lead: 'Its events, sources and names move to the record that stays, and its address leads there. Later imports keep the two together. You can undo it in the history of the record.',
  force: 'Also if an editor decided that the two are different',
  merge: 'Merge',
  keep: 'Keep both',
};

export const forget = {
  title: 'Forget an artist',
  ask: 'Forget {name}?',
  notArtist: 'Only an artist that is shown can be forgotten.',
  final: 'This cannot be reversed.',
  lead: 'Real name, biography, picture, links, ids and aliases are erased, also in what sources stated and in the history. Later imports do not bring them back.',
  stageName: 'The stage name',
  keepName: 'Keep it: the name and its events stay',
  removeName: 'Remove it too: line-ups omit the artist, and the page is gone',
  sure: 'I have read that this cannot be reversed',
  forget: 'Forget for good',
  keep: 'Keep everything',
  refused: 'Nothing was changed',
  nameMissing: 'Choose whether the stage name stays.',
  sureMissing: 'Confirm that you have read that this cannot be reversed.',
  done: 'Forgotten',
  doneAll: 'The artist and the name are erased.',
  doneKept: 'What was known of the artist is erased. The name and its events stay.',
  changed: (count: string) => `Changed records that named the artist: ${count}.`,
  left: 'What is left to do',
  backups: 'Backups made before still contain the data. Delete them, or restore none of them.',
  sweep:
    'Unused parts of the data file may hold earlier versions. Stop the service once and run {command}. New backups do not contain them.',
  toRecords: 'To the records',
};

export const start = {
  short: 'Set up',
  title: (service: string) => `Set up ${service}`,
  lead: 'You become the operator: the account that manages sources, records, accounts and settings here.',
  account: 'Your account',
  signedIn: 'You are signed in as {email}. This account becomes the operator.',
  service: 'Your service',
  serviceText: 'You can change this later, in the settings.',
  create: 'Create the operator',
  become: 'Become the operator',
  haveAccount: 'Have an account here? {link}, and it becomes the operator.',
  signIn: 'Sign in',
  used: 'This link is not valid any more',
  usedText: 'This service has an operator already. Sign in.',
  expiredText:
    'It works once, for an hour, and only in the browser that opened it. `cratebase accounts operator-link` prints another one.',
};

export const welcome = {
  short: 'Welcome',
  title: 'You are the operator',
  lead: 'Signed in as {email}. Next, add the events of your city.',
  events: 'Events',
  samples: 'of them samples',
  artists: 'Artists',
  venues: 'Venues',
  sources: 'Sources',
  add: 'Add a source',
  addText: "Paste the address of a club's calendar. You see its events before anything is imported.",
  addSamples: ' The sample events of the starter catalogue are not real.',
  toSite: 'Look at the site',
};
