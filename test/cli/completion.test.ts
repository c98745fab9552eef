// Shell completion: every option of every command is in each script, and bash answers as it should.
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { commands, shells } from '../../renderer-core/cli/commands.ts';
import { cli } from './cli.ts';

test('every command and option is in each script', async () => {
  for (const shell of shells) {
    const { status, stdout } = await cli(['completion', shell]);
    expect(status).toBe(0);
    for (const command of commands) {
      expect(stdout).toContain(command.name);
      for (const { name } of command.options) expect(stdout).toContain(shell === 'fish' ? `-l ${name} ` : `--${name}`);
    }
  }
});

test('a shell must be named', async () => {
  expect((await cli(['completion'])).stderr).toBe(
    'error: completion needs the name of a shell\nhint: Shells: bash, zsh, fish.\n',
  );
  expect((await cli(['completion', 'bush'])).stderr).toBe(
    'error: no completion for the shell "bush"\nhint: Did you mean bash?\n',
  );
  expect((await cli(['completion', 'toString'])).status).toBe(2);
});

test.skipIf(process.platform === 'win32')('bash completes', async () => {
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
  expect(complete('framework', 'render', '--format', '')).toBe('mp4 webm mov gif png');
  expect(complete('framework', 'render', '--codec', 'h')).toBe('h264 h265');
  expect(complete('framework', 'render', '--fps', '')).toBe('');
  expect(complete('framework', 'completion', '')).toBe('bash zsh fish');
  expect(complete('framework', 'render', 'renderer-co')).toBe('renderer-core');
  expect(complete('framework', 'doctor', '--j')).toBe('--json');
});
