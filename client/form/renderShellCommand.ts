// The render of what is being tried, as a command for a shell.
import { shellWord } from '../../renderer-core/cloud/typedCommands.ts';
import type { Values } from '../values.ts';

/** `folder` is the absolute path of the project; `composition` the path in it. */
export type TypedRender = { folder: string; composition: string; values: Values };

export type Shell = 'posix' | 'powershell';

/** Of the shell's program: `/bin/zsh`, `C:\…\pwsh.exe`. Windows' other shell cannot quote JSON reliably. */
export function shellOf(program: string): Shell {
  return /(?:powershell|pwsh|cmd)(?:\.exe)?$/i.test(program) ? 'powershell' : 'posix';
}

export function typedRender({ folder, composition, values }: TypedRender, shell: Shell): string {
  const isPlain = Object.keys(values).length === 0;
  if (shell === 'posix') {
    const words = ['framework', 'render', folder, '--composition', composition];
    return [...words, ...(isPlain ? [] : ['--variables', JSON.stringify(values)])].map(shellWord).join(' ');
  }
  const line = `framework render ${powerShellWord(folder)} --composition ${powerShellWord(composition)}`;
  if (isPlain) return line;
  // Its versions differ in what becomes of double quotes in arguments, and of letters in a pipe; of these signs they do not.
  return `${powerShellWord(asciiJson(values))} | ${line} --variables-file -`;
}

/** In single quotes, where only they mean something; PowerShell takes typographic ones for them. */
function powerShellWord(word: string): string {
  return /^[\w%+=:./\\-]+$/.test(word) ? word : `'${word.replaceAll(/['\u2018-\u201b]/g, '$&$&')}'`;
}

function asciiJson(values: Values): string {
  return JSON.stringify(values).replaceAll(
    /[^ -~]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
