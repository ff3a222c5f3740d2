/** `accounts`: who may read the catalogue. */
import type { Command } from 'commander';
import type { Access, PendingSummary } from '../app.ts';
import { Failure } from '../failure.ts';
import { appTable, keyTable, sessionTable, usageTables } from './account-tables.ts';
import { addExamples, nextCommand, show, wantsJson, withApp } from './command.ts';
import { askSecret, confirm, fields, isInteractive, note, plural, readLine, table } from './terminal.ts';

const wrongUsage = 2;

export function addAccounts(program: Command): void {
  const accounts = program.command('accounts').description('Make, show, change and delete accounts.');
  addExamples(accounts, [
    ['cratebase accounts create ada@example.com', ''],
    ['cratebase accounts set-plan ada@example.com pro', ''],
    ['cratebase accounts show ada@example.com', 'with keys, apps, browsers and usage'],
  ]);
  addCreate(accounts);
  addList(accounts);
  addApprove(accounts);
  addReject(accounts);
  addShow(accounts);
  addSetPlan(accounts);
  addSetPassword(accounts);
  addSignOut(accounts);
  addDisconnect(accounts);
  addDelete(accounts);
}

/** What a command does with the accounts of the data file. */
export const withAccess = <T>(command: Command, use: (access: Access) => Promise<T>): Promise<T> =>
  withApp(command, {}, async (app) => use(await app.access()));

/** What a command reads of them. */
export const readAccess = <T>(command: Command, use: (access: Access) => Promise<T>): Promise<T> =>
  withApp(command, { readOnly: true }, async (app) => use(await app.access()));

function addCreate(accounts: Command): void {
  const command = accounts
    .command('create')
    .argument('<email>')
    .description('Make an account. Without a password it cannot sign in until it has one.')
    .option('--plan <plan>', 'free, premium or pro (default: free)')
    .option('--password-stdin', 'read the password from the first line of standard input');
  addExamples(command, [
    ['cratebase accounts create ada@example.com --plan premium', ''],
    ['pass show ada | cratebase accounts create ada@example.com --password-stdin', ''],
  ]);
  command.action(async (email: string) => {
    const { plan, passwordStdin } = command.opts<{ plan?: string; passwordStdin?: true }>();
    const password = passwordStdin ? await readLine('password') : undefined;
    const account = await withAccess(command, (access) => access.accounts.create({ email, plan, password }));
    show(command, account, () => `made ${account.email} (${account.plan})`);
    if (!wantsJson(command)) note(whatNext(command, account.email, password !== undefined));
  });
}

/** What a new account cannot do yet, and how it gets there. */
function whatNext(command: Command, email: string, hasPassword: boolean): string {
  const password = nextCommand(command, `accounts set-password ${email}`);
  const lines = hasPassword
    ? []
    : [`It has no password, so nobody can sign in to it. Set one:\n  ${password}`];
  return [
    ...lines,
    `Make a key for it:\n  ${nextCommand(command, `keys create ${email} --name first`)}`,
  ].join('\n');
}

function addList(accounts: Command): void {
  const command = accounts
    .command('list')
    .description('All accounts, the oldest first.')
    .option('--pending', 'those that wait to be admitted instead (serve --registration approval)');
  addExamples(command, [
    ['cratebase accounts list --json', ''],
    ['cratebase accounts list --pending', 'who asked for an account'],
  ]);
  command.action(async () => {
    if (command.opts<{ pending?: true }>().pending) return listPending(command);
    const data = await readAccess(command, (access) => access.accounts.list());
    show(command, { data }, () =>
      data.length === 0
        ? 'No accounts. `cratebase accounts create EMAIL` makes one.'
        : table(
            ['EMAIL', 'PLAN', 'CREATED'],
            data.map((account) => [account.email, account.plan, account.created_at]),
          ),
    );
  });
}

async function listPending(command: Command): Promise<void> {
  const data = await withAccess(command, (access) => access.pending.list());
  show(command, { data }, () =>
    data.length === 0
      ? 'No requests for accounts.'
      : table(
          ['EMAIL', 'ADDRESS', 'REQUESTED', 'EXPIRES'],
          data.map((request) => [request.email, request.address, request.requested_at, request.expires_at]),
        ),
  );
  if (data.length > 0 && !wantsJson(command)) {
    note(
      `Admit one: ${nextCommand(command, 'accounts approve EMAIL')}. Turn one down: accounts reject EMAIL.`,
    );
  }
}

function addApprove(accounts: Command): void {
  const command = accounts
    .command('approve')
    .argument('<email>')
    .description(
      'Admit an account that somebody asked for (serve --registration approval), on the plan free.',
    );
  addExamples(command, [['cratebase accounts approve ada@example.com', '']]);
  command.action(async (email: string) => {
    const account = await withAccess(command, (access) => access.pending.approve(email));
    show(command, account, () => `admitted ${account.email} (${account.plan})`);
  });
}

function addReject(accounts: Command): void {
  const command = accounts
    .command('reject')
    .argument('<email>')
    .description('Turn down a request for an account. The same email may ask again.');
  addExamples(command, [['cratebase accounts reject ada@example.com', '']]);
  command.action(async (email: string) => {
    const request = await withAccess(command, (access) => access.pending.reject(email));
    show(command, request, () => `turned down ${request.email}`);
  });
}

function addShow(accounts: Command): void {
  const command = accounts
    .command('show')
    .argument('<email>')
    .description('One account: plan, keys, connected apps, signed-in browsers, and what it used.');
  addExamples(command, [['cratebase accounts show ada@example.com', '']]);
  command.action(async (email: string) => {
    const found = await readAccess(command, async (access) => {
      const request = await access.pending.find(email);
      return request === null ? { account: await access.accounts.show(email) } : { request };
    });
    if (found.request !== undefined) return showRequest(command, found.request);
    const { account } = found;
    const { usage, history, keys, connected_apps: apps, sessions } = account;
    const number = (value: number) => value.toLocaleString('en');
    show(command, account, () =>
      [
        fields([
          ['Email', account.email],
          ['Id', account.id],
          ['Plan', account.plan],
          ['Created', account.created_at],
          ['Usage', `${number(usage.used)} of ${number(usage.quota)} in ${usage.month}`],
          ['Window', `${number(usage.window)} in ${usage.window_seconds} s for each key`],
          ['Apps', apps.length === 0 ? 'none' : apps.length],
          ['Keys', keys.length === 0 ? 'none' : keys.length],
          ['Browsers', sessions.length === 0 ? 'none' : sessions.length],
        ]),
        ...(keys.length === 0 ? [] : ['', keyTable(keys)]),
        ...(apps.length === 0 ? [] : ['', appTable(apps)]),
        ...(sessions.length === 0 ? [] : ['', sessionTable(sessions)]),
        ...usageTables(history),
      ].join('\n'),
    );
  });
}

/** Somebody who waits to be admitted has no account yet. */
function showRequest(command: Command, request: PendingSummary): void {
  show(command, { ...request, pending: true }, () =>
    fields([
      ['Email', request.email],
      ['State', 'waits to be admitted'],
      ['Address', request.address],
      ['Requested', request.requested_at],
      ['Expires', request.expires_at],
      ['Admit', nextCommand(command, `accounts approve ${request.email}`)],
      ['Turn down', nextCommand(command, `accounts reject ${request.email}`)],
    ]),
  );
}

function addSetPlan(accounts: Command): void {
  const command = accounts
    .command('set-plan')
    .argument('<email>')
    .argument('<plan>', 'free, premium or pro')
    .description('Change the plan. It holds from the next request on.');
  addExamples(command, [['cratebase accounts set-plan ada@example.com premium', '']]);
  command.action(async (email: string, plan: string) => {
    const account = await withAccess(command, (access) => access.accounts.setPlan(email, plan));
    show(command, account, () => `${account.email} is on the plan ${account.plan}`);
  });
}

function addSetPassword(accounts: Command): void {
  const command = accounts
    .command('set-password')
    .argument('<email>')
    .description(
      'Give a password: typed on a terminal, else the first line of standard input. Signs out every browser.',
    );
  addExamples(command, [
    ['cratebase accounts set-password ada@example.com', ''],
    ['pass show ada | cratebase accounts set-password ada@example.com', ''],
  ]);
  command.action(async (email: string) => {
    const account = await withAccess(command, async ({ accounts }) => {
      await accounts.show(email);
      return accounts.setPassword(email, await newPassword());
    });
    show(command, account, () => `${account.email} has a new password`);
  });
}

async function newPassword(): Promise<string> {
  if (!isInteractive()) return readLine('password');
  const password = await askSecret('New password (10 characters at least): ');
  if ((await askSecret('Once more: ')) !== password) {
    throw new Failure('The two are not the same; nothing was changed.');
  }
  return password;
}

function addSignOut(accounts: Command): void {
  const command = accounts
    .command('sign-out')
    .argument('<email>')
    .description('Sign an account out in every browser. Its keys and apps go on.');
  addExamples(command, [['cratebase accounts sign-out ada@example.com', '']]);
  command.action(async (email: string) => {
    const account = await withAccess(command, (access) => access.accounts.signOut(email));
    show(command, account, () => `${account.email} was signed out of ${plural(account.sessions, 'browser')}`);
  });
}

function addDisconnect(accounts: Command): void {
  const command = accounts
    .command('disconnect')
    .argument('<email>')
    .argument('<id>', 'of the app, as `accounts show` has it')
    .description('Disconnect an app that the account let in. It stops at its next request.');
  addExamples(command, [['cratebase accounts disconnect ada@example.com grant_4f1c', '']]);
  command.action(async (email: string, id: string) => {
    const app = await withAccess(command, (access) => access.accounts.disconnect(email, id));
    show(command, app, () => `disconnected ${app.name}`);
  });
}

function addDelete(accounts: Command): void {
  const command = accounts
    .command('delete')
    .argument('<email>')
    .description(
      'Delete an account with its keys and its usage. Asks on a terminal; elsewhere it needs --yes.',
    )
    .option('--yes', 'do not ask');
  addExamples(command, [['cratebase accounts delete ada@example.com --yes', '']]);
  command.action(async (email: string) => {
    const isSure = command.opts<{ yes?: true }>().yes === true;
    const account = await withAccess(command, async ({ accounts }) => {
      const { keys, ...found } = await accounts.show(email);
      const what = `${found.email} and ${plural(keys.length, 'key')}`;
      if (!isSure && !isInteractive()) {
        throw new Failure(
          `Nothing was deleted. To delete ${what} without a terminal, add --yes.`,
          wrongUsage,
        );
      }
      if (!isSure && !(await confirm(`Delete ${what} for good?`))) throw new Failure('Nothing was changed.');
      return accounts.delete(email);
    });
    show(command, account, () => `deleted ${account.email}`);
  });
}
