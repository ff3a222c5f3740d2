/** `man`: prints the manual page, generated from the help texts. */
import type { Argument, Command, Option } from 'commander';
import { changelog } from '../../contract/changelog.ts';
import { addExamples, examplesOf } from '../command.ts';
import { printDocument } from '../output/terminal.ts';

/** Adds `man` to the program. The page has the commands that were added to the program when it runs. */
export function addMan(program: Command): void {
  const man = program.command('man').description('Print the manual page in the format of `man`.');
  addExamples(man, [
    ['cratebase man | man -l -', 'read it'],
    ['cratebase man > /usr/local/share/man/man1/cratebase.1', 'install it'],
  ]);
  man.action(() => printDocument(renderManPage(program)));
}

/** Returns the page as roff with the macros of man(7). */
function renderManPage(program: Command): string {
  const help = program.createHelp();
  const globals = help.visibleOptions(program);
  return [
    `.TH CRATEBASE 1 "${changelog[0]?.date ?? ''}" ${roffQuote(`cratebase ${program.version()}`)} "User Commands"`,
    '.SH NAME',
    `cratebase \\- ${roffText(firstLower(program.description()))}`,
    '.SH SYNOPSIS',
    '.B cratebase',
    '.I command',
    '[\\fIoptions\\fR]',
    '.SH OPTIONS OF EVERY COMMAND',
    ...globals.flatMap(optionLines),
    '.SH COMMANDS',
    ...help.visibleCommands(program).flatMap((command) => commandLines(command, 'cratebase')),
    '.SH ENVIRONMENT',
    'The descriptions of the options name their environment variables. A flag wins over a variable. For a secret,',
    '\\fICRATEBASE_X_FILE\\fR names a file that contains it. \\fBNO_COLOR\\fR turns off bold text and colours.',
    '.SH EXIT STATUS',
    '0: done. 1: failed, or partly failed. 2: wrong usage. 130, 143: ended by SIGINT or SIGTERM.',
    '',
  ].join('\n');
}

/** Returns the section of a command and those of its subcommands. */
function commandLines(command: Command, above: string): string[] {
  const help = command.createHelp();
  const path = `${above} ${command.name()}`;
  const children = help.visibleCommands(command);
  const parameters = command.registeredArguments.map(argumentText).join(' ');
  const own = [
    `.SS ${roffQuote(parameters === '' ? path : `${path} ${parameters}`)}`,
    roffText(command.description()),
    ...command.registeredArguments.flatMap((argument) =>
      argument.description === ''
        ? []
        : ['.TP', `.I ${roffText(argument.name())}`, roffText(argument.description)],
    ),
    ...help
      .visibleOptions(command)
      .filter(({ long }) => long !== '--help')
      .flatMap(optionLines),
    ...exampleLines(command),
  ];
  const nested = children.filter((child) => child.name() !== 'help');
  return [...own, ...nested.flatMap((child) => commandLines(child, path))];
}

const exampleLines = (command: Command): string[] => {
  const lines = examplesOf(command).map(([line, meaning]) =>
    roffText(meaning === '' ? line : `${line}   # ${meaning}`),
  );
  return lines.length === 0 ? [] : ['.PP', 'Examples:', '.PP', '.EX', ...lines, '.EE'];
};

const argumentText = (argument: Argument): string => {
  const name = argument.variadic ? `${argument.name()}...` : argument.name();
  return argument.required ? `<${name}>` : `[${name}]`;
};

const optionLines = (option: Option): string[] => [
  '.TP',
  `.B ${roffText(option.flags)}`,
  roffText(option.description),
];

const firstLower = (sentence: string): string =>
  sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, '');

/** Escapes a text for roff, so that no line of it is a request. */
const roffText = (plain: string): string =>
  plain
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('\n', ' ')
    .replace(/^(['.])/, '\\&$1');
const roffQuote = (plain: string): string => `"${roffText(plain).replaceAll('"', '\\(dq')}"`;
