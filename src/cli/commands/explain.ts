/** `explain`: shows the source records of a record and the evidence that joins them. */
import type { Command } from 'commander';
import type { ComparedPair, ExplainedEdit, Explanation } from '../../app.ts';
import type { StatementSummary } from '../../contract/record-details.ts';
import { plural } from '../../plural.ts';
import { addExamples, printResult, withApp } from '../command.ts';
import { formatValue } from '../output/edits.ts';
import { describePair, recordHelp, sourceRecordLabel, wrapParts } from '../output/matching.ts';
import { bold, stripUnsafeCharacters } from '../output/terminal.ts';

/** Entries per section; --json has all. */
const maxShown = { statements: 20, names: 10, links: 5, near: 5 };

/** Adds `explain` to the program. */
export function addExplain(program: Command): void {
  const command = program
    .command('explain')
    .argument('<record>', recordHelp)
    .description(
      'Show the source records of a record, its edits, the evidence that joins them, and similar records that stay separate.',
    );
  addExamples(command, [
    ['cratebase explain event/tiefdruck-2026-12-04', ''],
    ['cratebase explain evt_00001a --json', 'with all details'],
  ]);
  command.action(async (record: string) => {
    const explanation = await withApp(command, { readOnly: true }, async (app) =>
      (await app.corrections()).explain(record),
    );
    printResult(command, explanation, () => formatExplanation(explanation).join('\n'));
  });
}

function formatExplanation(explanation: Explanation): string[] {
  const { name, kind, slug, id, removed, statements, derived, edits, given_names, links, near } = explanation;
  const head = [bold(stripUnsafeCharacters(name)), stripUnsafeCharacters(`${kind}/${slug}, ${id}`)];
  if (removed !== null) head.push(stripUnsafeCharacters(`Not in the catalogue: ${removed}`));
  const parts = [
    sourceRecordSection(statements),
    derivedSection(derived),
    editSection(edits),
    aliasSection(kind, given_names),
    linkSection(links),
    nearMissSection(near),
  ];
  return [...head, ...parts.flatMap((lines) => (lines.length > 0 ? ['', ...lines] : []))];
}

function sourceRecordSection(statements: readonly StatementSummary[]): string[] {
  if (statements.length === 0)
    return [bold('No source record'), '  Other records mention it by its name only.'];
  const lines = statements.slice(0, maxShown.statements).flatMap(sourceRecordLines);
  return [
    bold(plural(statements.length, 'source record')),
    ...lines,
    ...moreLine(statements, maxShown.statements),
  ];
}

function sourceRecordLines(sourceRecord: StatementSummary): string[] {
  const { name, start_at, place, url, withdrawn } = sourceRecord;
  const where = [start_at, place].filter((part) => part !== null);
  const withdrawnNote = withdrawn ? ['  withdrawn: the source no longer lists it'] : [];
  const more = [
    ...(where.length > 0 ? wrapParts(where, ', ', '  ') : []),
    ...(url === null ? [] : [`  ${url}`]),
  ];
  return [
    ...wrapParts([sourceRecordLabel(sourceRecord), name ?? ''], '  ', ''),
    ...more,
    ...withdrawnNote,
  ].map(indentLine);
}

function derivedSection(fields: Explanation['derived']): string[] {
  if (fields.length === 0) return [];
  const lines = fields.flatMap(({ field, value, from }) => [
    `${field}: ${formatValue(value)} (derived)`,
    `  ${derivations[from]}`,
  ]);
  return [bold(plural(fields.length, 'derived field')), ...lines.map(indentLine)];
}

const derivations: Readonly<Record<Explanation['derived'][number]['from'], string>> = {
  lineup: 'from the genres of the artists in the line-up; no source states any',
  description: 'from a labelled list in the description; no source states a line-up',
  title: 'from the title; no source states a line-up',
};

function editSection(edits: readonly ExplainedEdit[]): string[] {
  if (edits.length === 0) return [];
  const lines = edits.flatMap(({ field, value, source_value, owner, by, at }) => [
    `${field}: ${formatValue(value)}`,
    `  by ${by}, ${at}`,
    `  sources: ${formatValue(source_value)}${owner === null ? '' : ` (${sourceRecordLabel(owner)})`}`,
  ]);
  return [bold(plural(edits.length, 'edited field')), ...lines.map(indentLine)];
}

function aliasSection(kind: string, aliases: Explanation['given_names']): string[] {
  if (aliases.length === 0) return [];
  const lines = aliases
    .slice(0, maxShown.names)
    .map(({ name, slug }) => indentLine(slug === null ? name : `${name} (${kind}/${slug})`));
  return [bold('Also mentioned as'), ...lines, ...moreLine(aliases, maxShown.names)];
}

function linkSection(links: readonly ComparedPair[]): string[] {
  if (links.length === 0) return [];
  const lines = links.slice(0, maxShown.links).flatMap((pair) => describePair(pair, '').map(indentLine));
  return [bold('Evidence for one record'), ...lines, ...moreLine(links, maxShown.links)];
}

function nearMissSection(near: Explanation['near']): string[] {
  if (near.length === 0) return [];
  const lines = near.slice(0, maxShown.near).flatMap(({ record, ...pair }) => {
    const { name, kind, slug, id } = record;
    return [...wrapParts([name, `(${kind}/${slug}, ${id})`], ' ', ''), ...describePair(pair, '  ')].map(
      indentLine,
    );
  });
  return [bold('Similar records that stay separate'), ...lines, ...moreLine(near, maxShown.near)];
}

const indentLine = (text: string): string => `  ${stripUnsafeCharacters(text).replaceAll('\n', ' ')}`;

const moreLine = (all: readonly unknown[], count: number): string[] =>
  all.length > count ? [`  and ${all.length - count} more (see --json)`] : [];
