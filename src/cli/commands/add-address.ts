/** `add URL`: recognizes an address, shows what it would bring, and adds it as a source. */
import type { Command } from 'commander';
import type { App, FetchConfig, RecognizedSource } from '../../app.ts';
import type { SourceSummary } from '../../contract/source-summaries.ts';
import { Failure } from '../../failure.ts';
import { terminalActor } from '../actor.ts';
import { dataPath, followUpCommand, printResult, shellQuote, wantsJson, withApp } from '../command.ts';
import { runOnCopy } from '../dry-run-copy.ts';
import { changesSince, type DryRunPreview } from '../output/import-report.ts';
import { noteWaiting } from '../output/matching.ts';
import {
  describeRecognized,
  describeTried,
  notFoundAdvice,
  type RecognizedResult,
  type ShownEvent,
} from '../output/recognized-address.ts';
import { note, stripUnsafeCharacters } from '../output/terminal.ts';
import { fetchConfigOfFile, isReadByService, readingAdvice } from '../running-service.ts';
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
    withApp(command, { data: copy, create: true }, (app) => recognize(app, from, url, options)),
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
  const { added, isRead } = await withApp(command, { create: true }, async (app) => {
    const registry = await app.sources(from);
    const source = registry.add({ ...configOf(found, options) }, terminalActor());
    return { added: source, isRead: isReadByService(app) };
  });
  printResult(
    command,
    publicResult(result, added),
    () =>
      `added ${added.name}\n${readingAdvice(isRead, followUpCommand(command, `sync ${shellQuote(added.name)}`))}`,
  );
}

/** Recognizes the address and imports its first records into a copy, which shows what they match. */
async function recognize(
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
      ...{ records: [], areOver: false, changes: [], matches: [] },
    };
  const matches = await app.dryRunMatches();
  const before = app.revision();
  await registry.importPreview(reading, {}, { onMatched: matches.add, onWait: noteWaiting });
  const known = matches.named(reading.preview.source);
  const changes = changesSince(app, before);
  const next = nextEvents(app, changes, known);
  return { found, preview: reading.preview, tried, requests, ...next, changes, matches: known };
}

/** Events of the copy that are read to find the next ones: as many as a preview reads. And how many are shown. */
const maxReadEvents = 500;
const maxShownEvents = 5;

type EventRecord = {
  name: string;
  start_at: string;
  end_at: string | null;
  timezone: string | null;
  venue: { name: string } | null;
  city: { name: string } | null;
  lineup: { name: string }[];
};

/** Returns the next events of the copy that come from the address; the latest past ones where none is to come. */
function nextEvents(
  app: App,
  changes: DryRunPreview['changes'],
  matches: DryRunPreview['matches'],
): { records: ShownEvent[]; areOver: boolean } {
  const known = new Set(matches.filter(({ kind }) => kind === 'event').map(({ slug }) => slug));
  const changed = changes.filter(({ kind, what }) => kind === 'event' && /^(?:created|updated)$/.test(what));
  const slugs = new Set([...known, ...changed.flatMap(({ slug }) => slug ?? [])]);
  const events = [...slugs].slice(0, maxReadEvents).map((slug) => {
    // Records are typed by the schemas that responses are tested against.
    const event = app.record('event', slug, '', '') as unknown as EventRecord;
    return {
      // Without a zone the clock time is not known.
      ...{
        slug,
        name: event.name,
        start_at: event.timezone === null ? event.start_at.slice(0, 10) : event.start_at,
        end_at: event.end_at,
      },
      ...{ venue: event.venue?.name ?? null, city: event.city?.name ?? null },
      artists: event.lineup.map(({ name }) => name),
      is_known: known.has(slug),
    };
  });
  const sorted = events.toSorted((a, b) => Date.parse(a.start_at) - Date.parse(b.start_at));
  const now = app.clock.now();
  const coming = sorted.filter(({ start_at, end_at }) => endOf(start_at, end_at) > now);
  const areOver = coming.length === 0 && sorted.length > 0;
  const records = (areOver ? sorted.toReversed() : coming).slice(0, maxShownEvents);
  return { records: records.map(({ end_at: _, ...shown }) => shown), areOver };
}

/** When an event is over, in ms since 1970: a date alone lasts all day, and a night without an end until the next noon. */
function endOf(start: string, end: string | null): number {
  if (end !== null) return Date.parse(end);
  return Date.parse(start) + (start.length === 10 ? 24 : 12) * 3_600_000;
}

/** The settings of the new source: what the person gave, else what was recognized. */
function configOf(found: RecognizedSource, { trust, every, complete, license, attribution }: AddressOptions) {
  const { name, type, url, options } = found;
  const rules = {
    license: license ?? found.license ?? undefined,
    attribution: attribution ?? found.attribution ?? undefined,
  };
  return { name, type, url, options, trust, every, complete, rules };
}

/** The result for --json, without the address that may contain a key. */
function publicResult({ found, preview, areOver, ...rest }: RecognizedResult, added: SourceSummary | null) {
  const shown = found === null || preview === null ? null : { ...found, url: preview.url };
  const isAllOver = areOver && preview?.is_complete === true;
  return { found: shown, preview, ...rest, are_over: isAllOver, added };
}

function reportNotFound(command: Command, url: string, result: RecognizedResult): void {
  if (!wantsJson(command)) {
    note(stripUnsafeCharacters(describeTried(url, result.tried)));
    throw new Failure(notFoundAdvice);
  }
  printResult(command, publicResult(result, null), () => '');
  process.exitCode = 1;
}
