/** `completion`: prints a completion script for bash, zsh or fish, generated from the tree of commands. */
import type { Command } from 'commander';
import { Failure } from '../../failure.ts';
import { addExamples, singleQuote } from '../command.ts';
import { printDocument } from '../output/terminal.ts';
import { completedCommands } from './values.ts';

type CompletionWord = { word: string; about: string; takesValue?: boolean };
/** A command by its path ("cratebase accounts"), with its subcommands and options. */
type CommandNode = { path: string; commands: CompletionWord[]; options: CompletionWord[] };

const shells: Record<string, (nodes: CommandNode[]) => string> = { bash, zsh, fish };

/** Adds `completion` to the program. Its scripts name the commands that were added to the program when it runs. */
export function addCompletion(program: Command): void {
  const names = Object.keys(shells).join(', ');
  const command = program
    .command('completion')
    .argument('<shell>', names)
    .description('Print a completion script for a shell.');
  addExamples(command, [
    ['source <(cratebase completion bash)', 'in ~/.bashrc'],
    ['cratebase completion zsh > ~/.zfunc/_cratebase', 'in a folder of $fpath'],
    ['cratebase completion fish > ~/.config/fish/completions/cratebase.fish', ''],
  ]);
  command.action((shell: string) => {
    const write = Object.hasOwn(shells, shell) ? shells[shell] : undefined;
    if (!write) throw new Failure(`Unknown shell ${JSON.stringify(shell)}. Use one of ${names}.`, 2);
    printDocument(write(commandNodes(program)));
  });
}

function commandNodes(command: Command, parentPath = ''): CommandNode[] {
  const path = parentPath === '' ? command.name() : `${parentPath} ${command.name()}`;
  const help = command.createHelp();
  const global = path === command.name() ? [] : help.visibleGlobalOptions(command);
  const node = {
    path,
    commands: help
      .visibleCommands(command)
      .map((child) => ({ word: child.name(), about: firstSentence(child.description()) })),
    options: [...help.visibleOptions(command), ...global].flatMap((option) =>
      option.long
        ? [
            {
              word: option.long,
              about: option.description.replace(/ \(.*$/, ''),
              takesValue: option.required,
            },
          ]
        : [],
    ),
  };
  return [node, ...command.commands.flatMap((child) => commandNodes(child, path))];
}

const firstSentence = (text: string): string => text.split('. ', 1)[0]?.replace(/\.$/, '') ?? '';
/** Returns the options that take a value; the shells complete file names after them. */
const optionsWithValue = (nodes: CommandNode[]): string[] => [
  ...new Set(
    nodes.flatMap(({ options }) => options.flatMap(({ word, takesValue }) => (takesValue ? [word] : []))),
  ),
];
const joinWords = (words: CompletionWord[]): string => words.map(({ word }) => word).join(' ');

/** The commands whose arguments `values` completes, as a pattern of `case`. */
const completedCases = completedCommands.map((path) => `"${path}"`).join('|');

/** Returns the pattern of `case` for all command paths, for bash and zsh. */
const pathCases = (nodes: CommandNode[]): string =>
  nodes
    .slice(1)
    .map(({ path }) => `"${path}"`)
    .join('|');

function bash(nodes: CommandNode[]): string {
  const cases = nodes.map(
    ({ path, commands, options }) =>
      `    "${path}") commands="${joinWords(commands)}"; options="${joinWords(options)}" ;;`,
  );
  return `# bash completion of cratebase
_cratebase() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path="cratebase" word commands="" options="" words=()
  case "\${COMP_WORDS[COMP_CWORD-1]}" in
    ${optionsWithValue(nodes).join('|')}) return ;;
  esac
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$path $word" in
      ${pathCases(nodes)}) path="$path $word" ;;
      *) words+=("$word") ;;
    esac
  done
  case "$path" in
${cases.join('\n')}
  esac
  # Nothing found lets bash complete names of files.
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$options" -- "$current")) ;;
    *) COMPREPLY=($(compgen -W "$commands" -- "$current")) ;;
  esac
  [[ "$current" == -* ]] && return
  case "$path" in
    ${completedCases}) mapfile -t COMPREPLY < <("\${COMP_WORDS[0]}" values "$path" "\${words[@]}" "$current" 2>/dev/null)
      [[ "\${COMPREPLY[*]}" == */ ]] && compopt -o nospace 2>/dev/null ;;
  esac
}
complete -o default -F _cratebase cratebase`;
}

function zsh(nodes: CommandNode[]): string {
  const described = (words: CompletionWord[]) =>
    words.map(({ word, about }) => singleQuote(`${word.replaceAll(':', '\\:')}:${about}`)).join(' ');
  const cases = nodes.map(
    ({ path, commands, options }) =>
      `    "${path}") commands=(${described(commands)}); options=(${described(options)}) ;;`,
  );
  return `#compdef cratebase
_cratebase() {
  local path_so_far="cratebase" word
  local -a commands options given found
  case "$words[CURRENT-1]" in
    ${optionsWithValue(nodes).join('|')}) _files; return ;;
  esac
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$path_so_far $word" in
      ${pathCases(nodes)}) path_so_far="$path_so_far $word" ;;
      *) given+=("$word") ;;
    esac
  done
  case "$path_so_far" in
${cases.join('\n')}
  esac
  if [[ "$words[CURRENT]" == -* ]]; then
    _describe -o option options
  elif (( \${#commands} )); then
    _describe command commands
  elif found=("\${(@f)$("$words[1]" values "$path_so_far" "\${given[@]}" "$words[CURRENT]" 2>/dev/null)}") && [[ -n "$found" ]]; then
    if [[ "$found" == */ ]]; then compadd -S '' -a found; else compadd -a found; fi
  else
    _files
  fi
}
if [[ "$funcstack[1]" == _cratebase ]]; then _cratebase "$@"; else compdef _cratebase cratebase; fi`;
}

/** Returns the fish function that passes the arguments so far, and the one being typed, to `values`. */
const fishValues = (nodes: CommandNode[]): string => `function __cratebase_values
  set -l words (commandline -opc)
  set -l path cratebase
  set -l given
  for word in $words[2..-1]
    switch "$path $word"
      case ${nodes
        .slice(1)
        .map(({ path }) => `'${path}'`)
        .join(' ')}
        set path "$path $word"
      case '*'
        set -a given $word
    end
  end
  $words[1] values $path $given (commandline -ct) 2>/dev/null
end`;

function fish(nodes: CommandNode[]): string {
  const lines = nodes.flatMap(({ path, commands, options }) => {
    const names = path.split(' ').slice(1);
    const conditions = names.map((name) => `__fish_seen_subcommand_from ${name}`);
    const noSubcommand =
      commands.length === 0 ? [] : [`not __fish_seen_subcommand_from ${joinWords(commands)}`];
    const when = (parts: string[]) => (parts.length === 0 ? '' : ` -n ${singleQuote(parts.join('; and '))}`);
    return [
      ...commands.map(
        ({ word, about }) =>
          `complete -c cratebase -f${when([...conditions, ...noSubcommand])} -a ${word} -d ${singleQuote(about)}`,
      ),
      ...options.map(
        ({ word, about, takesValue }) =>
          `complete -c cratebase${when([...conditions, ...noSubcommand])}${takesValue ? ' -r -F' : ''} -l ${word.slice(2)} -d ${singleQuote(about)}`,
      ),
    ];
  });
  const values = completedCommands.map((path) => {
    const names = path.split(' ').slice(1);
    const when = names.map((name) => `__fish_seen_subcommand_from ${name}`).join('; and ');
    return `complete -c cratebase -f -n ${singleQuote(when)} -a '(__cratebase_values)'`;
  });
  return ['# fish completion of cratebase', fishValues(nodes), ...lines, ...values].join('\n');
}
