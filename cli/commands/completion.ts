// `framework completion`: shell completion scripts, generated from the table of commands.
import { UserError } from '../../renderer-core/errors.ts';
import { nearestName } from '../../renderer-core/model/text/suggest.ts';
import type { CliIo, CommandInput, CommandSpec, OptionSpec } from '../command.ts';

type Completion = readonly string[] | 'file' | 'folder' | undefined;

/** A command name typed so far (empty, `auth`, `auth login`), the words that may follow, and the command of that name. */
type Step = { name: string; next: readonly { word: string; summary: string }[]; row: CommandSpec | undefined };

const generators: Record<string, (steps: readonly Step[]) => string[]> = { bash, zsh, fish };

export async function runCompletion(
  { positionals }: CommandInput,
  io: CliIo,
  commands: readonly CommandSpec[],
): Promise<number> {
  const names = Object.keys(generators);
  const [shell] = positionals;
  const generate = shell === undefined || !Object.hasOwn(generators, shell) ? undefined : generators[shell];
  if (!generate) {
    const nearest = shell && nearestName(shell, names);
    throw new UserError(
      'usage',
      shell === undefined ? 'the name of a shell is missing' : `no completion for the shell "${shell}"`,
      {
        hint: nearest ? `Did you mean ${nearest}?` : `Shells: ${names.join(', ')}.`,
      },
    );
  }
  io.stdout.write(`${generate(stepsOf(commands)).join('\n')}\n`);
  return 0;
}

function stepsOf(commands: readonly CommandSpec[]): Step[] {
  const starts = commands.flatMap(({ name }) =>
    name.split(' ').map((_, at, words) => words.slice(0, at + 1).join(' ')),
  );
  return ['', ...new Set(starts)].map((name) => {
    const nested = commands.filter((row) => name === '' || row.name.startsWith(`${name} `));
    const nextWord = (row: CommandSpec): string =>
      row.name.slice(name === '' ? 0 : name.length + 1).split(' ')[0] ?? '';
    const next = [...new Set(nested.map(nextWord))].map((word) => {
      const whole = name === '' ? word : `${name} ${word}`;
      const summary = commands.find((row) => row.name === whole)?.summary;
      const group = commands.filter((row) => row.name.startsWith(`${whole} `));
      return { word, summary: summary ?? group.map((row) => row.name.slice(whole.length + 1)).join(', ') };
    });
    return { name, next, row: commands.find((row) => row.name === name) };
  });
}

const wordsOf = ({ next }: Step): string[] => next.map(({ word }) => word);
const namesOf = (steps: readonly Step[]): string[] => steps.map(({ name }) => name).filter((name) => name !== '');

const completionOf = ({ value }: OptionSpec): Completion => value?.choices ?? value?.complete;
const dashed = ({ name, short }: OptionSpec): string[] => [`--${name}`, ...(short ? [`-${short}`] : [])];
const withModes = ({ name, modes = [] }: OptionSpec): string[] => modes.map((mode) => `--${name}=${mode}`);
/** Single quotes work in all three shells. Only fish interprets backslashes inside them, and no text here has any. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function bash(steps: readonly Step[]): string[] {
  const words = (list: readonly string[]): string => `COMPREPLY+=($(compgen -W ${quoted(list.join(' '))} -- "$cur"))`;
  const reply = (completion: Completion): string => {
    if (completion === 'file') return 'compopt -o filenames 2>/dev/null; COMPREPLY+=($(compgen -f -- "$cur"))';
    if (completion === 'folder') return 'compopt -o filenames 2>/dev/null; COMPREPLY+=($(compgen -d -- "$cur"))';
    return completion ? words(completion) : ':';
  };
  const step = (one: Step): string[] => {
    const { name, row, next } = one;
    const options = [
      ...(row?.options ?? []).flatMap((one) => [...dashed(one), ...withModes(one)]),
      '--help',
      ...(name === '' ? ['--version'] : []),
    ];
    const values = (row?.options ?? [])
      .filter(({ value }) => value)
      .map((option) => `        ${dashed(option).join('|')}) ${reply(completionOf(option))}; return ;;`);
    return [
      `    ${quoted(name)})`,
      ...(values.length === 0 ? [] : ['      case "$prev" in', ...values, '      esac']),
      `      if [[ "$cur" == -* ]]; then ${words(options)}; return; fi`,
      ...(next.length > 0 ? [`      if (( at == COMP_CWORD )); then ${words(wordsOf(one))}; fi`] : []),
      `      ${reply(row?.positionals?.[0]?.complete)} ;;`,
    ];
  };
  return [
    '# bash completion for framework',
    '_framework() {',
    `  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" name="" at`,
    '  COMPREPLY=()',
    '  # bash splits --option=value at the equals sign',
    `  if [[ "$cur" == "=" ]]; then cur=""; elif [[ "$prev" == "=" ]]; then prev="\${COMP_WORDS[COMP_CWORD-2]}"; fi`,
    '  # a command name has one or more words',
    '  for (( at = 1; at < COMP_CWORD; at++ )); do',
    `    case "\${name:+$name }\${COMP_WORDS[at]}" in`,
    `      ${namesOf(steps).map(quoted).join('|')}) name="\${name:+$name }\${COMP_WORDS[at]}" ;;`,
    '      *) break ;;',
    '    esac',
    '  done',
    '  case "$name" in',
    ...steps.flatMap(step),
    '  esac',
    '}',
    'complete -F _framework framework',
  ];
}

function zsh(steps: readonly Step[]): string[] {
  const action = (completion: Completion): string => {
    if (completion === 'file') return '_files';
    if (completion === 'folder') return '_files -/';
    return completion ? `(${completion.join(' ')})` : ' ';
  };
  // Square brackets and colons have a meaning inside an _arguments specification.
  const text = (summary: string): string => summary.replace(/[[\]:\\]/g, '\\$&');
  const option = (spec: OptionSpec): string[] => {
    const mode = spec.modes ? `::mode:${action(spec.modes)}` : '';
    const value = spec.value ? `:${spec.value.label}:${action(completionOf(spec))}` : mode;
    const equals = spec.value ? '=' : spec.modes ? '=-' : '';
    const rest = `[${text(spec.summary)}]${value}`;
    return [quoted(`--${spec.name}${equals}${rest}`), ...(spec.short ? [quoted(`-${spec.short}${rest}`)] : [])];
  };
  const command = (row: CommandSpec | undefined): string[] => [
    '      _arguments -s \\',
    ...[
      ...(row?.options ?? []).flatMap(option),
      ...(row?.positionals ?? []).map(({ name, complete, many }) =>
        quoted(`${many ? '*' : ':'}:${name}:${action(complete)}`),
      ),
    ].map((line) => `        ${line} \\`),
    `        '--help[Show help]' ;;`,
  ];
  const step = ({ name, next, row }: Step): string[] => [
    `    ${quoted(name)})`,
    ...(next.length === 0
      ? []
      : [
          `      following=(${next.map(({ word, summary }) => quoted(`${word}:${text(summary)}`)).join(' ')})`,
          `      if (( CURRENT == 2 )) && [[ "$words[2]" != -* ]]; then _describe command following${row ? '' : '; return'}; fi`,
        ]),
    ...command(row),
  ];
  return [
    '#compdef framework',
    '_framework() {',
    '  local -a following',
    '  local name=""',
    '  # A command name has one or more words.',
    '  while (( CURRENT > 2 )); do',
    `    case "\${name:+$name }$words[2]" in`,
    `      ${namesOf(steps).map(quoted).join('|')}) name="\${name:+$name }$words[2]"; shift words; (( CURRENT-- )) ;;`,
    '      *) break ;;',
    '    esac',
    '  done',
    '  case "$name" in',
    ...steps.flatMap(step),
    '  esac',
    '}',
    '# Works both from the completion system and with source.',
    'if [[ "$funcstack[1]" == _framework ]]; then _framework "$@"; else compdef _framework framework; fi',
  ];
}

function fish(steps: readonly Step[]): string[] {
  const words = (completion: Completion): string => {
    if (completion === 'file') return ' -F';
    if (completion === 'folder') return ` -f -a '(__fish_complete_directories)'`;
    return completion ? ` -f -a ${quoted(completion.join(' '))}` : ' -f';
  };
  const step = ({ name, next, row }: Step): string[] => {
    const start = `complete -c framework -n "__framework_at '${name}'"`;
    return [
      ...next.map(
        ({ word, summary }) =>
          `complete -c framework -n "__framework_at '${name}' next" -f -a ${word} -d ${quoted(summary)}`,
      ),
      ...(row ? [`${start}${words(row.positionals?.[0]?.complete)}`] : []),
      ...(row?.options ?? []).map((spec) => {
        const short = spec.short ? ` -s ${spec.short}` : '';
        return `${start} -l ${spec.name}${short}${spec.value ? ` -r${words(completionOf(spec))}` : ''} -d ${quoted(spec.summary)}`;
      }),
    ];
  };
  return [
    '# fish completion for framework',
    '# Whether the line begins with this command name; with "next", whether nothing follows it yet.',
    'function __framework_at',
    '  set -l name',
    '  set -l line (commandline -opc)',
    '  for word in $line[2..-1]',
    `    contains -- (string join ' ' -- $name $word) ${namesOf(steps).map(quoted).join(' ')}; or break`,
    '    set -a name $word',
    '  end',
    `  set -l joined (string join ' ' -- $name)`,
    '  test "$joined" = "$argv[1]"; or return 1',
    '  test "$argv[2]" != next; or test (count $line) -eq (math 1 + (count $name))',
    'end',
    'complete -c framework -f',
    ...steps.flatMap(step),
  ];
}
