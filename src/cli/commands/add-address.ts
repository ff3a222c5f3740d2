/** `add URL`: recognizes an address, shows what it would bring, and adds it as a source. */
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { previewedEvents, shorterLineups } from '../../actions.ts';
import type { App, FetchConfig, RecognizedSource } from '../../app.ts';
import type { ShorterLineup, SourceSummary } from '../../contract/source-summaries.ts';
import { Failure } from '../../failure.ts';
import { terminalActor } from '../actor.ts';
import { dataPath, printResult, wantsJson, withApp } from '../command.ts';
import { runOnCopy } from '../dry-run-copy.ts';
import { changesSince } from '../output/import-report.ts';
import { noteWaiting } from '../output/matching.ts';
import {
  describeRecognized,
  describeTried,
  notFoundAdvice,
  type RecognizedResult,
} from '../output/recognized-address.ts';
import { note, stripUnsafeCharacters } from '../output/terminal.ts';
import { addedAdvice, fetchConfigOfFile } from '../running-service.ts';
import { assertConfirmed } from './removals.ts';

/** The options of `add` that are about an address. */
export type AddressOptions = {
  name?: string;
  type?: string;
  trust?: string;
  every?: string;
  complete?: true;
  option?: string[];
  license?: string;
  attribution?: string;
  dryRun?: true;
  yes?: true;
};

/** Whether the argument of `add` is an address. */
export const isAddress = (text: string): boolean => /^(?:https?|webcals?):\/\//i.test(text);

/** Whether the argument of `add` is an address without its scheme, such as club.example/events.ics: no kind of record has these marks. */
export function isBareAddress(text: string): boolean {
  const [host = ''] = text.split('/');
  return !/[\s=]/.test(text) && (/[.:]/.test(host) || host.toLowerCase() === 'localhost');
}

/** Shows what an address would bring, asks, and adds it. */
export async function addAddress(command: Command, url: string): Promise<void> {
  const options = command.opts<AddressOptions>();
  const data = dataPath(command);
  const from = await fetchConfigOfFile(command, data);
  const result = await runOnCopy(command, data, (copy) =>
    withApp(command, { data: copy, create: true }, (app) => recognize(command, app, from, url, options)),
  );
  const { found } = result;
  if (found === null) return reportNotFound(command, url, result);
  if (options.dryRun === true) {
    printResult(
      command,
      publicResult(result, null),
      () => `${describeRecognized(result)}\ndry run: nothing was added`,
    );
    return;
  }
  if (!wantsJson(command)) note(describeRecognized(result));
  await assertConfirmed(options.yes === true, `Add it as the source ${found.name}?`);
  const { added, advice } = await withApp(command, { create: true }, async (app) => {
    const registry = await app.sources(from);
    const source = registry.add({ ...configOf(found, options) }, terminalActor());
    return { added: source, advice: await addedAdvice(command, app, source.name) };
  });
  printResult(command, publicResult(result, added), () => `added ${added.name}\n${advice}`);
}

/** Recognizes the address and imports its first records into a copy, which shows what they match. */
async function recognize(
  command: Command,
  app: App,
  from: FetchConfig,
  url: string,
  options: AddressOptions,
): Promise<RecognizedResult> {
  const registry = await app.sources(from);
  const { name, type, option } = options;
  const { found, reading, tried, requests } = await registry.recognize({ url, name, type, options: option });
  if (reading === null)
    return {
      ...{ found, preview: null, tried, requests },
      ...{ records: [], areOver: false, without_city: 0, without_zone: 0, shorter_lineups: [] },
      ...{ changes: [], matches: [] },
    };
  const matches = await app.dryRunMatches();
  const before = app.revision();
  await registry.importPreview(reading, {}, { onMatched: matches.add, onWait: noteWaiting });
  const previews = matches.named(reading.preview.source);
  const changes = changesSince(app, before);
  const next = previewedEvents(app, changes, previews, maxShownEvents);
  const shorter_lineups = await withPresent(command, (present) => shorterLineups(present, app, changes));
  const lists = { ...next, shorter_lineups, changes, matches: previews };
  return { found, preview: reading.preview, tried, requests, ...lists };
}

const maxShownEvents = 5;

/** Compares with the data file as it is; a new one has nothing to compare with. */
async function withPresent(
  command: Command,
  compare: (present: App) => ShorterLineup[],
): Promise<ShorterLineup[]> {
  const data = dataPath(command);
  if (!existsSync(data)) return [];
  return await withApp(command, { data, readOnly: true, anySchema: true }, compare);
}

/** The settings of the new source: what the person gave, else what was recognized. */
function configOf(
  source: RecognizedSource,
  { trust, every, complete, license, attribution }: AddressOptions,
) {
  const { name, type, url, options } = source;
  const rules = {
    license: license ?? source.license ?? undefined,
    attribution: attribution ?? source.attribution ?? undefined,
  };
  return { name, type, url, options, trust, every, complete, rules };
}

/** The result for --json, without the address that may contain a key. */
function publicResult({ found, preview, areOver, ...rest }: RecognizedResult, added: SourceSummary | null) {
  const recognized = found === null || preview === null ? null : { ...found, url: preview.url };
  const isAllOver = areOver && preview?.is_complete === true;
  return { found: recognized, preview, ...rest, are_over: isAllOver, added };
}

function reportNotFound(command: Command, url: string, result: RecognizedResult): void {
  if (!wantsJson(command)) {
    note(stripUnsafeCharacters(describeTried(url, result.tried)));
    throw new Failure(notFoundAdvice);
  }
  printResult(command, publicResult(result, null), () => '');
  process.exitCode = 1;
}
