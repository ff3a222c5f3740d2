/** `explain`: what a record consists of, and why. */
import type { Command } from 'commander';
import type { Explanation, ShownPair, ShownStatement } from '../app.ts';
import { addExamples, show, withApp } from './command.ts';
import { describePair, recordHelp, sideOf, wrapped } from './corrections.ts';
import { bold, harmless, plural } from './terminal.ts';

/** So many of each are shown; `--json` has them all. */
const most = { statements: 20, names: 10, links: 5, near: 5 };

export function addExplain(program: Command): void {
  const command = program
    .command('explain')
    .argument('<record>', recordHelp)
    .description(
      'Show the source records of a record, the evidence that joins them, and similar records that stay separate.',
    );
  addExamples(command, [
    ['cratebase explain event/tiefdruck-2026-12-04', ''],
    ['cratebase explain evt_00001a --json', 'with all details'],
  ]);
  command.action(async (record: string) => {
    const found = await withApp(command, { readOnly: true }, async (app) =>
      (await app.corrections()).explain(record),
    );
    show(command, found, () => describe(found).join('\n'));
  });
}

function describe(found: Explanation): string[] {
  const { name, kind, slug, id, statements, given_names, links, near } = found;
  const head = [bold(harmless(name)), harmless(`${kind}/${slug}, ${id}`)];
  const parts = [saidOf(statements), namesOf(kind, given_names), linksOf(links), nearOf(near)];
  return [...head, ...parts.flatMap((lines) => (lines.length > 0 ? ['', ...lines] : []))];
}

function saidOf(statements: readonly ShownStatement[]): string[] {
  if (statements.length === 0)
    return [bold('No source record'), '  Other records mention it by its name only.'];
  const lines = statements.slice(0, most.statements).flatMap(statementLines);
  return [bold(plural(statements.length, 'source record')), ...lines, ...rest(statements, most.statements)];
}

function statementLines(said: ShownStatement): string[] {
  const { name, start_at, place, url, withdrawn } = said;
  const where = [start_at, place].filter((part) => part !== null);
  const withdrawnNote = withdrawn ? ['  withdrawn: the source no longer lists it'] : [];
  const more = [
    ...(where.length > 0 ? wrapped(where, ', ', '  ') : []),
    ...(url === null ? [] : [`  ${url}`]),
  ];
  return [...wrapped([sideOf(said), name ?? ''], '  ', ''), ...more, ...withdrawnNote].map(line);
}

function namesOf(kind: string, given: Explanation['given_names']): string[] {
  if (given.length === 0) return [];
  const lines = given
    .slice(0, most.names)
    .map(({ name, slug }) => line(slug === null ? name : `${name} (${kind}/${slug})`));
  return [bold('Also mentioned as'), ...lines, ...rest(given, most.names)];
}

function linksOf(links: readonly ShownPair[]): string[] {
  if (links.length === 0) return [];
  const shown = links.slice(0, most.links).flatMap((pair) => describePair(pair, '').map(line));
  return [bold('Evidence for one record'), ...shown, ...rest(links, most.links)];
}

function nearOf(near: Explanation['near']): string[] {
  if (near.length === 0) return [];
  const shown = near.slice(0, most.near).flatMap(({ record, ...pair }) => {
    const { name, kind, slug, id } = record;
    return [...wrapped([name, `(${kind}/${slug}, ${id})`], ' ', ''), ...describePair(pair, '  ')].map(line);
  });
  return [bold('Similar records that stay separate'), ...shown, ...rest(near, most.near)];
}

const line = (text: string): string => `  ${harmless(text).replaceAll('\n', ' ')}`;

const rest = (all: readonly unknown[], shown: number): string[] =>
  all.length > shown ? [`  and ${all.length - shown} more (see --json)`] : [];
