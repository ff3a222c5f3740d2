/** `sources show`, `set`, `pause` and `resume`. */
import type { Command } from 'commander';
import { plural } from '../../../plural.ts';
import { terminalActor } from '../../actor.ts';
import { abortOnSignals, addExamples, followUpCommand, printResult, shellQuote } from '../../command.ts';
import { noteWaiting } from '../../output/matching.ts';
import { describeSource } from '../../output/source-details.ts';
import { withSources } from './registry.ts';
import { addRuleOptions, type RuleOptions, ruleChangesOf } from './rule-options.ts';

/** Adds the commands to `sources`. */
export function addSettings(sources: Command): void {
  addShow(sources);
  addSet(sources);
  addPause(sources);
  addResume(sources);
}

function addShow(sources: Command): void {
  const show = sources
    .command('show')
    .argument('<name>')
    .description('Show everything about one source: settings, rules, records, last runs.');
  addExamples(show, [['cratebase sources show club', '']]);
  show.action(async (name: string) => {
    const details = await withSources(show, { readOnly: true }, (registry) => registry.show(name));
    printResult(show, details, () => describeSource(details));
  });
}

type SetOptions = RuleOptions & {
  trust?: string;
  every?: string;
  url?: string;
  clock?: string;
  complete?: boolean;
  option?: string[];
  apply?: true;
};

function addSet(sources: Command): void {
  const set = sources
    .command('set')
    .argument('<name>')
    .description(
      'Change settings and rules of a source. Patterns are added to those that are set; other rules are replaced.',
    )
    .option('--trust <number>', '0 to 100; if sources disagree, the highest trust wins')
    .option('--every <span>', 'maximum time between two runs, such as 90m, 12h, 7d')
    .option('--url <url>', 'location of the source: an address, a file or a folder')
    .option('--clock <clock>', 'local for a source that writes local times with Z; else instant')
    .option('--complete', 'the source lists all its records: withdraw records that are missing')
    .option('--no-complete', 'records that are missing stay')
    .option('--option <name=value...>', 'options of the type, such as country=DE; NAME= removes one');
  addRuleOptions(set)
    .option('--no-hold', 'new records are published at once')
    .option('--no-keep-past', 'past events that are missing are withdrawn')
    .option('--unset <rule...>', 'remove rules by name, one pattern (exclude=PATTERN), or all')
    .option('--apply', 'withdraw now what the patterns exclude; otherwise the next run does');
  addExamples(set, [
    ['cratebase sources set club --exclude "Brain Break*" --apply', ''],
    ['cratebase sources set club --default-city Berlin --default-country DE', ''],
    ['cratebase sources set club --license CC-BY-4.0 --attribution "Club Example"', ''],
    ['cratebase sources set club --unset "exclude=Brain Break*"', ''],
  ]);
  set.action((name: string) => runSet(set, name));
}

async function runSet(set: Command, name: string): Promise<void> {
  const { option, apply, ...options } = set.opts<SetOptions>();
  const { trust, every, url, clock, complete } = options;
  const changes = { trust, every, url, clock, complete, options: option, ...ruleChangesOf(options) };
  const result = await withSources(set, {}, async (registry) => {
    const effect = await registry.set(name, changes, terminalActor());
    const signal = abortOnSignals();
    const report = apply === true ? await registry.applyRules(name, { signal, onWait: noteWaiting }) : null;
    if (report === null && effect.recomputes) await registry.finishInterrupted(signal);
    return { ...effect, withdrawn: report?.withdrawn ?? null };
  });
  printResult(set, result, () => {
    const { changed, reads_again, withdrawn, source } = result;
    const what = changed.length === 0 ? `${name} stays as it is` : `${name}: changed ${changed.join(', ')}`;
    const withdrawnText = withdrawn === null ? [] : [`${plural(withdrawn, 'record')} withdrawn`];
    const again =
      reads_again && source.scheduled
        ? [`to read it with the new settings, run: ${followUpCommand(set, `sync ${shellQuote(name)}`)}`]
        : [];
    return [what, ...withdrawnText, ...again].join('\n');
  });
}

function addPause(sources: Command): void {
  const pause = sources
    .command('pause')
    .argument('<name>')
    .description(
      'Pause a source: it is not read until `sources resume`. A run under way is completed. Its records stay.',
    );
  addExamples(pause, [['cratebase sources pause club', '']]);
  pause.action(async (name: string) => {
    const source = await withSources(pause, {}, (registry) => registry.pause(name, terminalActor()));
    printResult(pause, source, () => `${name} is paused. \`sync ${shellQuote(name)}\` still reads it.`);
  });
}

function addResume(sources: Command): void {
  const resume = sources
    .command('resume')
    .argument('<name>')
    .description('Resume a paused source. It is read at once if a run was due.');
  addExamples(resume, [['cratebase sources resume club', '']]);
  resume.action(async (name: string) => {
    const source = await withSources(resume, {}, (registry) => registry.resume(name, terminalActor()));
    printResult(resume, source, () => `${name} runs again, next ${source.next_run_at}`);
  });
}
