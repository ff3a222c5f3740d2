/**
 * `action`: the process in which `serve` runs the actions of the console (`src/actions.ts`). It reads requests from
 * standard input and ends with it. Each action opens the data file again, so that it notices a replaced file.
 */
import type { Command } from 'commander';
import { Failure } from '../../failure.ts';
import { readFetchConfig, settingOption, withApp } from '../command.ts';
import type { ActionReply, ActionRequest } from '../serve/action-messages.ts';
import { readJsonLines } from '../serve/json-lines.ts';

/** Adds the hidden command `action` to the program. */
export function addAction(program: Command): void {
  const command = program
    .command('action', { hidden: true })
    .description('Run actions of the console: JSON requests on standard input, replies on standard output.');
  for (const name of ['baseUrl', 'fetchAllow'] as const) command.addOption(settingOption(name));
  command.action(() => answerRequests(command));
}

async function answerRequests(command: Command): Promise<void> {
  const { runAction } = await import('../../actions.ts');
  const fetch = readFetchConfig(command);
  const send = (reply: ActionReply) => void process.stdout.write(`${JSON.stringify(reply)}\n`);
  // An unreadable request ends the process, and the service starts another one.
  for await (const { id, action, input, actor, role, ...place } of readJsonLines<ActionRequest>(
    process.stdin,
  )) {
    const onWait = (writer: string) => send({ id, type: 'waiting', writer });
    try {
      const result = await withApp(command, place, (app) =>
        runAction(app, action, input, { actor, role, fetch, onWait }),
      );
      send({ id, type: 'done', result: result ?? null });
    } catch (failure) {
      if (failure instanceof Failure) {
        const { message, exitStatus, details } = failure;
        send({ id, type: 'refused', message, exitStatus, details });
      } else {
        process.stderr.write(`${failure instanceof Error ? failure.stack : String(failure)}\n`);
        send({ id, type: 'failed' });
      }
    }
  }
}
