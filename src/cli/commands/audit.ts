/** `audit`: lists who changed what and when. */
import type { Command } from 'commander';
import { Failure } from '../../failure.ts';
import { addExamples, printResult, withApp } from '../command.ts';
import { formatMinute } from '../output/import-report.ts';
import { formatTable } from '../output/terminal.ts';

type AuditOptions = { subject?: string; actor?: string; action?: string; before?: string; limit?: string };

const maxEntries = 1_000;

export function addAudit(program: Command): void {
  const audit = program
    .command('audit')
    .description('List changes that people made in the terminal or the console, newest first.')
    .option('--subject <text>', 'only about this record, source or account (slug, name or email)')
    .option('--actor <name>', 'only by this account (email) or user of the terminal')
    .option('--action <text>', 'only actions that begin with this text, such as account.')
    .option('--before <id>', 'only entries before this one, for the next page')
    .option('--limit <number>', 'number of entries (default: 30)');
  addExamples(audit, [
    ['cratebase audit', ''],
    ['cratebase audit --action account. --limit 100', ''],
    ['cratebase audit --subject ada@example.com --json', ''],
  ]);
  audit.action(() => listEntries(audit));
}

/** Parses a whole number from 1 on. */
function parseCount(name: string, text: string, max: number): number {
  const count = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= max) return count;
  throw new Failure(`--${name} is a whole number from 1 to ${max}, not ${JSON.stringify(text)}.`, 2);
}

/** Returns the name of a person in the log: an email is an account, another name a user of the terminal. */
const toActor = (text: string): string =>
  /^(?:account|terminal):/.test(text) ? text : `${text.includes('@') ? 'account' : 'terminal'}:${text}`;

async function listEntries(command: Command): Promise<void> {
  const { subject, actor, action, before, limit = '30' } = command.opts<AuditOptions>();
  const filter = {
    limit: parseCount('limit', limit, maxEntries),
    ...(before === undefined ? {} : { beforeId: parseCount('before', before, Number.MAX_SAFE_INTEGER) }),
    ...(actor === undefined ? {} : { actor: toActor(actor) }),
    ...(action === undefined ? {} : { action }),
  };
  const entries = await withApp(command, { readOnly: true }, async (app) => {
    const { accounts } = await app.access();
    const id = subject?.includes('@') ? (await accounts.show(subject)).id : subject;
    return app.auditLog().list(id === undefined ? filter : { ...filter, subject: id });
  });
  const data = entries.map((entry) => ({
    id: entry.id,
    created_at: new Date(entry.createdTs).toISOString(),
    actor: entry.actor,
    action: entry.action,
    subject_kind: entry.subjectKind,
    subject: entry.subject,
    details: entry.details,
    undone_by: entry.undoneBy,
  }));
  printResult(command, { data }, () =>
    data.length === 0
      ? 'No entries.'
      : formatTable(
          ['ID', 'TIME (UTC)', 'BY', 'ACTION', 'SUBJECT', 'CHANGE', 'UNDONE BY'],
          data.map((entry) => [
            entry.id,
            formatMinute(entry.created_at),
            entry.actor.replace(/^account:/, ''),
            entry.action,
            entry.subject,
            formatChange(entry.details),
            entry.undone_by,
          ]),
        ),
  );
}

/** Returns the values before and after a change, or its other details, in one line. */
function formatChange({ before, after, ...rest }: Record<string, unknown>): string {
  const change = before === undefined && after === undefined ? [] : [`${toText(before)} → ${toText(after)}`];
  const others = Object.entries(rest).map(([name, value]) => `${name}: ${toText(value)}`);
  const line = [...change, ...others].join('; ');
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
}

function toText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value ?? 'none');
  return Object.entries(value)
    .map(
      ([name, one]) =>
        `${name} ${typeof one === 'object' && one !== null ? JSON.stringify(one) : String(one ?? 'none')}`,
    )
    .join(', ');
}
