/** `accounts reset-link`, `reset-second-factor`, `confirm-address` and `unlink-login`: help with the ways to sign in. */
import type { Command } from 'commander';
import { terminalActor } from '../actor.ts';
import {
  addExamples,
  followUpCommand,
  printResult,
  settingOption,
  shellQuote,
  wantsJson,
} from '../command.ts';
import { note } from '../output/terminal.ts';
import { resolveAccountUrl } from '../running-service.ts';
import { withAccess } from '../with-access.ts';

/** Adds the commands to `accounts`. */
export function addSignInCommands(accounts: Command): void {
  addResetLink(accounts);
  addResetSecondFactor(accounts);
  addConfirmAddress(accounts);
  addUnlinkLogin(accounts);
}

function addResetLink(accounts: Command): void {
  const command = accounts
    .command('reset-link')
    .argument('<email>')
    .description('Print a link that sets a new password. It works once, within an hour.')
    .addOption(settingOption('baseUrl'))
    .addOption(settingOption('accountUrl'));
  addExamples(command, [
    ['cratebase accounts reset-link ada@example.com', ''],
    ['cratebase accounts reset-link ada@example.com --base-url https://music.example.org', ''],
  ]);
  command.action(async (input: string) => {
    const { email, url, expires_at } = await withAccess(command, async (access, app) => {
      const address = resolveAccountUrl(command, app);
      const { path, ...link } = await access.signIn.resets.create(input, terminalActor());
      return { ...link, url: address + path };
    });
    printResult(command, { email, url, expires_at }, () => url);
    if (!wantsJson(command)) {
      note(`Pass the link on to ${email} only. It works once, until ${expires_at}; earlier links are void.`);
    }
  });
}

function addResetSecondFactor(accounts: Command): void {
  const command = accounts
    .command('reset-second-factor')
    .argument('<email>')
    .description(
      'Remove the second factor of an account whose owner lost the device and the recovery codes. First make sure that it is the owner who asks.',
    );
  addExamples(command, [['cratebase accounts reset-second-factor ada@example.com', '']]);
  command.action(async (input: string) => {
    const { email, removed } = await withAccess(command, ({ signIn }) =>
      signIn.secondFactors.reset(input, terminalActor()),
    );
    printResult(command, { email, removed }, () =>
      removed ? `${email} signs in without a second factor now` : `${email} has no second factor`,
    );
  });
}

function addConfirmAddress(accounts: Command): void {
  const command = accounts
    .command('confirm-address')
    .argument('<email>')
    .description(
      'Record that the email belongs to the owner of the account. Its first sign-in with the OpenID provider then needs no password.',
    );
  addExamples(command, [['cratebase accounts confirm-address ada@example.com', '']]);
  command.action(async (input: string) => {
    const { email, changed } = await withAccess(command, ({ signIn }) =>
      signIn.externalLogins.confirmAddress(input, terminalActor()),
    );
    printResult(command, { email, changed }, () =>
      changed ? `${email} is confirmed` : `${email} was confirmed before`,
    );
  });
}

function addUnlinkLogin(accounts: Command): void {
  const command = accounts
    .command('unlink-login')
    .argument('<email>')
    .argument('<id>', 'id of the login, from `accounts show`')
    .description(
      'Unlink a login at an OpenID provider from an account. A later sign-in with it asks for the password of the account.',
    );
  addExamples(command, [['cratebase accounts unlink-login ada@example.com login_4f1cQ0aB7xYz12Kd', '']]);
  command.action(async (input: string, id: string) => {
    const { login, ways } = await withAccess(command, async (access) => {
      const login = await access.signIn.linkedLogins.unlink(input, id, terminalActor());
      return { login, ways: (await access.accounts.show(login.email)).sign_in };
    });
    printResult(command, login, () => `${login.login_email} at ${login.issuer} was unlinked`);
    const isLast = !ways.password && ways.passkeys.length === 0 && ways.external_logins.length === 0;
    if (isLast && !wantsJson(command)) {
      const owner = shellQuote(login.email);
      const next = followUpCommand(command, `accounts reset-link ${owner}`);
      note(
        `The account has no way to sign in now, and the next sign-in with the provider links it again. To set a password:\n  ${next}\nTo end the access of its owner: accounts suspend ${owner}`,
      );
    }
  });
}
