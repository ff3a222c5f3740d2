/** `settings`: shows and changes the identity of the service in the data file. */
import type { Command } from 'commander';
import type { App, IdentitySetting } from '../../app.ts';
import { reportSettings } from '../../config.ts';
import { Failure } from '../../failure.ts';
import { terminalActor } from '../actor.ts';
import { addExamples, flagsOf, printResult, wantsJson, withApp } from '../command.ts';
import { formatFields, formatTable, note } from '../output/terminal.ts';

const usageErrorStatus = 2;

/** Adds `settings` and its subcommands to the program. */
export function addSettings(program: Command): void {
  const command = program
    .command('settings')
    .description(
      'Show and change how the service presents itself: name, logo, colour, contact, links and texts. A running service follows within a second.',
    );
  addExamples(command, [
    ['cratebase settings list', 'all values, and where each comes from'],
    ["cratebase settings set name='Club Calendar' accent=#0057b8", ''],
    ['cratebase settings set imprint=https://example.org/imprint', ''],
  ]);
  addList(command);
  addGet(command);
  addSet(command);
  addUnset(command);
}

function addList(parent: Command): void {
  const command = parent.command('list').description('List all values and where each comes from.');
  addExamples(command, [['cratebase settings list --json', '']]);
  command.action(async () => {
    const data = await withApp(command, { readOnly: true }, (app) => readSettings(command, app));
    printResult(command, { data }, () =>
      formatTable(
        ['SETTING', 'VALUE', 'FROM'],
        data.map(({ name, value, from, fixed_by: fixedBy }) => [
          name,
          value === null ? '' : onOneLine(value),
          fixedBy ?? from,
        ]),
      ),
    );
  });
}

function addGet(parent: Command): void {
  const command = parent
    .command('get')
    .argument('<name>', 'name of a value, from `settings list`')
    .description('Show one value in full, where it comes from and what it accepts.');
  addExamples(command, [['cratebase settings get about', '']]);
  command.action(async (name: string) => {
    const result = await withApp(command, { readOnly: true }, async (app) => {
      const { name: known } = await findKey(name);
      return readSettings(command, app).find((setting) => setting.name === known) as ShownSetting;
    });
    printResult(command, result, () =>
      formatFields([
        ['value', result.value],
        ['from', result.fixed_by ?? result.from],
        ['accepts', result.accepts],
        ['shown as', shadesText(result)],
      ]),
    );
  });
}

function addSet(parent: Command): void {
  const command = parent
    .command('set')
    .argument('<changes...>', 'NAME=VALUE; the value of logo is the path of a file')
    .description('Set values in the data file: all of them, or none if one is invalid.');
  addExamples(command, [
    ['cratebase settings set logo=logo.svg accent=#0057b8', ''],
    ["cratebase settings set home-city=berlin footer='Made in Berlin'", ''],
    ['cratebase settings set indexing=off', 'keep search engines away'],
  ]);
  command.action(async (texts: string[]) => {
    const entries = await Promise.all(texts.map(parseChange));
    const changes = Object.fromEntries(entries.map(({ key, value }) => [key, value]));
    await change(command, entries, changes);
  });
}

function addUnset(parent: Command): void {
  const command = parent
    .command('unset')
    .argument('<names...>', 'names of values, from `settings list`')
    .description('Remove values from the data file, so that their defaults apply.');
  addExamples(command, [['cratebase settings unset logo accent', '']]);
  command.action(async (names: string[]) => {
    const entries = await Promise.all(names.map(findKey));
    await change(command, entries, Object.fromEntries(entries.map(({ key }) => [key, null])));
  });
}

/** Characters of a value that the list shows. */
const maxLength = 60;

function onOneLine(value: string): string {
  const letters = [...value.replaceAll('\n', ' ')];
  return letters.length > maxLength ? `${letters.slice(0, maxLength - 1).join('')}…` : letters.join('');
}

type KeyName = { key: IdentitySetting['key']; name: string };

async function change(
  command: Command,
  entries: readonly KeyName[],
  changes: Parameters<App['identity']['set']>[0],
): Promise<void> {
  const data = await withApp(command, {}, async (app) => {
    await app.identity.set(changes, terminalActor());
    const names = new Set(entries.map(({ name }) => name));
    return readSettings(command, app).filter(({ name }) => names.has(name));
  });
  printResult(command, { data }, () =>
    formatFields(
      data.flatMap((setting) => [
        [setting.name, setting.stored ?? 'not set'] as const,
        [`${setting.name} shown as`, shadesText(setting)] as const,
      ]),
    ),
  );
  if (wantsJson(command)) return;
  for (const { name, fixed_by: fixedBy } of data)
    if (fixedBy !== null) note(`${name} is stored, but ${fixedBy} has precedence. Remove that to use it.`);
}

/** Splits NAME=VALUE. The value of a logo is the content of the file. */
async function parseChange(text: string): Promise<KeyName & { value: string | Buffer }> {
  const at = text.indexOf('=');
  if (at < 1)
    throw new Failure(
      `${JSON.stringify(text)} has no value. Write NAME=VALUE, such as name=Crates.`,
      usageErrorStatus,
    );
  const setting = await findKey(text.slice(0, at));
  const value = text.slice(at + 1);
  if (value === '')
    throw new Failure(
      `${setting.name} has no value. To remove it: cratebase settings unset ${setting.name}`,
      usageErrorStatus,
    );
  const { readLogoFile } = await import('../../app.ts');
  return { ...setting, value: setting.key === 'logo' ? readLogoFile(value) : value };
}

async function findKey(name: string): Promise<KeyName> {
  const { findIdentityKey, identityKeys, identityName } = await import('../../app.ts');
  const key = findIdentityKey(name);
  if (key !== undefined) return { key, name: identityName(key) };
  throw new Failure(
    `There is no setting ${JSON.stringify(name)}. Settings: ${identityKeys.map(identityName).join(', ')}.`,
    usageErrorStatus,
  );
}

/** A value as this command shows it. */
type ShownSetting = {
  name: string;
  /** The value in use. */
  value: string | null;
  /** The value in the data file. */
  stored: string | null;
  from: IdentitySetting['from'];
  /** The option or variable that has precedence over the data file. */
  fixed_by: string | null;
  accepts: string;
  /** The shades of an accent colour on light and dark paper. */
  shades: { light: string; dark: string } | null;
};

/**
 * Returns all values. Options and variables of the running service have precedence over the data file; without a
 * service, those of this terminal are shown.
 */
function readSettings(command: Command, app: App): ShownSetting[] {
  const [service] = app.services.running();
  const reports = service?.settings ?? reportSettings(flagsOf(command), process.env);
  const of = service === undefined ? '' : ' of the service';
  return app.identity.settings().map((setting) => {
    const { name, accepts, from, value, shades } = setting;
    const stored = from === 'file' ? value : null;
    const report = reports.find((one) => one.name === name && one.from !== 'default' && one.value !== null);
    if (report === undefined) return { name, value, stored, from, fixed_by: null, accepts, shades };
    return {
      name,
      value: String(report.value),
      stored,
      from: 'configuration',
      fixed_by: `${report.from}${of}`,
      accepts,
      shades: null,
    };
  });
}

/** Says which shades of the accent colour pages use, if one had to be adjusted to be readable. */
function shadesText({ value, shades }: ShownSetting): string | null {
  if (shades === null || value === null) return null;
  const { light, dark } = shades;
  const parts = [
    `${light} on light pages${light === value ? '' : ' (adjusted for contrast)'}`,
    `${dark} on dark pages${dark === value ? '' : ' (adjusted for contrast)'}`,
  ];
  return parts.join(', ');
}
