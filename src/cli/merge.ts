/** `merge`: two records are one, now and at every later sync. */
import type { Command } from 'commander';
import type { Merged } from '../app.ts';
import { addExamples, nextCommand, show, withApp } from './command.ts';
import { nameOf, noteWaiting, recordHelp } from './corrections.ts';
import { fields, plural } from './terminal.ts';

export function addMerge(program: Command): void {
  const command = program
    .command('merge')
    .argument('<a>', `the record that stays: ${recordHelp}`)
    .argument('<b>', 'the record that goes into it; its slug goes on answering')
    .option('--force', 'even against an earlier decision')
    .description('Make two records one. Remembered: no later sync parts them.');
  addExamples(command, [
    ['cratebase merge artist/dj-koze artist/koze', ''],
    ['cratebase merge evt_00001a evt_00002b --json', ''],
  ]);
  command.action(async (a: string, b: string) => {
    const force = command.opts<{ force?: true }>().force === true;
    const done = await withApp(command, {}, async (app) =>
      (await app.corrections(noteWaiting)).merge(a, b, { force }),
    );
    show(command, done, () => describe(command, done));
  });
}

function describe(command: Command, done: Merged): string {
  const { record, merged, undo, revision } = done;
  return fields([
    ['one now', nameOf(record)],
    ['slug', `${record.kind}/${record.slug} stays as it is`],
    [
      'merged',
      `${nameOf(merged)}; its slug goes on answering, with the record above; its id does in these commands`,
    ],
    ['mind', contradictionOf(done)],
    ['moved', movedWith(done)],
    ['name', nameReason(done)],
    ['revision', revision],
    ['undo', nextCommand(command, `split ${undo.map(quoted).join(' ')}`)],
  ]);
}

/** Not refused: a source may have the wrong day. But a slip is seen, and taken back with the last line. */
function contradictionOf({ contradicts }: Merged): string {
  const told = contradicts.map(({ what, kept, merged }) => `${what} ${kept} and ${merged}`);
  return told.length > 0 ? `the two differ: ${told.join('; ')}. If that was a slip, undo it` : '';
}

function movedWith({ moved: { statements, records } }: Merged): string {
  const counts = Object.entries(records).map(([kind, count]) =>
    plural(count, kind, kind.endsWith('y') ? `${kind.slice(0, -1)}ies` : `${kind}s`),
  );
  const all = [...(statements > 0 ? [plural(statements, 'statement')] : []), ...counts];
  return all.length > 0 ? all.join(', ') : 'nothing: nothing named it';
}

function nameReason({ record, name_from: from }: Merged): string {
  const name = JSON.stringify(record.name);
  if (from === null) return `${name}: no source speaks of it, so it keeps the name it had`;
  const said = `${name}, as ${from.source} has it`;
  if (from.because === 'only') return said;
  return from.because === 'trust'
    ? `${said}, the source with the highest trust`
    : `${said}: of the sources trusted most, its statement counts first (give another more --trust)`;
}

const quoted = (text: string): string =>
  /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
