/** `add`: adds a source by its address, or a record by hand. */
import { existsSync, readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { AddReport } from '../../app.ts';
import type { Kind } from '../../contract/fields.ts';
import { Failure } from '../../failure.ts';
import { terminalActor } from '../actor.ts';
import { addExamples, followUpCommand, printResult, settingOption, shellQuote, withApp } from '../command.ts';
import { describeCreated, describeTimezone, undoCommand } from '../output/edits.ts';
import { noteWaiting, recordLabel } from '../output/matching.ts';
import { formatFields } from '../output/terminal.ts';
import { kinds } from '../record-kinds.ts';
import { addAddress, isAddress, isBareAddress } from './add-address.ts';

/** Adds `add` to the program. Its first argument decides: an address adds a source, a kind adds a record. */
export function addAdd(program: Command): void {
  const command = program
    .command('add')
    .argument(
      '<address-or-kind>',
      'an address (https://…), or event, artist, venue, festival, edition, city, label, genre, podcast, episode',
    )
    .argument('[field...]', 'FIELD=VALUE, with the fields of the feed format; lists by repeating a field')
    .option(
      '--from <file>',
      'records as in the feed format: a JSON object, an array, or lines; - is standard input',
    )
    .option('--reason <text>', 'why, for the history of the record')
    .option('--name <name>', 'name of the source at an address (default: its host)')
    .option('--type <type>', 'type of the source at an address, if it is not recognized')
    .option('--trust <number>', 'trust of the source, 0 to 100 (default: 50)')
    .option('--every <span>', 'maximum time between two runs of the source (default: 24h)')
    .option('--complete', 'the source lists all its records: withdraw records that are missing')
    .option('--option <name=value...>', 'options of the type, such as city=Berlin')
    .option('--license <id>', 'licence of the records of the source')
    .option('--attribution <text>', 'line that names the source')
    .option('--dry-run', 'show what the address would bring; add nothing')
    .option('--yes', 'do not ask')
    .addOption(settingOption('fetchAllow'))
    .description(
      'Add a source by its address: it is recognized, and five of its records are shown before you decide. Or add a record by hand: it is matched like a record of a source; if the catalogue has it already, your values join it.',
    );
  addExamples(command, [
    ['cratebase add https://club.example/programme', 'recognizes a calendar, event pages, WordPress …'],
    ['cratebase add https://club.example/programme --name club --yes', ''],
    [
      'cratebase add event name="Winter Night" start_at=2026-12-05T23:00 venue=Tresor city=Berlin country=DE artist="Ben Klock"',
      '',
    ],
    ['cratebase add artist name="Vera Lindt" country=DE genre=techno', ''],
    ['cratebase add event --from event.json', ''],
  ]);
  command.action(async (kind: string, texts: string[]) => {
    if (isAddress(kind)) {
      refuseOptions(command, recordOptions, 'is for a record, not for an address (https://…).');
      return await addAddress(command, oneAddress(kind, texts));
    }
    refuseFile(command, kind);
    refuseBareAddress(kind);
    refuseOptions(command, addressOptions, 'is for an address (https://…), not for a record.');
    const { from, reason } = command.opts<{ from?: string; reason?: string }>();
    if (from !== undefined && texts.length > 0)
      throw new Failure('Use either fields or --from, not both in one command.', 2);
    const { parseChange } = await import('../../app.ts');
    const fields = texts.map(parseChange);
    const lines = from === undefined ? null : readRecords(kind, from);
    const report = await withApp(command, {}, async (app) => {
      const edits = await app.edits(terminalActor(), noteWaiting);
      return lines === null ? edits.add(kind, fields, { reason }) : edits.addRecords(lines, { reason });
    });
    printResult(command, report, () => formatReport(command, report));
  });
}

/** Refuses the path of a file or folder: other commands read these. */
function refuseFile(command: Command, text: string): void {
  if (kinds.includes(text as Kind) || !existsSync(text)) return;
  const path = shellQuote(text);
  throw new Failure(
    `${text} is a file or a folder. To import it once, run: ${followUpCommand(command, `import ${path} --source NAME --type TYPE`)}. To read it daily, run: ${followUpCommand(command, `sources add NAME --type TYPE --url ${path}`)}`,
    2,
  );
}

/** Refuses an address without its scheme, which would be read as a kind of record. */
function refuseBareAddress(text: string): void {
  if (!isBareAddress(text)) return;
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(text))
    throw new Failure(
      `${text} cannot be read. An address begins with http:// or https://; \`cratebase import\` reads files.`,
      2,
    );
  const isLocal = /^(?:localhost|[\d.]+|\[[\da-f:.]+\])(?::\d+)?(?:\/|$)/i.test(text);
  throw new Failure(
    `${text} is no kind of record. An address begins with http:// or https://. Did you mean ${isLocal ? 'http' : 'https'}://${text}?`,
    2,
  );
}

function oneAddress(url: string, others: readonly string[]): string {
  if (others.length === 0) return url;
  throw new Failure('Add one address at a time, without fields.', 2);
}

/** Options that only an address has. */
const addressOptions = [
  ...['name', 'type', 'trust', 'every', 'complete', 'option', 'license', 'attribution', 'dryRun', 'yes'],
];

/** Options that only a record has. */
const recordOptions = ['from', 'reason'];

function refuseOptions(command: Command, names: readonly string[], why: string): void {
  const name = names.find((option) => command.getOptionValue(option) !== undefined);
  if (name === undefined) return;
  const flag = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  throw new Failure(`--${flag} ${why}`, 2);
}

/** Reads records of a file; those without a kind get the kind of the command. */
function readRecords(kind: string, path: string): unknown[] {
  let text: string;
  try {
    text = readFileSync(path === '-' ? 0 : path, 'utf8');
  } catch (failure) {
    throw new Failure(`${path} cannot be read: ${(failure as Error).message}`);
  }
  // Editors on Windows write a byte order mark.
  const values = parseValues(path, text.replace(/^\ufeff/, ''));
  return values.map((value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? { kind, ...value } : value,
  );
}

/** Parses one JSON value, or lines of JSON. A text whose first line is no complete value is one value. */
function parseValues(path: string, text: string): unknown[] {
  let invalid: unknown;
  try {
    const value = JSON.parse(text) as unknown;
    return Array.isArray(value) ? value : [value];
  } catch (failure) {
    invalid = failure;
  }
  const lines = text.split('\n');
  const first = lines.find((line) => line.trim() !== '') ?? '';
  if (!isJson(first)) throw new Failure(`${path}: not JSON (${(invalid as Error).message})`);
  return lines.flatMap((line, at) => {
    if (line.trim() === '') return [];
    try {
      return [JSON.parse(line) as unknown];
    } catch (failure) {
      throw new Failure(`${path}, line ${at + 1}: not JSON (${(failure as Error).message})`);
    }
  });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function formatReport(command: Command, { records, revision }: AddReport): string {
  const parts = records.map(({ record, outcome, namesakes, created, lacks_timezone, audit_id }) =>
    formatFields([
      [outcome === 'created' ? 'added' : outcome === 'matched' ? 'found' : outcome, recordLabel(record)],
      [
        'note',
        outcome === 'matched' ? 'The catalogue had this record already. Your values were added to it.' : '',
      ],
      ...namesakes.map((other): [string, string] => [
        'note',
        `${recordLabel(other)} has the same name. If both are one: ${followUpCommand(command, `merge ${other.kind}/${other.slug} ${record.kind}/${record.slug}`)}`,
      ]),
      ...describeCreated(created),
      ...describeTimezone(lacks_timezone),
      ['revision', revision],
      ['undo', undoCommand(command, audit_id)],
    ]),
  );
  return parts.join('\n\n');
}
