/** What a shell is told that completes an argument: kinds, slugs, accounts, keys, sources, out of the data file. */
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import type { App } from '../app.ts';
import type { Kind } from '../contract/fields.ts';
import { dataPath, withApp } from './command.ts';
import { kinds } from './kinds.ts';
import { harmless, print } from './terminal.ts';

/** So many are offered: a shell that shows more shows nothing. */
const most = 100;

/** What can stand in the place of an argument, given the ones before it and how it begins. */
type Values = (app: App, begun: string, before: readonly string[]) => Promise<string[]> | string[];

const beginning = (begun: string, values: readonly string[]): string[] =>
  values.filter((value) => value.startsWith(begun)).slice(0, most);
const kindNames: Values = (_app, begun) => beginning(begun, kinds);
const slugsOf = (app: App, kind: string, begun: string): string[] =>
  (kinds as string[]).includes(kind) ? app.slugsBeginning(kind as Kind, begun, most) : [];
const slugs: Values = (app, begun, [kind = '']) => slugsOf(app, kind, begun);
/** `kind/slug`, as the commands that correct matches take it. */
const references: Values = (app, begun) => {
  const at = begun.indexOf('/');
  if (at === -1) return beginning(begun, kinds).map((kind) => `${kind}/`);
  const kind = begun.slice(0, at);
  return slugsOf(app, kind, begun.slice(at + 1)).map((slug) => `${kind}/${slug}`);
};
const accounts: Values = async (app, begun) => {
  const list = await (await app.access()).accounts.list();
  return beginning(
    begun,
    list.map(({ email }) => email),
  );
};
const pendingAccounts: Values = async (app, begun) => {
  const list = await (await app.access()).pending.list();
  return beginning(
    begun,
    list.map(({ email }) => email),
  );
};
const keyIds: Values = async (app, begun) => {
  const list = await (await app.access()).keys.list();
  return beginning(
    begun,
    list.filter(({ revoked_at }) => revoked_at === null).map(({ id }) => id),
  );
};
const sources: Values = (app, begun) =>
  beginning(
    begun,
    app.sourceStates().map(({ name }) => name),
  );

/** By command, the arguments in their order; the last goes for all that follow. */
const argumentsOf: Record<string, readonly Values[]> = {
  'cratebase show': [kindNames, slugs],
  'cratebase explain': [references],
  'cratebase merge': [references],
  'cratebase split': [references],
  'cratebase never-merge': [references],
  'cratebase accounts show': [accounts],
  'cratebase accounts approve': [pendingAccounts],
  'cratebase accounts reject': [pendingAccounts],
  'cratebase accounts set-plan': [accounts, (_app, begun) => beginning(begun, ['free', 'premium', 'pro'])],
  'cratebase accounts set-password': [accounts],
  'cratebase accounts delete': [accounts],
  'cratebase keys create': [accounts],
  'cratebase keys list': [accounts],
  'cratebase keys revoke': [keyIds],
  'cratebase sources remove': [sources],
  'cratebase sync': [sources],
  'cratebase completion': [(_app, begun) => beginning(begun, ['bash', 'zsh', 'fish'])],
};

/** The commands whose arguments are completed from the data file. */
export const completed = Object.keys(argumentsOf);

export function addValues(program: Command): void {
  program
    .command('values', { hidden: true })
    .argument('<path>')
    .argument('[words...]')
    .allowUnknownOption()
    .action(async function (this: Command, path: string, words: string[]) {
      // Who completes has not finished typing: whatever is wrong is no matter for a message.
      try {
        const found = await valuesOf(this, path, words);
        if (found.length > 0) print(found.map(harmless).join('\n'));
      } catch {
        process.exitCode = 1;
      }
    });
}

async function valuesOf(command: Command, path: string, words: string[]): Promise<string[]> {
  const places = argumentsOf[path];
  const data = dataPath(command);
  if (places === undefined || !existsSync(data)) return [];
  const plain = words.slice(0, -1).filter((word) => !word.startsWith('-'));
  const values = places[Math.min(plain.length, places.length - 1)] as Values;
  return await withApp(command, { readOnly: true }, (app) => values(app, words.at(-1) ?? '', plain));
}
