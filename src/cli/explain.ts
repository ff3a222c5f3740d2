/** `explain`: what a record consists of, and why. */
import type { Command } from 'commander';
import type { Explanation } from '../app.ts';
import { addExamples, show, withApp } from './command.ts';
import { describePair, nameOf, recordHelp } from './corrections.ts';
import { harmless } from './terminal.ts';

export function addExplain(program: Command): void {
  const command = program
    .command('explain')
    .argument('<record>', recordHelp)
    .description(
      'Show which statements a record consists of, why they are one, and what nearly was the same.',
    );
  addExamples(command, [
    ['cratebase explain event/tiefdruck-2026-12-04', ''],
    ['cratebase explain evt_00001a --json', ''],
  ]);
  command.action(async (record: string) => {
    const found = await withApp(command, {}, async (app) => (await app.corrections()).explain(record));
    show(command, found, () => harmlessLines(describe(found)));
  });
}

const harmlessLines = (text: string): string => text.split('\n').map(harmless).join('\n');

function describe({ statements, links, near, ...record }: Explanation): string {
  const said = statements.map(({ source, external_id, name, url }) =>
    `  ${source}:${external_id}  ${[name, url].filter(Boolean).join('  ')}`.trimEnd(),
  );
  const nobody = ['  no source has made a statement of it: others name it'];
  const parts = [nameOf(record), 'consists of', ...(said.length > 0 ? said : nobody)];
  if (links.length > 0) parts.push('because', ...links.map(describePair));
  if (near.length > 0) {
    parts.push('near misses');
    for (const { record: other, ...pair } of near) parts.push(`  ${nameOf(other)}`, describePair(pair));
  }
  return parts.join('\n');
}
