/** `keys`: creates, lists and revokes API keys. */
import type { Command } from 'commander';
import { addExamples, printResult } from '../command.ts';
import { keyTable } from '../output/account-tables.ts';
import { note } from '../output/terminal.ts';
import { withAccess, withReadOnlyAccess } from './accounts.ts';

export function addKeys(program: Command): void {
  const keys = program.command('keys').description('Create, list and revoke API keys.');
  addExamples(keys, [
    ['cratebase keys create ada@example.com --name laptop', 'shows the key once'],
    ['cratebase keys list ada@example.com', ''],
    ['cratebase keys revoke key_01hq3v', ''],
  ]);
  addCreate(keys);
  addList(keys);
  addRevoke(keys);
}

function addCreate(keys: Command): void {
  const command = keys
    .command('create')
    .argument('<email>')
    .description('Create an API key for an account. The key is shown once.')
    .requiredOption('--name <name>', 'name of the key, such as its purpose');
  addExamples(command, [['cratebase keys create ada@example.com --name laptop', '']]);
  command.action(async (email: string) => {
    const { name } = command.opts<{ name: string }>();
    const key = await withAccess(command, (access) => access.keys.create(email, name));
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
    .description('List keys, including revoked ones, oldest first.');
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

function addRevoke(keys: Command): void {
  const command = keys
    .command('revoke')
    .argument('<id>', 'id of the key, from `keys list`')
    .description('Revoke a key permanently. It is refused from its next request on.');
  addExamples(command, [['cratebase keys revoke key_01hq3v', '']]);
  command.action(async (id: string) => {
    const key = await withAccess(command, (access) => access.keys.revoke(id));
    printResult(
      command,
      key,
      () => `revoked ${key.hint} (${key.name}) of ${key.account} at ${key.revoked_at}`,
    );
  });
}
