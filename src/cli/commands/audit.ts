/** `audit`: lists what people did in the terminal and in the console. */
import type { Command } from 'commander';
import { toActor } from '../../contract/roles.ts';
import { addExamples, printResult, withApp } from '../command.ts';
import { parseLimit } from '../numbers.ts';
import { describeDetails, toJsonEntry } from '../output/edits.ts';
import { formatTable } from '../output/terminal.ts';
import { addClusterOptions, clusterOf } from '../with-access.ts';

type AuditOptions = { actor?: string; subject?: string; action?: string; before?: string; limit: string };

/** Adds `audit` to the program. */
export function addAudit(program: Command): void {
  const command = program
    .command('audit')
    .option('--actor <actor>', 'only what this person did: an email, or the name of a user of the terminal')
    .option('--subject <subject>', 'only about this slug, source or email of an account')
    .option('--action <prefix>', 'only actions that begin with this, such as record. or source.add')
    .option('--before <id>', 'only entries older than this one')
    .option('--limit <number>', 'maximum number of entries', '50')
    .description(
      'List the audit log, newest first: who did what and when, with the values before and after.',
    );
  addClusterOptions(command);
  addExamples(command, [
    ['cratebase audit', ''],
    ['cratebase audit --action record. --limit 10', ''],
    ['cratebase audit --actor ada@example.com --json', ''],
  ]);
  command.action(async () => {
    const { actor, subject, action, before, limit } = command.opts<AuditOptions>();
    const filter = {
      limit: parseLimit(limit),
      ...(actor === undefined ? {} : { actor: toActor(actor) }),
      ...(action === undefined ? {} : { action }),
      ...(before === undefined ? {} : { beforeId: parseLimit(before, '--before') }),
    };
    const entries = await withApp(
      command,
      { readOnly: true, cluster: await clusterOf(command) },
      async (app) => {
        if (subject === undefined) return app.audit().list(filter);
        // Entries about an account have its id.
        const id = subject.includes('@') ? (await (await app.access()).accounts.show(subject)).id : subject;
        return app.audit().list({ ...filter, subject: id });
      },
    );
    printResult(command, { data: entries.map(toJsonEntry) }, () =>
      entries.length === 0
        ? 'No entries.'
        : formatTable(
            ['ID', 'WHEN', 'WHO', 'ACTION', 'SUBJECT', 'WHAT'],
            entries
              .map((entry) => ({ ...toJsonEntry(entry), what: describeDetails(entry.details, entry.action) }))
              .map(({ id, at, actor, action, subject_kind, subject, what, undone_by }) => [
                id,
                at,
                actor,
                action,
                `${subject_kind}/${subject}`,
                undone_by === null ? what : `${what}; undone by ${undone_by}`,
              ]),
          ),
    );
  });
}
