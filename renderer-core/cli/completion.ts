// `framework completion`: scripts for three shells, made from the table of commands.
import { UserError } from '../errors.ts';
import { nearestName } from '../model/suggest.ts';
import type { CliIo, CommandInput, CommandSpec, OptionSpec } from './command.ts';

type Row = CommandSpec;
type Completion = readonly string[] | 'file' | 'folder' | undefined;

const writers: Record<string, (commands: readonly Row[]) => string[]> = { bash, zsh, fish };

export async function runCompletion(
  { positionals }: CommandInput,
  io: CliIo,
  commands: readonly Row[],
): Promise<number> {
  const names = Object.keys(writers);
  const [shell] = positionals;
  const write = shell === undefined || !Object.hasOwn(writers, shell) ? undefined : writers[shell];
  if (!write) {
    const nearest = shell && nearestName(shell, names);
    throw new UserError(
      'usage',
      shell === undefined ? 'completion needs the name of a shell' : `no completion for the shell "${shell}"`,
      {
        hint: nearest ? `Did you mean ${nearest}?` : `Shells: ${names.join(', ')}.`,
      },
    );
  }
  io.stdout.write(`${write(commands).join('\n')}\n`);
  return 0;
}

const offered = ({ value }: OptionSpec): Completion => value?.choices ?? value?.complete;
const dashed = ({ name, short }: OptionSpec): string[] => [`--${name}`, ...(short ? [`-${short}`] : [])];
/** In single quotes, for all three shells; fish alone reads backslashes inside them, and no text here has any. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function bash(commands: readonly Row[]): string[] {
  const reply = (completion: Completion): string => {
    if (completion === 'file') return 'compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur"))';
    if (completion === 'folder') return 'compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur"))';
    return completion ? `COMPREPLY=($(compgen -W ${quoted(completion.join(' '))} -- "$cur"))` : 'COMPREPLY=()';
  };
  const command = (row: Row): string[] => [
    `    ${row.name})`,
    '      case "$prev" in',
    ...row.options
      .filter(({ value }) => value)
      .map((option) => `        ${dashed(option).join('|')}) ${reply(offered(option))}; return ;;`),
    '      esac',
    `      if [[ "$cur" == -* ]]; then ${reply([...row.options.flatMap(dashed), '--help'])}`,
    `      else ${reply(row.positionals[0]?.complete)}; fi ;;`,
  ];
  return [
    '# bash completion for framework',
    '_framework() {',
    `  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}"`,
    '  # bash splits --option=value at the equals sign',
    `  if [[ "$cur" == "=" ]]; then cur=""; elif [[ "$prev" == "=" ]]; then prev="\${COMP_WORDS[COMP_CWORD-2]}"; fi`,
    '  if (( COMP_CWORD == 1 )); then',
    `    ${reply([...commands.map(({ name }) => name), '--help', '--version'])}`,
    '    return',
    '  fi',
    `  case "\${COMP_WORDS[1]}" in`,
    ...commands.flatMap(command),
    '  esac',
    '}',
    'complete -F _framework framework',
  ];
}

function zsh(commands: readonly Row[]): string[] {
  const action = (completion: Completion): string => {
    if (completion === 'file') return '_files';
    if (completion === 'folder') return '_files -/';
    return completion ? `(${completion.join(' ')})` : ' ';
  };
  // Square brackets and colons have a meaning inside an _arguments specification.
  const text = (summary: string): string => summary.replace(/[[\]:\\]/g, '\\$&');
  const option = (spec: OptionSpec): string[] => {
    const value = spec.value ? `:${spec.value.label}:${action(offered(spec))}` : '';
    const equals = spec.value ? '=' : '';
    const rest = `[${text(spec.summary)}]${value}`;
    return [quoted(`--${spec.name}${equals}${rest}`), ...(spec.short ? [quoted(`-${spec.short}${rest}`)] : [])];
  };
  const command = (row: Row): string[] => [
    `    ${row.name}) _arguments -s \\`,
    ...[
      ...row.options.flatMap(option),
      ...row.positionals.map(({ name, complete }) => quoted(`::${name}:${action(complete)}`)),
    ].map((line) => `      ${line} \\`),
    `      '--help[Show help]' ;;`,
  ];
  return [
    '#compdef framework',
    '_framework() {',
    '  local -a commands',
    `  commands=(${commands.map(({ name, summary }) => quoted(`${name}:${summary}`)).join(' ')})`,
    '  if (( CURRENT == 2 )); then',
    '    _describe command commands',
    '    return',
    '  fi',
    '  local name="$words[2]"',
    '  shift words; (( CURRENT-- ))',
    '  case "$name" in',
    ...commands.flatMap(command),
    '  esac',
    '}',
    '# Loaded by the completion system, or read by source.',
    'if [[ "$funcstack[1]" == _framework ]]; then _framework "$@"; else compdef _framework framework; fi',
  ];
}

function fish(commands: readonly Row[]): string[] {
  const words = (completion: Completion): string => {
    if (completion === 'file') return ' -F';
    if (completion === 'folder') return ` -f -a '(__fish_complete_directories)'`;
    return completion ? ` -f -a ${quoted(completion.join(' '))}` : ' -f';
  };
  const command = (row: Row): string[] => {
    const start = `complete -c framework -n '__fish_seen_subcommand_from ${row.name}'`;
    return [
      `complete -c framework -n __fish_use_subcommand -f -a ${row.name} -d ${quoted(row.summary)}`,
      `${start}${words(row.positionals[0]?.complete)}`,
      ...row.options.map((spec) => {
        const short = spec.short ? ` -s ${spec.short}` : '';
        return `${start} -l ${spec.name}${short}${spec.value ? ` -r${words(offered(spec))}` : ''} -d ${quoted(spec.summary)}`;
      }),
    ];
  };
  return ['# fish completion for framework', 'complete -c framework -f', ...commands.flatMap(command)];
}
