/** The options that set rules of a source, shared by `sources add`, `sources set` and `sources preview`. */
import type { Command } from 'commander';
import type { RuleChanges } from '../../../app.ts';

export type RuleOptions = {
  include?: string[];
  exclude?: string[];
  defaultCity?: string;
  defaultCountry?: string;
  defaultTimezone?: string;
  defaultGenre?: string[];
  hold?: boolean;
  license?: string;
  attribution?: string;
  attributionUrl?: string;
  maxAge?: string;
  keepPast?: boolean;
  onMissing?: string;
  unset?: string[];
};

/** Adds the options of rules that decide which records are imported. */
export function addFilterOptions(command: Command): Command {
  return command
    .option('--include <pattern...>', 'import only listings that fit one of these: words, or * and ?')
    .option('--exclude <pattern...>', 'do not import listings that fit one of these')
    .option('--max-age <span>', 'do not import events that ended longer ago, such as 90d');
}

/** Adds the options of all rules. */
export function addRuleOptions(command: Command): Command {
  return addFilterOptions(command)
    .option('--default-city <city>', 'city of listings that state none')
    .option('--default-country <code>', 'country of listings that state none, such as DE')
    .option('--default-timezone <zone>', 'time zone of listings that state none')
    .option('--default-genre <name...>', 'genres of events that state none')
    .option('--hold', 'new records wait until you approve them')
    .option('--license <id>', 'licence of the records: an SPDX identifier or an address')
    .option('--attribution <text>', 'line that names the source')
    .option('--attribution-url <url>', 'address that the line links to')
    .option('--keep-past', 'keep past events that a complete source no longer lists')
    .option(
      '--on-missing <choice>',
      'upcoming events that a complete source no longer lists: cancel, remove, or remove:7d for after 7 days (default: cancel)',
    );
}

/** Returns the changes that the options ask for. Patterns are added to those that are set. */
export const ruleChangesOf = (options: RuleOptions): RuleChanges => ({
  addInclude: options.include,
  addExclude: options.exclude,
  city: options.defaultCity,
  country: options.defaultCountry,
  timezone: options.defaultTimezone,
  genres: options.defaultGenre,
  hold: options.hold,
  license: options.license,
  attribution: options.attribution,
  attributionUrl: options.attributionUrl,
  maxAge: options.maxAge,
  keepPast: options.keepPast,
  onMissing: options.onMissing,
  unset: options.unset,
});
