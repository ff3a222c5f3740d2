/** What a shell is told that completes an argument: kinds, slugs, accounts, keys, sources, out of the data file. */
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import type { App } from '../../app.ts';
import type { Kind } from '../../contract/fields.ts';
import { dataPath, withApp } from '../command.ts';
import { print, stripUnsafeCharacters } from '../output/terminal.ts';
import { kinds } from '../record-kinds.ts';

/** So many are offered: a shell that shows more shows nothing. */
const maxSuggestions = 100;

/** What can stand in the place of an argument, given the ones before it and how it begins. */
type Completer = (app: App, begun: string, before: readonly string[]) => Promise<string[]> | string[];

const startingWith = (prefix: string, values: readonly string[]): string[] =>
  values.filter((value) => value.startsWith(prefix)).slice(0, maxSuggestions);
const completeKind: Completer = (_app, begun) => startingWith(begun, kinds);
const slugsOf = (app: App, kind: string, begun: string): string[] =>
  (kinds as string[]).includes(kind) ? app.slugsBeginning(kind as Kind, begun, maxSuggestions) : [];
const completeSlug: Completer = (app, begun, [kind = '']) => slugsOf(app, kind, begun);
/** `kind/slug`, as the commands that correct matches take it. */
const completeReference: Completer = (app, begun) => {
  const at = begun.indexOf('/');
  if (at === -1) return startingWith(begun, kinds).map((kind) => `${kind}/`);
  const kind = begun.slice(0, at);
  return slugsOf(app, kind, begun.slice(at + 1)).map((slug) => `${kind}/${slug}`);
};
const completeAccount: Completer = async (app, begun) => {
  const list = await (await app.access()).accounts.list();
  return startingWith(
    begun,
    list.map(({ email }) => email),
  );
};
const completePendingAccount: Completer = async (app, begun) => {
  const list = await (await app.access()).pending.list();
  return startingWith(
    begun,
    list.map(({ email }) => email),
  );
};
const completeKeyId: Completer = async (app, begun) => {
  const list = await (await app.access()).keys.list();
  return startingWith(
    begun,
    list.filter(({ revoked_at }) => revoked_at === null).map(({ id }) => id),
  );
};
const completeSource: Completer = (app, begun) =>
  startingWith(
    begun,
    app.sourceStates().map(({ name }) => name),
  );

/** By command, the arguments in their order; the last goes for all that follow. */
const argumentCompleters: Record<string, readonly Completer[]> = {
  'cratebase show': [completeKind, completeSlug],
  'cratebase explain': [completeReference],
  'cratebase merge': [completeReference],
  'cratebase split': [completeReference],
  'cratebase never-merge': [completeReference],
  'cratebase accounts show': [completeAccount],
  'cratebase accounts approve': [completePendingAccount],
  'cratebase accounts reject': [completePendingAccount],
  'cratebase accounts set-plan': [
    completeAccount,
    (_app, begun) => startingWith(begun, ['free', 'premium', 'pro']),
  ],
  'cratebase accounts set-password': [completeAccount],
  'cratebase accounts delete': [completeAccount],
  'cratebase keys create': [completeAccount],
  'cratebase keys list': [completeAccount],
  'cratebase keys revoke': [completeKeyId],
  'cratebase sources remove': [completeSource],
  'cratebase sync': [completeSource],
  'cratebase completion': [(_app, begun) => startingWith(begun, ['bash', 'zsh', 'fish'])],
};

/** The commands whose arguments are completed from the data file. */
export const completedCommands = Object.keys(argumentCompleters);

export function addValues(program: Command): void {
  program
    .command('values', { hidden: true })
    .argument('<path>')
    .argument('[words...]')
    .allowUnknownOption()
    .action(async function (this: Command, path: string, words: string[]) {
      // Who completes has not finished typing: whatever is wrong is no matter for a message.
      try {
        const found = await completeArgument(this, path, words);
        if (found.length > 0) print(found.map(stripUnsafeCharacters).join('\n'));
      } catch {
        process.exitCode = 1;
      }
    });
}

async function completeArgument(command: Command, path: string, words: string[]): Promise<string[]> {
  const places = argumentCompleters[path];
  const data = dataPath(command);
  if (places === undefined || !existsSync(data)) return [];
  const plain = words.slice(0, -1).filter((word) => !word.startsWith('-'));
  const values = places[Math.min(plain.length, places.length - 1)] as Completer;
  return await withApp(command, { readOnly: true }, (app) => values(app, words.at(-1) ?? '', plain));
}
