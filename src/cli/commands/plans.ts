/** `plans`: shows and changes the limits of the plans. */
import type { Command } from 'commander';
import type { Access } from '../../app.ts';
import { Failure } from '../../failure.ts';
import { terminalActor } from '../actor.ts';
import { addExamples, printResult } from '../command.ts';
import { parseWholeNumber } from '../numbers.ts';
import { formatTable, note } from '../output/terminal.ts';
import { addClusterOptions, withAccess, withReadOnlyAccess } from '../with-access.ts';

type Plans = (Awaited<ReturnType<Access['plans']['list']>>[number] & { exports: boolean })[];

/** The plans with their limits, and whether they include the change feed and the exports. */
async function listPlans(access: Access): Promise<Plans> {
  const exportPlans = await access.exports.plans();
  const all = await access.plans.list();
  return all.map((plan) => ({ ...plan, exports: exportPlans.includes(plan.plan) }));
}

/** Adds `plans` and its subcommands to the program. */
export function addPlans(program: Command): void {
  const plans = program.command('plans').description('Show and change the limits of the plans.');
  addClusterOptions(plans);
  addExamples(plans, [
    ['cratebase plans list', ''],
    ['cratebase plans set free --month 50000 --window 120', 'an increase holds at once'],
    [
      'cratebase plans set free --month 5000 --from 2027-03-01 --note "The disk is small."',
      'a reduction is announced',
    ],
  ]);
  addList(plans);
  addSet(plans);
  addCancel(plans);
}

function addList(plans: Command): void {
  const command = plans
    .command('list')
    .description('List the plans with their limits, the defaults, and the changes to come.');
  addExamples(command, [['cratebase plans list --json', '']]);
  command.action(async () => {
    const data = await withReadOnlyAccess(command, listPlans);
    printResult(command, { data }, () => formatPlans(data));
  });
}

const number = (value: number): string => value.toLocaleString('en');

function formatPlans(plans: Plans): string {
  const limits = formatTable(
    ['PLAN', 'PER KEY AND 60 S', 'PER MONTH', 'EXPORTS', 'SINCE', 'DEFAULT'],
    plans.map((plan) => [
      plan.plan,
      number(plan.window),
      number(plan.quota),
      plan.exports ? 'on' : 'off',
      plan.since ?? 'default',
      `${number(plan.default.window)}, ${number(plan.default.quota)}`,
    ]),
  );
  const upcoming = plans.flatMap((plan) => plan.upcoming);
  if (upcoming.length === 0) return limits;
  const changes = formatTable(
    ['PLAN', 'FROM', 'PER KEY AND 60 S', 'PER MONTH', 'NOTE'],
    upcoming.map((change) => [
      change.plan,
      change.from,
      number(change.window),
      number(change.quota),
      change.note === '' ? null : change.note,
    ]),
  );
  return `${limits}\n\nChanges to come:\n${changes}`;
}

type SetOptions = { month?: string; window?: string; from?: string; note?: string; exports?: string };

function addSet(plans: Command): void {
  const command = plans
    .command('set')
    .argument('<plan>', 'free, premium or pro')
    .description(
      'Change the limits of a plan. An increase holds from the next request on. A reduction needs --from, at least 14 days ahead, and --note.',
    )
    .option('--month <number>', 'requests per account and month')
    .option('--window <number>', 'requests per key and 60 seconds')
    .option('--exports <mode>', 'whether accounts may read /changes and /exports: on or off')
    .option('--from <date>', 'when the limits take effect: a date (00:00 UTC), or a timestamp (default: now)')
    .option('--note <text>', 'the entry in the changelog of the service');
  addExamples(command, [
    ['cratebase plans set free --month 50000 --window 120', ''],
    ['cratebase plans set free --exports on', 'every account may mirror the catalogue'],
    ['cratebase plans set pro --window 600 --from 2027-03-01 --note "To be fair to all."', ''],
  ]);
  command.action(async (plan: string) => {
    const { month, window, from, note: text, exports } = command.opts<SetOptions>();
    const input = {
      quota: parseWholeNumber('--month', month),
      window: parseWholeNumber('--window', window),
      from,
      note: text,
    };
    const hasExports = parseMode(exports);
    const hasLimits = month !== undefined || window !== undefined;
    if (!hasLimits && (from !== undefined || text !== undefined))
      throw new Failure('--from and --note work only together with --month or --window.', 2);
    const { change, next } = await withAccess(command, async (access) => {
      // The limits come first: they may be refused.
      const result = hasLimits || hasExports === null ? await setLimits(access, plan, input) : {};
      if (hasExports !== null) await access.exports.set(plan, hasExports, terminalActor());
      return result;
    });
    if (change === undefined) {
      printResult(
        command,
        { plan, exports: hasExports },
        () => `${plan}: change feed and exports ${exports}, from the next request on`,
      );
      return;
    }
    printResult(
      command,
      change,
      () =>
        `${change.plan}: ${number(change.quota)} requests a month, ${number(change.window)} per key and 60 s, from ${change.from} on`,
    );
    if (next !== undefined) {
      note(
        `From ${next.from} on, it has ${number(next.quota)} a month and ${number(next.window)} per key and 60 s, as set before.`,
      );
    }
  });
}

/** Whether `--exports` allows a plan the change feed and the exports; null: the option is absent. */
function parseMode(mode: string | undefined): boolean | null {
  if (mode === undefined) return null;
  if (mode !== 'on' && mode !== 'off') throw new Failure('--exports is on or off.', 2);
  return mode === 'on';
}

type PlanChange = Awaited<ReturnType<Access['plans']['set']>>;

/** Changes the limits of a plan, and returns the later change that replaces them. */
async function setLimits(
  access: Access,
  plan: string,
  input: Parameters<Access['plans']['set']>[1],
): Promise<{ change?: PlanChange; next?: Plans[number]['upcoming'][number] | undefined }> {
  const change = await access.plans.set(plan, input, terminalActor());
  const all = await access.plans.list();
  const upcoming = all.find((one) => one.plan === change.plan)?.upcoming ?? [];
  return { change, next: upcoming.find((one) => one.from > change.from) };
}

function addCancel(plans: Command): void {
  const command = plans
    .command('cancel')
    .argument('<plan>', 'free, premium or pro')
    .argument('<from>', 'when the change would take effect, from `plans list`')
    .description('Cancel a change of limits that has not taken effect yet.');
  addExamples(command, [['cratebase plans cancel free 2027-03-01', '']]);
  command.action(async (plan: string, from: string) => {
    const change = await withAccess(command, (access) => access.plans.cancel(plan, from, terminalActor()));
    printResult(command, change, () => `cancelled the change of ${change.plan} from ${change.from} on`);
  });
}
