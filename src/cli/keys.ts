/** `keys`: what programs present. */
import type { Command } from 'commander';
import { keyTable } from './account-tables.ts';
import { readAccess, withAccess } from './accounts.ts';
import { addExamples, show } from './command.ts';
import { note } from './terminal.ts';

export function addKeys(program: Command): void {
  const keys = program.command('keys').description('Make, list and revoke API keys.');
  addExamples(keys, [
    ['cratebase keys create ada@example.com --name laptop', 'the only time the key is shown'],
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
    .description('Make a key of an account. This is the only time it is shown.')
    .requiredOption('--name <name>', 'what the key is for');
  addExamples(command, [['cratebase keys create ada@example.com --name laptop', '']]);
  command.action(async (email: string) => {
    const { name } = command.opts<{ name: string }>();
    const key = await withAccess(command, (access) => access.keys.create(email, name));
    show(command, key, () => {
      note('This is the only time the key is shown:');
      return key.key;
    });
  });
}

function addList(keys: Command): void {
  const command = keys
    .command('list')
    .argument('[email]', 'only the keys of this account')
    .description('The keys, revoked ones too, the oldest first.');
  addExamples(command, [['cratebase keys list --json', '']]);
  command.action(async (email: string | undefined) => {
    const data = await readAccess(command, (access) => access.keys.list(email));
    show(command, { data }, () =>
      data.length === 0
        ? 'No keys. `cratebase keys create EMAIL --name NAME` makes one.'
        : keyTable(data, email === undefined),
    );
  });
}

function addRevoke(keys: Command): void {
  const command = keys
    .command('revoke')
    .argument('<id>', 'of the key, as `keys list` shows it')
    .description('Revoke a key for good. It stops at its next request.');
  addExamples(command, [['cratebase keys revoke key_01hq3v', '']]);
  command.action(async (id: string) => {
    const key = await withAccess(command, (access) => access.keys.revoke(id));
    show(command, key, () => `revoked ${key.hint} (${key.name}) of ${key.account} at ${key.revoked_at}`);
  });
}
