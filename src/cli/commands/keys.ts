/** `keys`: creates, lists, rotates and revokes API keys. */
import type { Command } from 'commander';
import { terminalActor } from '../actor.ts';
import { addExamples, printResult } from '../command.ts';
import { keyTable } from '../output/account-tables.ts';
import { note } from '../output/terminal.ts';
import { addClusterOptions, withAccess, withReadOnlyAccess } from '../with-access.ts';

/** Adds `keys` and its subcommands to the program. */
export function addKeys(program: Command): void {
  const keys = program.command('keys').description('Create, list, rotate and revoke API keys.');
  addClusterOptions(keys);
  addExamples(keys, [
    ['cratebase keys create ada@example.com --name laptop', 'shows the key once'],
    ['cratebase keys list ada@example.com', ''],
    ['cratebase keys rotate key_01hq3v --overlap 24h', 'a new key; the old one ends after a day'],
    ['cratebase keys revoke key_01hq3v', ''],
  ]);
  addCreate(keys);
  addList(keys);
  addRotate(keys);
  addRevoke(keys);
}

function addCreate(keys: Command): void {
  const command = keys
    .command('create')
    .argument('<email>')
    .description('Create an API key for an account. The key is shown once.')
    .requiredOption('--name <name>', 'name of the key, such as its purpose')
    .option('--expires <time>', 'when the key ends: a span such as 90d, or a date (default: never)')
    .option('--scope <scope>', 'what the key may call: rest, agents or all (default: all)');
  addExamples(command, [
    ['cratebase keys create ada@example.com --name laptop', ''],
    ['cratebase keys create ada@example.com --name assistant --scope agents --expires 90d', ''],
  ]);
  command.action(async (email: string) => {
    const { name, ...terms } = command.opts<{ name: string; expires?: string; scope?: string }>();
    const key = await withAccess(command, ({ keys }) => keys.create(email, name, terms, terminalActor()));
    printResult(command, key, () => {
      note('The key is shown only once:');
      return key.key;
    });
  });
}

function addList(keys: Command): void {
  const command = keys
    .command('list')
    .argument('[email]', 'list only the keys of this account')
    .description('List keys, including revoked and expired ones, oldest first.');
  addExamples(command, [['cratebase keys list --json', '']]);
  command.action(async (email: string | undefined) => {
    const data = await withReadOnlyAccess(command, (access) => access.keys.list(email));
    printResult(command, { data }, () =>
      data.length === 0
        ? 'No keys. Create one: `cratebase keys create EMAIL --name NAME`'
        : keyTable(data, email === undefined),
    );
  });
}

function addRotate(keys: Command): void {
  const command = keys
    .command('rotate')
    .argument('<id>', 'id of the key, from `keys list`')
    .description('Replace a key by a new one with the same name and scope. The new key is shown once.')
    .option('--overlap <span>', 'how long the old key stays valid, such as 24h or 0m (default: 24h)')
    .option(
      '--expires <time>',
      'when the new key ends: a span such as 90d, or a date (default: the lifetime of the old key)',
    );
  addExamples(command, [
    ['cratebase keys rotate key_01hq3v', ''],
    ['cratebase keys rotate key_01hq3v --overlap 7d', 'both keys are valid for a week'],
  ]);
  command.action(async (id: string) => {
    const options = command.opts<{ overlap?: string; expires?: string }>();
    const key = await withAccess(command, ({ keys }) => keys.rotate(id, options, terminalActor()));
    printResult(command, key, () => {
      note(`${key.replaces.hint} (${key.replaces.name}) ends at ${key.replaces.expires_at}.`);
      note('The new key is shown only once:');
      return key.key;
    });
  });
}

function addRevoke(keys: Command): void {
  const command = keys
    .command('revoke')
    .argument('<id>', 'id of the key, from `keys list`')
    .description('Revoke a key permanently. It is refused from its next request on.');
  addExamples(command, [['cratebase keys revoke key_01hq3v', '']]);
  command.action(async (id: string) => {
    const key = await withAccess(command, ({ keys }) => keys.revoke(id, terminalActor()));
    printResult(
      command,
      key,
      () => `revoked ${key.hint} (${key.name}) of ${key.account} at ${key.revoked_at}`,
    );
  });
}
