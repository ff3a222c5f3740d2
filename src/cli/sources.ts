/** `sources`: what the catalogue is filled from, day by day. */
import type { Command } from 'commander';
import type { ShownSource } from '../app.ts';
import { addExamples, fetchSettings, show, withApp } from './command.ts';
import { harmless, note, table } from './terminal.ts';

type AddOptions = {
  type: string;
  url: string;
  trust?: string;
  every?: string;
  clock?: string;
  complete?: true;
  option?: string[];
};

export function addSources(program: Command): void {
  const sources = program
    .command('sources')
    .description('What the catalogue is filled from: `serve` reads each once a day, `sync` at once.');
  addExamples(sources, [
    ['cratebase sources add club --type ical --url https://club.example/events.ics', ''],
    ['cratebase sources list', 'with when each was read and how that went'],
  ]);
  addAdd(sources);
  addList(sources);
  addRemove(sources);
}

function addAdd(sources: Command): void {
  const add = sources
    .command('add')
    .argument('<name>', 'whose listings they are; shown with every event')
    .description('Have a source read from now on.')
    .requiredOption('--type <type>', 'feed, jsonld, ticketmaster, ical, podcast, musicbrainz or discogs')
    .requiredOption('--url <url>', 'where it begins: an address, a file or a folder')
    .option('--trust <number>', '0 to 100: whose word counts where sources disagree (default: 50)')
    .option('--every <span>', 'how often, at least: 90m, 12h, 7d (default: 24h)')
    .option('--clock <clock>', 'instant, or local: its times with Z are local clock times (default: instant)')
    .option('--complete', 'it lists all it has: what it lists no longer is withdrawn')
    .option('--option <name=value...>', 'what its type may be told, such as country=DE');
  addExamples(add, [
    ['cratebase sources add club --type ical --url https://club.example/events.ics --complete', ''],
    ['cratebase sources add mixes --type podcast --url https://radio.example/feed.xml --every 6h', ''],
    ['cratebase sources add pages --type jsonld --url https://seller.example/sitemap.xml --trust 40', ''],
  ]);
  add.action(async (name: string) => {
    const { option, ...rest } = add.opts<AddOptions>();
    const added = await withApp(add, { create: true }, async (app) =>
      (await app.feeds(fetchSettings(add))).add({ name, ...rest, options: option }),
    );
    show(add, added, () => `${describe([added])}\nread it now with: cratebase sync ${quoted(added.name)}`);
  });
}

function addList(sources: Command): void {
  const list = sources.command('list').description('All of them, when they were read and how that went.');
  addExamples(list, [['cratebase sources list --json', '']]);
  list.action(async () => {
    const found = await withApp(list, {}, async (app) => (await app.feeds(fetchSettings(list))).list());
    show(list, { data: found }, () =>
      found.length === 0 ? 'no sources yet: see `cratebase sources add --help`' : describe(found),
    );
    for (const { name, last_error } of found) {
      if (last_error !== null) note(harmless(`${name}: ${last_error}`));
    }
  });
}

function addRemove(sources: Command): void {
  const remove = sources
    .command('remove')
    .argument('<name>')
    .description('Read a source no longer. What it said stays, unless it is withdrawn.')
    .option('--withdraw', 'withdraw what it lists: shows to come that no other source lists are cancelled');
  addExamples(remove, [['cratebase sources remove club', '']]);
  remove.action(async (name: string) => {
    const withdraw = remove.opts<{ withdraw?: true }>().withdraw === true;
    const removed = await withApp(remove, {}, async (app) =>
      (await app.feeds(fetchSettings(remove))).remove(name, { withdraw }),
    );
    show(remove, removed, () =>
      withdraw
        ? `${name} is read no longer; ${removed.withdrawn} of its records are withdrawn`
        : `${name} is read no longer; its ${removed.records} records stay`,
    );
  });
}

const quoted = (name: string): string =>
  /^[\w.-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;

function describe(sources: ShownSource[]): string {
  const titles = ['NAME', 'TYPE', 'URL', 'EVERY', 'TRUST', 'RECORDS', 'LAST READ', 'NEXT', 'STATE'];
  const rows = sources.map((source) => [
    source.name,
    source.type,
    source.url,
    source.every,
    source.trust,
    source.records,
    minutes(source.last_success_at),
    minutes(source.next_run_at),
    stateOf(source),
  ]);
  return table(titles, rows);
}

const minutes = (at: string | null): string | null => at?.slice(0, 16).replace('T', ' ') ?? null;

function stateOf({ failures, last_success_at }: ShownSource): string {
  if (failures > 0) return failures === 1 ? 'failed' : `failed ${failures} times`;
  return last_success_at === null ? 'not read yet' : 'ok';
}
