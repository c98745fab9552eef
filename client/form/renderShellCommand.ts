// A shell command that renders a composition with the draft values.
import { shellWord } from '../../cloud/client/shellCommands.ts';
import type { Values } from '../compositions/draftValues.ts';
import { type VideoChoice, videoArgs } from '../render/jobArguments.ts';

/**
 * `folder`: absolute path of the project. `composition`: path in the project. `command`: `render` by default, or `cloud render`
 * or `serverless render`. `options`: further options.
 */
export type ShellRender = {
  folder: string;
  composition: string;
  values: Values;
  size: VideoChoice;
  command?: string;
  options?: readonly string[];
};

export type Shell = 'posix' | 'powershell';

/** `program` is the path of a shell. For cmd.exe it returns PowerShell, because cmd.exe cannot quote JSON reliably. */
export function shellOf(program: string): Shell {
  return /(?:powershell|pwsh|cmd)(?:\.exe)?$/i.test(program) ? 'powershell' : 'posix';
}

export function renderShellCommand(render: ShellRender, shell: Shell): string {
  const { folder, composition, values, size, command = 'render', options = [] } = render;
  const hasValues = Object.keys(values).length > 0;
  const words = [folder, '--composition', composition, ...videoArgs(size), ...options];
  if (shell === 'posix') {
    const all = [...words, ...(hasValues ? ['--variables', JSON.stringify(values)] : [])];
    return [`framework ${command}`, ...all.map(shellWord)].join(' ');
  }
  const line = [`framework ${command}`, ...words.map(powerShellWord)].join(' ');
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
