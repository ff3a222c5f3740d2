/** `accounts`: creates, shows, changes and deletes accounts. */
import type { Command } from 'commander';
import type { PendingAccountSummary } from '../../app.ts';
import { quotaNotice } from '../../contract/plans.ts';
import { Failure } from '../../failure.ts';
import { plural } from '../../plural.ts';
import { terminalActor } from '../actor.ts';
import { addExamples, followUpCommand, printResult, shellQuote, wantsJson } from '../command.ts';
import { parseWholeNumber } from '../numbers.ts';
import { appTable, keyTable, sessionTable, signInFields, usageTables } from '../output/account-tables.ts';
import {
  askSecret,
  confirm,
  formatFields,
  formatTable,
  isInteractive,
  note,
  readLine,
} from '../output/terminal.ts';
import { addClusterOptions, withAccess, withReadOnlyAccess } from '../with-access.ts';
import { addRoleCommands, forceHelp } from './account-roles.ts';
import { addSignInCommands } from './accounts-sign-in.ts';

const usageErrorStatus = 2;

/** Adds `accounts` and its subcommands to the program. */
export function addAccounts(program: Command): void {
  const accounts = program.command('accounts').description('Create, show, change and delete accounts.');
  addClusterOptions(accounts);
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
  addRoleCommands(accounts);
  addSetLimits(accounts);
  addSetPassword(accounts);
  addSignOut(accounts);
  addSignInCommands(accounts);
  addDisconnect(accounts);
  addDelete(accounts);
}

function addCreate(accounts: Command): void {
  const command = accounts
    .command('create')
    .argument('<email>')
    .description('Create an account. An account without a password cannot sign in in the browser.')
    .option('--plan <plan>', 'free, premium or pro (default: free)')
    .option('--role <role>', 'user, editor or operator (default: user)')
    .option('--password-stdin', 'read the password from the first line of standard input');
  addExamples(command, [
    ['cratebase accounts create ada@example.com --plan premium', ''],
    ['pass show ada | cratebase accounts create ada@example.com --password-stdin', ''],
  ]);
  command.action(async (email: string) => {
    const { plan, role, passwordStdin } = command.opts<{
      plan?: string;
      role?: string;
      passwordStdin?: true;
    }>();
    const password = passwordStdin ? await readLine('password') : undefined;
    const account = await withAccess(command, (access) =>
      access.accounts.create({ email, plan, role, password }, terminalActor()),
    );
    printResult(
      command,
      account,
      () => `created ${account.email} (${account.plan}${account.role === 'user' ? '' : `, ${account.role}`})`,
    );
    if (!wantsJson(command)) note(nextSteps(command, account.email, password !== undefined));
  });
}

/** Returns the commands that complete a new account. */
function nextSteps(command: Command, email: string, hasPassword: boolean): string {
  const password = followUpCommand(command, `accounts set-password ${shellQuote(email)}`);
  const lines = hasPassword
    ? []
    : [`The account has no password, so it cannot sign in in the browser. To set one:\n  ${password}`];
  return [
    ...lines,
    `To create a key:\n  ${followUpCommand(command, `keys create ${shellQuote(email)} --name first`)}`,
  ].join('\n');
}

function addList(accounts: Command): void {
  const command = accounts
    .command('list')
    .description('List all accounts, oldest first.')
    .option('--pending', 'list requests for accounts instead (serve --registration approval)');
  addExamples(command, [
    ['cratebase accounts list --json', ''],
    ['cratebase accounts list --pending', 'open requests for accounts'],
  ]);
  command.action(async () => {
    if (command.opts<{ pending?: true }>().pending) return listPending(command);
    const data = await withReadOnlyAccess(command, (access) => access.accounts.list());
    printResult(command, { data }, () =>
      data.length === 0
        ? 'No accounts. Create one: `cratebase accounts create EMAIL`'
        : formatTable(
            ['EMAIL', 'PLAN', 'ROLE', 'CREATED', 'SUSPENDED'],
            data.map(({ email, plan, role, created_at, suspended_at }) => [
              email,
              plan,
              role,
              created_at,
              suspended_at,
            ]),
          ),
    );
  });
}

async function listPending(command: Command): Promise<void> {
  const data = await withAccess(command, (access) => access.pending.list());
  printResult(command, { data }, () =>
    data.length === 0
      ? 'No requests for accounts.'
      : formatTable(
          ['EMAIL', 'ADDRESS', 'REQUESTED', 'EXPIRES'],
          data.map((request) => [request.email, request.address, request.requested_at, request.expires_at]),
        ),
  );
  if (data.length > 0 && !wantsJson(command)) {
    note(
      `To approve a request: ${followUpCommand(command, 'accounts approve EMAIL')}. To reject it: accounts reject EMAIL.`,
    );
  }
}

function addApprove(accounts: Command): void {
  const command = accounts
    .command('approve')
    .argument('<email>')
    .description(
      'Approve a request for an account (serve --registration approval). The account gets the free plan.',
    );
  addExamples(command, [['cratebase accounts approve ada@example.com', '']]);
  command.action(async (email: string) => {
    const account = await withAccess(command, (access) => access.pending.approve(email, terminalActor()));
    printResult(command, account, () => `approved ${account.email} (${account.plan})`);
  });
}

function addReject(accounts: Command): void {
  const command = accounts
    .command('reject')
    .argument('<email>')
    .description('Reject a request for an account. The same email can request again.');
  addExamples(command, [['cratebase accounts reject ada@example.com', '']]);
  command.action(async (email: string) => {
    const request = await withAccess(command, (access) => access.pending.reject(email, terminalActor()));
    printResult(command, request, () => `rejected ${request.email}`);
  });
}

function addShow(accounts: Command): void {
  const command = accounts
    .command('show')
    .argument('<email>')
    .description('Show an account: plan, ways to sign in, keys, connected apps, browsers and usage.');
  addExamples(command, [['cratebase accounts show ada@example.com', '']]);
  command.action(async (email: string) => {
    const result = await withReadOnlyAccess(command, async (access) => {
      const request = await access.pending.find(email);
      return request === null ? { account: await access.accounts.show(email) } : { request };
    });
    if (result.request !== undefined) return showRequest(command, result.request);
    const { account } = result;
    const { usage, history, keys, connected_apps: apps, sessions, own_limits: own } = account;
    const whose = (limit: number | null) => (limit === null ? '' : ' (own limit)');
    const number = (value: number) => value.toLocaleString('en');
    printResult(command, account, () =>
      [
        formatFields([
          ['Email', account.email],
          ['Id', account.id],
          ['Plan', account.plan],
          ['Role', account.role],
          ['Suspended', account.suspended_at],
          ['Created', account.created_at],
          ...signInFields(account.sign_in),
          [
            'Usage',
            `${number(usage.used)} of ${number(usage.quota)} in ${usage.month}${whose(own.quota)}${usedShare(usage)}`,
          ],
          ['Window', `${number(usage.window)} in ${usage.window_seconds} s for each key${whose(own.window)}`],
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

/** How much of the month is used, from 80 percent on. */
const usedShare = ({ used, quota }: { used: number; quota: number }): string =>
  quotaNotice(used, quota) === null
    ? ''
    : `: ${quota === 0 ? 100 : Math.floor((used / quota) * 100)} % are used`;

/** Prints a request for an account. */
function showRequest(command: Command, request: PendingAccountSummary): void {
  const email = shellQuote(request.email);
  printResult(command, { ...request, pending: true }, () =>
    formatFields([
      ['Email', request.email],
      ['State', 'waiting for approval'],
      ['Address', request.address],
      ['Requested', request.requested_at],
      ['Expires', request.expires_at],
      ['Approve', followUpCommand(command, `accounts approve ${email}`)],
      ['Reject', followUpCommand(command, `accounts reject ${email}`)],
    ]),
  );
}

function addSetPlan(accounts: Command): void {
  const command = accounts
    .command('set-plan')
    .argument('<email>')
    .argument('<plan>', 'free, premium or pro')
    .description('Change the plan of an account. It applies from the next request on.');
  addExamples(command, [['cratebase accounts set-plan ada@example.com premium', '']]);
  command.action(async (email: string, plan: string) => {
    const account = await withAccess(command, (access) =>
      access.accounts.setPlan(email, plan, terminalActor()),
    );
    printResult(command, account, () => `${account.email} now has the plan ${account.plan}`);
  });
}

function addSetLimits(accounts: Command): void {
  const command = accounts
    .command('set-limits')
    .argument('<email>')
    .description(
      'Give an account limits of its own, or those of its plan again (--default). They apply from the next request on.',
    )
    .option('--month <number>', 'requests per month, over all keys and apps')
    .option('--window <number>', 'requests per key and 60 seconds')
    .option('--default', 'remove the limits of its own');
  addExamples(command, [
    ['cratebase accounts set-limits ada@example.com --window 500 --month 1000000', ''],
    ['cratebase accounts set-limits ada@example.com --default', 'the limits of the plan'],
  ]);
  command.action(async (email: string) => {
    const options = command.opts<{ month?: string; window?: string; default?: true }>();
    const isGiven = options.month !== undefined || options.window !== undefined;
    if (isGiven === (options.default === true)) {
      throw new Failure('Name the new limits (--month, --window), or --default.', usageErrorStatus);
    }
    const quota = parseWholeNumber('--month', options.month);
    const window = parseWholeNumber('--window', options.window);
    const ownLimits = {
      ...(window === undefined ? {} : { window }),
      ...(quota === undefined ? {} : { quota }),
    };
    const limits = options.default ? { window: null, quota: null } : ownLimits;
    const account = await withAccess(command, (access) =>
      access.accounts.setLimits(email, limits, terminalActor()),
    );
    const limitText = (limit: number | null) => limit?.toLocaleString('en') ?? 'as the plan';
    printResult(
      command,
      account,
      () =>
        `${account.email}: ${limitText(account.quota)} a month, ${limitText(account.window)} per key and 60 s`,
    );
  });
}

function addSetPassword(accounts: Command): void {
  const command = accounts
    .command('set-password')
    .argument('<email>')
    .description(
      'Set a password and sign out every browser. On a terminal it asks for the password; otherwise it reads the first line of standard input.',
    );
  addExamples(command, [
    ['cratebase accounts set-password ada@example.com', ''],
    ['pass show ada | cratebase accounts set-password ada@example.com', ''],
  ]);
  command.action(async (email: string) => {
    const account = await withAccess(command, async ({ accounts }) => {
      await accounts.show(email);
      return accounts.setPassword(email, await readNewPassword(), terminalActor());
    });
    printResult(command, account, () => `${account.email} has a new password`);
  });
}

async function readNewPassword(): Promise<string> {
  if (!isInteractive()) return readLine('password');
  const password = await askSecret('New password (at least 10 characters): ');
  if ((await askSecret('Repeat the password: ')) !== password) {
    throw new Failure('The two passwords differ. The password is unchanged.');
  }
  return password;
}

function addSignOut(accounts: Command): void {
  const command = accounts
    .command('sign-out')
    .argument('<email>')
    .description('Sign an account out in every browser. Its keys and apps stay valid.');
  addExamples(command, [['cratebase accounts sign-out ada@example.com', '']]);
  command.action(async (email: string) => {
    const account = await withAccess(command, (access) => access.accounts.signOut(email, terminalActor()));
    printResult(
      command,
      account,
      () => `${account.email} was signed out of ${plural(account.sessions, 'browser')}`,
    );
  });
}

function addDisconnect(accounts: Command): void {
  const command = accounts
    .command('disconnect')
    .argument('<email>')
    .argument('<id>', 'id of the app, from `accounts show`')
    .description('Disconnect an app from an account. The app is refused from its next request on.');
  addExamples(command, [['cratebase accounts disconnect ada@example.com grant_4f1c', '']]);
  command.action(async (email: string, id: string) => {
    const app = await withAccess(command, (access) => access.accounts.disconnect(email, id, terminalActor()));
    printResult(command, app, () => `disconnected ${app.name}`);
  });
}

function addDelete(accounts: Command): void {
  const command = accounts
    .command('delete')
    .argument('<email>')
    .description(
      'Delete an account with its keys and usage. Asks for confirmation on a terminal; otherwise requires --yes.',
    )
    .option('--yes', 'do not ask for confirmation')
    .option('--force', forceHelp);
  addExamples(command, [['cratebase accounts delete ada@example.com --yes', '']]);
  command.action(async (email: string) => {
    const { yes: isSure = false, force = false } = command.opts<{ yes?: true; force?: true }>();
    const account = await withAccess(command, async ({ accounts }) => {
      const { keys, ...account } = await accounts.show(email);
      const what = `${account.email} and ${plural(keys.length, 'key')}`;
      if (!isSure && !isInteractive()) {
        throw new Failure(`Deleting ${what} without a terminal requires --yes.`, usageErrorStatus);
      }
      if (!isSure && !(await confirm(`Delete ${what} permanently?`)))
        throw new Failure('The account was not deleted.');
      return accounts.delete(email, terminalActor(), { force });
    });
    printResult(command, account, () => `deleted ${account.email}`);
  });
}
