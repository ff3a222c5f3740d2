/** `accounts set-role`, `suspend`, `unsuspend`, `set-limits` and `operator-link`: what an operator decides about accounts. */
import type { Command } from 'commander';
import { terminalActor } from '../actor.ts';
import { addExamples, printResult, settingOption } from '../command.ts';
import { resolveAccountUrl } from '../running-service.ts';
import { withAccess } from '../with-access.ts';

/** The help of `--force` where a change could leave no operator. */
export const forceHelp = 'do it even if no operator is left';

/** Adds the commands to `accounts`. */
export function addRoleCommands(accounts: Command): void {
  addSetRole(accounts);
  addSuspend(accounts);
  addUnsuspend(accounts);
  addOperatorLink(accounts);
}

function addSetRole(accounts: Command): void {
  const command = accounts
    .command('set-role')
    .argument('<email>')
    .argument('<role>', 'user, editor or operator')
    .description(
      'Change the role of an account. Editors manage sources, records and duplicates at /admin; operators manage everything.',
    )
    .option('--force', forceHelp);
  addExamples(command, [
    ['cratebase accounts set-role ada@example.com operator', ''],
    ['cratebase accounts set-role ada@example.com user', 'takes the role away'],
  ]);
  command.action(async (email: string, role: string) => {
    const { force = false } = command.opts<{ force?: true }>();
    const account = await withAccess(command, ({ accounts }) =>
      accounts.setRole(email, role, terminalActor(), { force }),
    );
    printResult(command, account, () => `${account.email} now has the role ${account.role}`);
  });
}

function addSuspend(accounts: Command): void {
  const command = accounts
    .command('suspend')
    .argument('<email>')
    .description(
      'Suspend an account. Its keys, apps, sessions and its password are refused from the next request on.',
    )
    .option('--reason <text>', 'the reason, for the audit log')
    .option('--force', forceHelp);
  addExamples(command, [['cratebase accounts suspend ada@example.com --reason "key published"', '']]);
  command.action(async (email: string) => {
    const { reason = '', force = false } = command.opts<{ reason?: string; force?: true }>();
    const account = await withAccess(command, ({ accounts }) =>
      accounts.suspend(email, { reason, force }, terminalActor()),
    );
    printResult(command, account, () => `${account.email} is suspended`);
  });
}

function addUnsuspend(accounts: Command): void {
  const command = accounts
    .command('unsuspend')
    .argument('<email>')
    .description('End the suspension of an account. Its keys and apps work again.');
  addExamples(command, [['cratebase accounts unsuspend ada@example.com', '']]);
  command.action(async (email: string) => {
    const account = await withAccess(command, ({ accounts }) => accounts.unsuspend(email, terminalActor()));
    printResult(command, account, () => `${account.email} is active again`);
  });
}

function addOperatorLink(accounts: Command): void {
  const command = accounts
    .command('operator-link')
    .description(
      'Print a link that makes one account an operator. It works once, within an hour. Use it if no operator can sign in.',
    )
    .addOption(settingOption('baseUrl'))
    .addOption(settingOption('accountUrl'));
  addExamples(command, [
    ['cratebase accounts operator-link', ''],
    ['cratebase accounts operator-link --base-url https://music.example.org', ''],
  ]);
  command.action(async () => {
    const { link, url } = await withAccess(command, async (access, app) => {
      const address = resolveAccountUrl(command, app);
      const link = await access.operatorLinks.create(terminalActor());
      return { link, url: `${address}/admin/start?token=${link.token}` };
    });
    printResult(command, { url, expires_at: link.expires_at }, () => url);
  });
}
