/** `sources held`, `approve` and `reject`: records of sources that are held for review. */
import type { Command } from 'commander';
import type { HeldDecision, HeldSelection } from '../../../app.ts';
import { Failure } from '../../../failure.ts';
import { plural } from '../../../plural.ts';
import { terminalActor } from '../../actor.ts';
import { abortOnSignals, addExamples, followUpCommand, printResult, shellQuote } from '../../command.ts';
import { parseLimit } from '../../numbers.ts';
import { describeCounts } from '../../output/import-report.ts';
import { noteWaiting } from '../../output/matching.ts';
import { formatHeld } from '../../output/source-details.ts';
import { note, stripUnsafeCharacters } from '../../output/terminal.ts';
import { type SourceRegistry, withSources } from './registry.ts';

const maxLimit = 99_999;

/** Adds the commands to `sources`. */
export function addReview(sources: Command): void {
  addHeld(sources);
  addApprove(sources);
  addReject(sources);
}

function addHeld(sources: Command): void {
  const held = sources
    .command('held')
    .argument('<name>')
    .description('List the records of a held source that wait for you.')
    .option('--rejected', 'list the rejected ones instead')
    .option('--limit <number>', 'number of records (default: 100)');
  addExamples(held, [['cratebase sources held club', '']]);
  held.action(async (name: string) => {
    const { rejected, limit = '100' } = held.opts<{ rejected?: true; limit?: string }>();
    const count = parseLimit(limit, '--limit', maxLimit);
    const list = await withSources(held, { readOnly: true }, (registry) =>
      registry.held(name, {
        state: rejected ? 'rejected' : 'waiting',
        limit: count,
      }),
    );
    printResult(held, list, () => {
      const counts = `${plural(list.waiting, 'record')} of ${name} ${list.waiting === 1 ? 'waits' : 'wait'}, ${list.rejected} rejected`;
      if (list.records.length === 0) return counts;
      const approve = followUpCommand(held, `sources approve ${shellQuote(name)} ID`);
      const hint = rejected ? [] : [`to publish one, run: ${approve}`];
      return [formatHeld(list.records), counts, ...hint].join('\n');
    });
  });
}

/** Returns the records that the arguments name. */
function selectionOf(command: Command, ids: string[]): HeldSelection {
  const all = command.opts<{ all?: true }>().all === true;
  if (all === ids.length > 0) throw new Failure('Name the ids of records, or give --all.', 2);
  return all ? 'all' : ids;
}

function addApprove(sources: Command): void {
  const approve = sources
    .command('approve')
    .argument('<name>')
    .argument('[id...]', 'external ids, or kind:id')
    .description('Publish records of a held source. Later changes of them are published at once.')
    .option('--all', 'all records that wait');
  addExamples(approve, [
    ['cratebase sources approve club 4711 4712', ''],
    ['cratebase sources approve club --all', ''],
  ]);
  approve.action(async (name: string, ids: string[]) => {
    const selection = selectionOf(approve, ids);
    const result = await withSources(approve, {}, (registry) => approveAndPublish(registry, name, selection));
    for (const one of result.rejected) note(stripUnsafeCharacters(`${one.where ?? ''}: ${one.reason}`));
    printResult(approve, result, () =>
      [`${plural(result.decided, 'record')} of ${name} approved`, describeCounts(result.kinds)]
        .filter((part) => part !== '')
        .join('\n'),
    );
    if (result.rejected.length > 0) process.exitCode = 1;
  });
}

async function approveAndPublish(
  registry: SourceRegistry,
  name: string,
  selection: HeldSelection,
): Promise<HeldDecision & { kinds: object; rejected: { where?: string; reason: string }[] }> {
  const decision = await registry.approve(name, selection, terminalActor());
  const signal = abortOnSignals();
  const report = await registry.publishApproved(name, { signal, onWait: noteWaiting });
  return { ...decision, kinds: report?.kinds ?? {}, rejected: report?.rejected ?? [] };
}

function addReject(sources: Command): void {
  const reject = sources
    .command('reject')
    .argument('<name>')
    .argument('[id...]', 'external ids, or kind:id')
    .description('Reject records of a held source: later runs do not publish them.')
    .option('--all', 'all records that wait');
  addExamples(reject, [['cratebase sources reject club 4711', '']]);
  reject.action(async (name: string, ids: string[]) => {
    const selection = selectionOf(reject, ids);
    const result = await withSources(reject, {}, (registry) =>
      registry.reject(name, selection, terminalActor()),
    );
    printResult(reject, result, () => `${plural(result.decided, 'record')} of ${name} rejected`);
  });
}
