/** `values`: completes arguments for the shells with kinds, slugs, accounts, keys and sources from the data file. */
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import type { App } from '../../app.ts';
import type { Kind } from '../../contract/fields.ts';
import { planNames } from '../../contract/plans.ts';
import { roles } from '../../contract/roles.ts';
import { terminalActor } from '../actor.ts';
import { dataPath, withApp } from '../command.ts';
import { print, stripUnsafeCharacters } from '../output/terminal.ts';
import { kinds } from '../record-kinds.ts';

/** A longer list does not help in a shell. */
const maxSuggestions = 100;
/** Removed records that are read for suggestions. */
const maxListedRemovals = 1_000;

/** Returns the values of an argument that begin with `prefix`; `before` has the arguments before it. */
type Completer = (app: App, prefix: string, before: readonly string[]) => Promise<string[]> | string[];

const startingWith = (prefix: string, values: readonly string[]): string[] =>
  values.filter((value) => value.startsWith(prefix)).slice(0, maxSuggestions);
const completeKind: Completer = (_app, prefix) => startingWith(prefix, kinds);
const slugsOf = (app: App, kind: string, prefix: string): string[] =>
  (kinds as string[]).includes(kind) ? app.slugsBeginning(kind as Kind, prefix, maxSuggestions) : [];
const completeSlug: Completer = (app, prefix, [kind = '']) => slugsOf(app, kind, prefix);
/** Completes `kind/slug`, as the commands about matching take it. */
const completeReference: Completer = (app, prefix) => {
  const at = prefix.indexOf('/');
  if (at === -1) return startingWith(prefix, kinds).map((kind) => `${kind}/`);
  const kind = prefix.slice(0, at);
  return slugsOf(app, kind, prefix.slice(at + 1)).map((slug) => `${kind}/${slug}`);
};
/** Completes the removed records of a state. */
const completeRemoved =
  (state: 'hidden' | 'deleted'): Completer =>
  async (app, prefix) => {
    const removals = await app.removals(terminalActor());
    const names = removals
      .list({ state, limit: maxListedRemovals })
      .map(({ kind, slug }) => `${kind}/${slug}`);
    return startingWith(prefix, names.sort());
  };
/** Completes the fields of the record, or of the kind, that the first argument names. */
const completeField: Completer = async (_app, prefix, [record = '']) => {
  const { editableFields } = await import('../../contract/editable-fields.ts');
  const kind = kinds.find((one) => record === one || record.startsWith(`${one}/`));
  const fields = kind === undefined ? [] : Object.keys(editableFields[kind]);
  return startingWith(
    prefix,
    fields.map((field) => `${field}=`),
  );
};
const completeAccount: Completer = async (app, prefix) => {
  const list = await (await app.access()).accounts.list();
  return startingWith(
    prefix,
    list.map(({ email }) => email),
  );
};
const completePendingAccount: Completer = async (app, prefix) => {
  const list = await (await app.access()).pending.list();
  return startingWith(
    prefix,
    list.map(({ email }) => email),
  );
};
const completeKeyId: Completer = async (app, prefix) => {
  const list = await (await app.access()).keys.list();
  return startingWith(
    prefix,
    list.filter(({ revoked_at }) => revoked_at === null).map(({ id }) => id),
  );
};
const completeSource: Completer = (app, prefix) =>
  startingWith(
    prefix,
    app.sourceRuns.states().map(({ name }) => name),
  );

const completeSetting: Completer = (app, prefix) =>
  startingWith(
    prefix,
    app.identity.settings().map(({ name }) => name),
  );
/** Completes NAME= of a value of the service. */
const completeSettingChange: Completer = (app, prefix) =>
  startingWith(
    prefix,
    app.identity.settings().map(({ name }) => `${name}=`),
  );
/** Completes the id of an app of the account that the first argument names. */
const completeConnectedApp: Completer = async (app, prefix, [email = '']) => {
  const { connected_apps: apps } = await (await app.access()).accounts.show(email);
  return startingWith(
    prefix,
    apps.map(({ id }) => id),
  );
};
/** Completes the id of a login of the account that the first argument names. */
const completeLogin: Completer = async (app, prefix, [email = '']) => {
  const { sign_in: ways } = await (await app.access()).accounts.show(email);
  return startingWith(
    prefix,
    ways.external_logins.map(({ id }) => id),
  );
};
const oneOf =
  (values: readonly string[]): Completer =>
  (_app, prefix) =>
    startingWith(prefix, values);
const completePlan = oneOf(planNames);

/** Gives several subcommands of a command the same completers. */
const subcommands = (
  command: string,
  verbs: string,
  completers: readonly Completer[],
): Record<string, readonly Completer[]> =>
  Object.fromEntries(verbs.split(' ').map((verb) => [`cratebase ${command} ${verb}`, completers]));

/** Completers by command, in the order of the arguments; the last one applies to all further arguments. */
const argumentCompleters: Record<string, readonly Completer[]> = {
  'cratebase show': [completeKind, completeSlug],
  'cratebase explain': [completeReference],
  'cratebase merge': [completeReference],
  'cratebase split': [completeReference],
  'cratebase never-merge': [completeReference],
  'cratebase hide': [completeReference],
  'cratebase delete': [completeReference],
  'cratebase unhide': [completeRemoved('hidden')],
  'cratebase undelete': [completeRemoved('deleted')],
  'cratebase forget': [completeReference],
  'cratebase edit': [completeReference, completeField],
  'cratebase add': [completeKind, completeField],
  'cratebase history': [completeReference],
  ...subcommands(
    'accounts',
    'show set-limits set-password sign-out suspend unsuspend reset-link reset-second-factor confirm-address delete',
    [completeAccount],
  ),
  ...subcommands('accounts', 'approve reject', [completePendingAccount]),
  'cratebase accounts set-plan': [completeAccount, completePlan],
  'cratebase accounts set-role': [completeAccount, oneOf(roles)],
  'cratebase accounts disconnect': [completeAccount, completeConnectedApp],
  'cratebase accounts unlink-login': [completeAccount, completeLogin],
  ...subcommands('keys', 'create list', [completeAccount]),
  ...subcommands('keys', 'rotate revoke', [completeKeyId]),
  ...subcommands('plans', 'set cancel', [completePlan]),
  ...subcommands('sources', 'show set preview pause resume runs rejected held approve reject remove', [
    completeSource,
  ]),
  ...subcommands('settings', 'get unset', [completeSetting]),
  'cratebase settings set': [completeSettingChange],
  'cratebase sync': [completeSource],
  'cratebase completion': [oneOf(['bash', 'zsh', 'fish'])],
};

/** The commands whose arguments are completed from the data file. */
export const completedCommands = Object.keys(argumentCompleters);

/**
 * Adds the hidden command `values` to the program, which the completion scripts call. It prints one value per
 * line, and no errors.
 */
export function addValues(program: Command): void {
  program
    .command('values', { hidden: true })
    .argument('<path>')
    .argument('[words...]')
    .allowUnknownOption()
    .action(async function (this: Command, path: string, words: string[]) {
      // An incomplete command line may be wrong: errors are not printed.
      try {
        const values = await completeArgument(this, path, words);
        if (values.length > 0) print(values.map(stripUnsafeCharacters).join('\n'));
      } catch {
        process.exitCode = 1;
      }
    });
}

async function completeArgument(command: Command, path: string, words: string[]): Promise<string[]> {
  const completers = argumentCompleters[path];
  const data = dataPath(command);
  if (completers === undefined || !existsSync(data)) return [];
  const before = words.slice(0, -1).filter((word) => !word.startsWith('-'));
  const complete = completers[Math.min(before.length, completers.length - 1)] as Completer;
  return await withApp(command, { readOnly: true }, (app) => complete(app, words.at(-1) ?? '', before));
}
