/** The texts of refusals that reach the console as codes (`Failure.details.code`), in English. */
type Value = string | number;

const texts = {
  added_removed: (record: Value) => `The catalogue has ${record}, but it was removed. Restore that one.`,
  all_parts: 'These are all source records of the record. Leave out at least one, which stays.',
  artist_ambiguous: (artists: Value) =>
    `Several artists have this name. Write one of these instead of it: ${artists}.`,
  artist_missing: (artist: Value) =>
    `There is no artist ${artist}. Write a name, or artist/ and the end of the address of its page.`,
  busy: 'Another import or change is at work. Try again when it is done.',
  changed_again: 'The field was changed again since. Look at its history, and undo the later change first.',
  decided: (person: Value) =>
    `This pair is decided already, by ${person}. The first decision holds; it can be undone in the history of the record.`,
  decided_otherwise: 'An earlier decision says otherwise. Tick the box to replace it.',
  delayed_by:
    'Your change waits until an import or another change ends. It is made as soon as that ends; the audit log shows it then. Do not send it again.',
  delayed_change:
    'Your change takes longer than usual and goes on. The audit log shows it when it is done. Do not send it again.',
  delayed_read: 'This takes longer than usual. Nothing was changed. Try again in a minute.',
  conflict: 'The field was changed meanwhile, and nothing was saved. Look at the new value, then save again.',
  deleted_already: 'The record is deleted already. Restore it on its page.',
  deleted_not_hidden: 'The record is deleted, not hidden. Restore it on its page.',
  edition_format: 'Write the festival and its edition, such as "Awakenings/2026".',
  end_before_start: 'The end is before the start. Change one of them, or empty the end.',
  entry_missing: (entry: Value) => `There is no entry ${entry} in the audit log.`,
  file_busy: 'Another process writes to the data file. Try again when it is done.',
  forgotten: 'This record is forgotten for good. Nothing is left that could be changed or restored.',
  forgotten_field: 'This artist was forgotten at the request of the person. Only the genres can be edited.',
  forgotten_name:
    'This names an artist who was forgotten at the request of the person. Use the name that the catalogue shows, or leave it out.',
  form: 'The form is incomplete. Open its page again, and send it from there.',
  form_too_large: 'The form is too large. Send less text, or a smaller file.',
  held_missing: 'One of the records does not wait any more. Reload the page.',
  id_format: 'Write the service and the id, such as discogs:28795.',
  in_use: (count: Value) =>
    `${count} other records use it. Merge it into the right one, or remove those records first.`,
  json: 'The text begins with a bracket but is not valid JSON. Check its brackets and quotes.',
  kinds_differ: 'These are records of different kinds. Name one of the same kind.',
  merged_since: (record: Value) => `The record was merged into ${record} since. Undo the merge first.`,
  lease_lost:
    'Another machine of the service began to change the catalogue meanwhile, and nothing was saved. Try again.',
  lease_taken: 'Another machine of the service changes the catalogue now. Try again in a minute.',
  not_scheduled: 'The source has no schedule any more. Add it again to have it read.',
  no_edit: 'The field has no edit any more: another person reset it. Reload the page.',
  not_undoable: (entry: Value) => `Entry ${entry} cannot be undone.`,
  nothing_left:
    'Nothing is left of the record: the sources that listed it were removed with all their records.',
  nothing_to_split: 'Only one source states the record, so there is nothing to split.',
  nothing_to_undo: 'The split made no records; there is nothing to undo.',
  only_artists: 'Only an artist can be forgotten. Delete other records.',
  pair_merged: 'These two are one record now: an import or another person merged them.',
  pair_not_open: 'This pair is not in doubt any more.',
  pair_postponed: 'This pair was put off. It returns when one of its source records changes.',
  pair_removed: 'One of the two records was removed meanwhile.',
  part_missing: 'One of the source records is not part of the record any more. Reload the page.',
  part_of_festival: 'An edition belongs to its festival. Merge or split the festivals instead.',
  part_of_podcast: 'An episode belongs to its podcast. Merge or split the podcasts instead.',
  place_taken:
    'Nothing was changed. Another record took the place of this one meanwhile. Delete that one first.',
  place_missing: 'No source says where this venue is. Set city and country as well.',
  record_ambiguous: (records: Value) => `Several records have this name. Write one of these: ${records}.`,
  record_gone: 'The record is not in the catalogue any more.',
  record_missing:
    'There is no such record. Write the address of its page, its id, or its kind and name: artist/ben-klock.',
  removed_again: 'The record was removed again since.',
  removed_with: (record: Value) => `It was removed together with ${record}. Restore that.`,
  required: 'This cannot be empty.',
  role_required: 'Your role does not allow this. An operator can change the role.',
  same_record: (record: Value) =>
    `Both are the same record, ${record}. To separate it, split it on its page.`,
  slow_address: 'The address takes too long to answer. Try again later.',
  source_missing: 'There is no such source any more.',
  stopped_before: 'The service stopped before it carried this out. Nothing was changed. Send it again.',
  stopped_during:
    'The service stopped while this was carried out. Check whether it was done, then try again.',
  older_nodes:
    'Machines with an older version of the program run. Until they are updated, changes are made on one of them: open the console there.',
  split_since: (entry: Value) => `Entry ${entry} split the record since. Undo that entry first.`,
  stopping: 'The service is stopping. Try again shortly.',
  too_many_actions: 'Too many actions wait to be carried out. Try again in a minute.',
  undo_forgotten: (entry: Value) =>
    `Entry ${entry} cannot be undone: its artist was forgotten, and its values with it.`,
  undone_already: (entry: Value) => `Entry ${entry} is undone already.`,
  unexpected:
    'This ended unexpectedly. A change is made as a whole or not at all: check whether it was made, then try again. The log of the service has the reason.',
  value_country: 'Write a country as two letters, such as DE.',
  value_time: 'Write date and time, such as 2026-12-31T22:00.',
  value_timezone: 'Write a time zone such as Europe/Berlin.',
  value_url: 'Write an address that begins with https:// or http://.',
  venue_city_missing: 'The venue is in another country than the event. Write its city as well.',
  venue_missing: (venue: Value) =>
    `There is no venue ${venue}. Write a name, or venue/ and the end of the address of its page.`,
};

export const consoleRefusals = {
  slow: 'This takes longer',
  delayed: 'Your change waits',
  refused: 'That was not done',
  back: 'Back',
  missing: 'Not found',
  failed: 'That did not work',
  broken: 'Something went wrong here',
  brokenText:
    'The log of the service has the reason, under the request named below. Try again; a change is made as a whole or not at all.',
  unavailable: 'Not available at present',
  unavailableText:
    'The data file cannot be used at present. Try again shortly. An operator sees the reason in the log of the service.',
  texts,
};
