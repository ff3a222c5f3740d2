/** `sources`: adds, lists and removes the sources of the catalogue. */
import type { Command } from 'commander';
import { sourceTypeList } from '../../contract/source-formats.ts';
import type { ListedSource, SourceSummary } from '../../contract/source-summaries.ts';
import { Failure } from '../../failure.ts';
import { plural } from '../../plural.ts';
import { terminalActor } from '../actor.ts';
import { addExamples, followUpCommand, printResult, shellQuote, withApp } from '../command.ts';
import { describeClosedVenues } from '../output/closed-venues.ts';
import { formatMinute, maxListed } from '../output/import-report.ts';
import { formatTable, note, stripUnsafeCharacters } from '../output/terminal.ts';
import { isReadByService, readingAdvice, resolveFetchConfig } from '../running-service.ts';
import { purgeSource } from './purge.ts';
import { addHistory } from './sources/history.ts';
import { addPreview } from './sources/preview.ts';
import { withSources } from './sources/registry.ts';
import { addReview } from './sources/review.ts';
import { addRuleOptions, type RuleOptions, ruleChangesOf } from './sources/rule-options.ts';
import { addSettings } from './sources/settings.ts';

type AddOptions = {
  type: string;
  url: string;
  trust?: string;
  every?: string;
  clock?: string;
  complete?: true;
  option?: string[];
};

/** Adds `sources` and its subcommands to the program. */
export function addSources(program: Command): void {
  const sources = program
    .command('sources')
    .description(
      'Manage the sources of the catalogue. `serve` reads each once a day, `sync` reads them now.',
    );
  addExamples(sources, [
    ['cratebase sources add club --type ical --url https://club.example/events.ics', ''],
    ['cratebase sources list', 'with the time and result of the last run'],
  ]);
  addAdd(sources);
  addList(sources);
  addSettings(sources);
  addPreview(sources);
  addHistory(sources);
  addReview(sources);
  addRemove(sources);
}

function addAdd(sources: Command): void {
  const add = sources
    .command('add')
    .argument('<name>', 'name of the source; shown with its events')
    .description('Add a source and read it regularly.')
    .requiredOption('--type <type>', sourceTypeList)
    .requiredOption('--url <url>', 'location of the source: an address, a file or a folder')
    .option('--trust <number>', '0 to 100; if sources disagree, the highest trust wins (default: 50)')
    .option('--every <span>', 'maximum time between two runs, such as 90m, 12h, 7d (default: 24h)')
    .option(
      '--clock <clock>',
      'local for a source that writes local times with Z; else instant (default: instant)',
    )
    .option('--complete', 'the source lists all its records: withdraw records that are missing')
    .option('--option <name=value...>', 'options of the type, such as country=DE');
  addRuleOptions(add);
  addExamples(add, [
    ['cratebase sources add club --type ical --url https://club.example/events.ics --complete', ''],
    ['cratebase sources add mixes --type podcast --url https://radio.example/feed.xml --every 6h', ''],
    ['cratebase sources add pages --type jsonld --url https://seller.example/sitemap.xml --trust 40', ''],
  ]);
  add.action(async (name: string) => {
    const options = add.opts<AddOptions & RuleOptions>();
    const { type, url, trust, every, clock, complete, option } = options;
    const config = { name, type, url, trust, every, clock, complete, options: option };
    const { added, blocked, isRead } = await withApp(add, { create: true }, async (app) => {
      const registry = await app.sources(resolveFetchConfig(add, app));
      const source = registry.add({ ...config, rules: ruleChangesOf(options) }, terminalActor());
      return { added: source, blocked: registry.blocked(source.name), isRead: isReadByService(app) };
    });
    const allow = blocked === null ? '' : ` --fetch-allow ${blocked.addresses.join(' ')}`;
    printResult(
      add,
      added,
      () =>
        `${formatSources([added])}\n${readingAdvice(isRead && blocked === null, `${followUpCommand(add, `sync ${shellQuote(added.name)}`)}${allow}`)}`,
    );
    if (blocked !== null) note(stripUnsafeCharacters(`${added.name}: ${blocked.advice}`));
  });
}

function addList(sources: Command): void {
  const list = sources
    .command('list')
    .description('List all sources with the time and result of the last run.');
  addExamples(list, [['cratebase sources list --json', '']]);
  list.action(async () => {
    const { rows, samples } = await withSources(list, { readOnly: true }, (registry, app) => ({
      rows: registry.list(),
      samples: app.starter.countSampleEvents(),
    }));
    printResult(list, { data: rows }, () =>
      rows.length === 0 ? 'No sources. To add one, see `cratebase sources add --help`.' : formatSources(rows),
    );
    for (const source of rows) noteProblems(source);
    if (samples > 0) note(sampleEventsNotice(list, samples));
  });
}

/** Returns a notice about the sample events, and how to remove or avoid them. */
const sampleEventsNotice = (command: Command, count: number): string =>
  `${plural(count, 'sample event')} of the starter catalogue ${count === 1 ? 'is' : 'are'} not real. To remove ${count === 1 ? 'it' : 'them'}, run \`${followUpCommand(command, 'samples remove')}\`. \`serve\` creates a data file without them, unless it is started with --dev or --samples.`;

/** Prints the last error and the first rejected records of a source. */
function noteProblems({ name, last_error, rejected_count, rejected, closed_venues }: ListedSource): void {
  if (last_error !== null) note(stripUnsafeCharacters(`${name}: ${last_error}`));
  for (const line of describeClosedVenues(closed_venues, `${name}: `)) note(stripUnsafeCharacters(line));
  if (rejected_count === 0) return;
  note(stripUnsafeCharacters(`${name}: ${plural(rejected_count, 'record')} rejected in the last run:`));
  for (const { where, line, reason } of rejected.slice(0, maxListed)) {
    note(stripUnsafeCharacters(`  ${where ?? `record ${line}`}: ${reason}`));
  }
  if (rejected_count > maxListed) note(`  … and ${rejected_count - maxListed} more (see --json)`);
}

function addRemove(sources: Command): void {
  const remove = sources
    .command('remove')
    .argument('<name>')
    .description('Remove a source from the schedule. Its records stay, unless you add --withdraw.')
    .option('--withdraw', 'withdraw its records; upcoming events without another source leave the catalogue')
    .option(
      '--purge',
      'delete the source with all its records, unless another source has them; this cannot be reversed',
    )
    .option('--yes', 'with --purge: do not ask');
  addExamples(remove, [
    ['cratebase sources remove club', 'its records stay'],
    ['cratebase sources remove club --purge', 'also deletes its records and those that only they mention'],
  ]);
  remove.action(async (name: string) => {
    const { withdraw = false, purge, yes } = remove.opts<{ withdraw?: true; purge?: true; yes?: true }>();
    if (purge === true) {
      if (withdraw) throw new Failure('Use either --withdraw or --purge.', 2);
      return await purgeSource(remove, name, yes === true);
    }
    const report = await withSources(remove, {}, (registry, app) => {
      const samples =
        name === 'sample' && !registry.names().includes(name) ? app.starter.countSampleEvents() : 0;
      if (samples > 0)
        throw new Failure(`sample is not a scheduled source. ${sampleEventsNotice(remove, samples)}`);
      return registry.remove(name, { withdraw }, terminalActor());
    });
    printResult(remove, report, () =>
      withdraw
        ? `removed ${name}; ${report.withdrawn} of its records ${report.withdrawn === 1 ? 'is' : 'are'} withdrawn`
        : `removed ${name}; its ${report.records === 1 ? 'record stays' : `${report.records} records stay`}`,
    );
  });
}

/** Returns the sources as a table. On a narrow terminal, address and settings have a line below each source. */
function formatSources(sources: SourceSummary[]): string {
  const titles = ['NAME', 'TYPE', 'RECORDS', 'LAST READ (UTC)', 'NEXT (UTC)', 'STATE'];
  const rows = sources.map((source) => [
    source.name,
    source.type,
    source.records,
    formatMinute(source.scheduled ? source.last_success_at : source.last_run_at),
    formatMinute(source.next_run_at),
    stateText(source),
  ]);
  if (!isNarrow()) {
    const more = sources.map(({ every, trust, url }) => [every, trust, url]);
    return formatTable(
      [...titles, 'EVERY', 'TRUST', 'URL'],
      rows.map((row, at) => [...row, ...(more[at] ?? [])]),
    );
  }
  const [head, ...lines] = formatTable(titles, rows).split('\n');
  const below = sources.map(({ scheduled, every, trust, url }) =>
    stripUnsafeCharacters(scheduled ? `  ${url}, every ${every}, trust ${trust}` : `  trust ${trust}`),
  );
  return [head, ...lines.flatMap((line, at) => [line, below[at]])].join('\n');
}

const isNarrow = (): boolean => process.stdout.isTTY === true && (process.stdout.columns || 80) < 120;

function stateText(source: SourceSummary): string {
  const { scheduled, records, failures, last_success_at, rejected_count, paused_at } = source;
  if (!scheduled) return 'not scheduled';
  if (paused_at !== null) return 'paused';
  const rejectedText = rejected_count === 0 ? '' : `, ${rejected_count} rejected`;
  if (failures > 0) return `${failures === 1 ? 'failed' : `failed ${failures} times`}${rejectedText}`;
  if (last_success_at !== null) return records === 0 ? `ok, no records${rejectedText}` : `ok${rejectedText}`;
  return records === 0 ? 'not read yet' : 'not read completely yet';
}
