// A shell command that renders a composition with the draft values.
import { shellWord } from '../../cloud/client/shellCommands.ts';
import type { Values } from '../draftValues.ts';
import { type SizeChoice, sizeArgs } from '../render/jobArguments.ts';

/** `folder`: absolute path of the project. `composition`: path in the project. */
export type ShellRender = { folder: string; composition: string; values: Values; size: SizeChoice };

export type Shell = 'posix' | 'powershell';

/** `program` is the path of a shell. For cmd.exe it returns PowerShell, because cmd.exe cannot quote JSON reliably. */
export function shellOf(program: string): Shell {
  return /(?:powershell|pwsh|cmd)(?:\.exe)?$/i.test(program) ? 'powershell' : 'posix';
}

export function renderShellCommand({ folder, composition, values, size }: ShellRender, shell: Shell): string {
  const hasValues = Object.keys(values).length > 0;
  if (shell === 'posix') {
    const words = ['framework', 'render', folder, '--composition', composition, ...sizeArgs(size)];
    return [...words, ...(hasValues ? ['--variables', JSON.stringify(values)] : [])].map(shellWord).join(' ');
  }
  const words = [folder, '--composition', composition, ...sizeArgs(size)];
  const line = ['framework render', ...words.map(powerShellWord)].join(' ');
  if (!hasValues) return line;
  // PowerShell versions differ in how they pass double quotes in arguments and non-ASCII characters in a pipe.
  return `${powerShellWord(asciiJson(values))} | ${line} --variables-file -`;
}

/** Quotes a word with single quotes. PowerShell also treats typographic single quotes as quotes. */
function powerShellWord(word: string): string {
  return /^[\w%+=:./\\-]+$/.test(word) ? word : `'${word.replaceAll(/['\u2018-\u201b]/g, '$&$&')}'`;
}

function asciiJson(values: Values): string {
  return JSON.stringify(values).replaceAll(
    /[^ -~]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
