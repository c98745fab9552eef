// Shell completion: each script contains every command and option, and works in the installed shells.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commands, shells } from '../../cli/commandTable.ts';
import { needPrograms } from '../support/systemPrograms.ts';
import { cli } from './cli.ts';

test('contains every command and option', async () => {
  for (const shell of shells) {
    const { status, stdout } = await cli(['completion', shell]);
    expect(status).toBe(0);
    for (const command of commands) {
      expect(stdout).toContain(command.name);
      for (const { name } of command.options) expect(stdout).toContain(shell === 'fish' ? `-l ${name} ` : `--${name}`);
    }
  }
});

test('rejects a missing or unknown shell', async () => {
  expect((await cli(['completion'])).stderr).toBe(
    'error: the name of a shell is missing\nhint: Shells: bash, zsh, fish.\n',
  );
  expect((await cli(['completion', 'bush'])).stderr).toBe(
    'error: no completion for the shell "bush"\nhint: Did you mean bash?\n',
  );
  expect((await cli(['completion', 'toString'])).status).toBe(2);
});

test.skipIf(process.platform === 'win32')('completes in bash', async (context) => {
  needPrograms(context, 'bash');
  const { stdout: script } = await cli(['completion', 'bash']);
  const complete = (...words: string[]): string => {
    const ask = `COMP_WORDS=("$@"); COMP_CWORD=$(( $# - 1 )); COMPREPLY=(); _framework; echo "\${COMPREPLY[*]}"`;
    return execFileSync('bash', ['-c', `${script}\n${ask}`, 'bash', ...words], { encoding: 'utf8' }).trim();
  };
  expect(complete('framework', 'd')).toBe('doctor');
  expect(complete('framework', 'render', '--var')).toBe('--variables --variables-file');
  expect(complete('framework', 'render', '--capture', '')).toBe('auto paint screenshot');
  expect(complete('framework', 'render', '--progress', '=', 'n')).toBe('ndjson none');
  expect(complete('framework', 'render', '-q', 'h')).toBe('high');
  expect(complete('framework', 'render', '--format', '')).toBe('mp4 webm mov gif hls png');
  expect(complete('framework', 'render', '--codec', 'h')).toBe('h264 h265');
  expect(complete('framework', 'render', '--fps', '')).toBe('');
  expect(complete('framework', 'completion', '')).toBe('bash zsh fish');
  expect(complete('framework', 'render', 'renderer-co')).toBe('renderer-core');
  expect(complete('framework', 'doctor', '--j')).toBe('--json');
  expect(complete('framework', 'aut')).toBe('auth');
  expect(complete('framework', 'auth', '')).toBe('login status refresh logout');
  expect(complete('framework', 'auth', 'log')).toBe('login logout');
  expect(complete('framework', 'auth', 'login', '--de')).toBe('--device');
  expect(complete('framework', 'auth', 'status', '')).toBe('');
  expect(complete('framework', 'auth', 'nope', '')).toBe('');
});

test('completes in fish', async (context) => {
  needPrograms(context, 'fish');
  const { stdout: script } = await cli(['completion', 'fish']);
  const folder = mkdtempSync(join(tmpdir(), 'framework-test-'));
  const file = join(folder, 'framework.fish');
  writeFileSync(file, script);
  const complete = (line: string): string =>
    execFileSync('fish', ['--no-config', '-c', `source ${file}; complete -C '${line}'`], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
      .split('\n')
      .map((one) => one.split('\t')[0])
      .join(' ')
      .trim();
  try {
    expect(complete('framework d')).toBe('doctor');
    expect(complete('framework render --var')).toBe('--variables --variables-file');
    expect(complete('framework render --capture ')).toBe('auto paint screenshot');
    expect(complete('framework completion ')).toBe('bash fish zsh');
    expect(complete('framework auth ').split(' ').sort()).toEqual(['login', 'logout', 'refresh', 'status']);
    expect(complete('framework auth log').split(' ').sort()).toEqual(['login', 'logout']);
    expect(complete('framework auth login --de')).toBe('--device');
    expect(complete('framework auth status ')).toBe('');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('completes in zsh', async (context) => {
  needPrograms(context, 'zsh');
  const { stdout: script } = await cli(['completion', 'zsh']);
  // zsh's completion system works only on a terminal, so stubs print the arguments of its functions.
  const system = 'compdef() { }; _describe() { print -l -- $following }; _arguments() { print -l -- "$@" }';
  const complete = (...words: string[]): string => {
    const ask = `words=("$@"); CURRENT=$#; _framework`;
    return execFileSync('zsh', ['-f', '-c', `${system}\n${script}\n${ask}`, 'zsh', ...words], { encoding: 'utf8' });
  };
  expect(complete('framework', '')).toMatch(/^auth:login, status, refresh, logout$/m);
  expect(complete('framework', 'auth', '')).toMatch(/^login:.*\nstatus:.*\nrefresh:.*\nlogout:/);
  expect(complete('framework', 'auth', 'login', '--')).toMatch(/^-s\n--device\[.*\n--api-key\[/);
  expect(complete('framework', 'render', 'x')).toContain('--capture=[Capture method');
  expect(complete('framework', 'completion', '')).toContain('::shell:(bash zsh fish)');
});
