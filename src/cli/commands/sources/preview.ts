/** `sources preview`: what rules keep and drop of a source's records, or what a new source would bring. */
import type { Command } from 'commander';
import type { App, FetchConfig } from '../../../app.ts';
import type { SourcePreview } from '../../../contract/source-summaries.ts';
import { Failure } from '../../../failure.ts';
import { addExamples, dataPath, printResult, settingOption, withApp } from '../../command.ts';
import { runOnCopy } from '../../dry-run-copy.ts';
import type { DryRunPreview } from '../../output/import-report.ts';
import { changesSince, describePreview } from '../../output/import-report.ts';
import { noteWaiting } from '../../output/matching.ts';
import { describePreviewedRecords } from '../../output/source-details.ts';
import { fetchConfigOfFile } from '../../running-service.ts';
import { withSources } from './registry.ts';
import { addRuleOptions, type RuleOptions, ruleChangesOf } from './rule-options.ts';

type PreviewOptions = RuleOptions & {
  url?: string;
  type?: string;
  option?: string[];
  clock?: string;
  read?: true;
};

/** The name of a source that is previewed before it is added. */
const unnamed = 'preview';

/** Adds the command to `sources`. */
export function addPreview(sources: Command): void {
  const preview = sources
    .command('preview')
    .argument('[name]', 'a source; without a name, --url and --type')
    .description(
      'Show which stored records of a source its rules would keep and drop, or what a new source would bring. Writes nothing.',
    )
    .option('--url <url>', 'read the start of this address, file or folder instead')
    .option('--type <type>', 'type of the source at --url')
    .option('--option <name=value...>', 'options of the type at --url, such as country=DE')
    .option('--clock <clock>', 'clock of the source at --url: instant or local')
    .option('--read', 'read the start of the source again instead of its stored records');
  addRuleOptions(preview)
    .option('--unset <rule...>', 'leave these rules out')
    .addOption(settingOption('fetchAllow'));
  addExamples(preview, [
    ['cratebase sources preview club --exclude "Brain Break*"', ''],
    ['cratebase sources preview --url https://club.example/events.ics --type ical', ''],
  ]);
  preview.action((name: string | undefined) => runPreview(preview, name));
}

async function runPreview(command: Command, name: string | undefined): Promise<void> {
  const options = command.opts<PreviewOptions>();
  if (options.url === undefined) {
    if (name === undefined) throw new Failure('Name a source, or give --url and --type.', 2);
    if (options.read !== true) return previewStored(command, name, options);
  } else if (options.type === undefined) throw new Failure('--url needs --type.', 2);
  const data = dataPath(command);
  const from = await fetchConfigOfFile(command, data);
  const result = await runOnCopy(command, data, (copy) =>
    withApp(command, { data: copy, create: true }, (app) => readAndMatch(app, from, name, options)),
  );
  printResult(command, result, () => describeRead(result));
}

async function previewStored(command: Command, name: string, options: PreviewOptions): Promise<void> {
  const result = await withSources(command, { readOnly: true }, (registry) =>
    registry.preview(name, ruleChangesOf(options)),
  );
  printResult(command, result, () => describePreviewedRecords(result));
}

type ReadPreview = SourcePreview & DryRunPreview;

/** Reads the source, and imports its first records into the copy, which shows what they match. */
async function readAndMatch(
  app: App,
  from: FetchConfig,
  name: string | undefined,
  { url, type = '', option, clock, ...options }: PreviewOptions,
): Promise<ReadPreview> {
  const registry = await app.sources(from);
  const rules = ruleChangesOf(options);
  const reading =
    url === undefined
      ? await registry.previewRead(name as string, rules)
      : await registry.previewUrl({ name: name ?? unnamed, type, url, clock, options: option, rules });
  const matches = await app.dryRunMatches();
  const before = app.revision();
  const settings = { clock: clock === 'local' ? ('local' as const) : undefined, rules };
  await registry.importPreview(reading, settings, { onMatched: matches.add, onWait: noteWaiting });
  return {
    ...reading.preview,
    changes: changesSince(app, before),
    matches: matches.named(reading.preview.source),
  };
}

function describeRead(result: ReadPreview): string {
  const { stopped, rejected, rejected_count: count } = result;
  const problems = rejected.map(({ where, reason }) => `rejected: ${where}: ${reason}`);
  const more = count > rejected.length ? [`… and ${count - rejected.length} more rejected`] : [];
  return [
    describePreviewedRecords(result),
    ...problems,
    ...more,
    describePreview(result),
    ...(stopped === null ? [] : [stopped]),
    'preview: nothing was written',
  ]
    .filter((part) => part !== '')
    .join('\n');
}
