// Render commands for shells: round trip through a real POSIX shell, and quoting for PowerShell.
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { renderShellCommand, shellOf } from '../../../client/form/renderShellCommand.ts';

test.each([
  ['/bin/zsh', 'posix'],
  ['', 'posix'],
  ['C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe', 'powershell'],
  ['/usr/bin/pwsh', 'powershell'],
  ['C:\\Program Files\\Git\\bin\\bash.exe', 'posix'],
  ['C:\\Windows\\System32\\cmd.exe', 'powershell'],
])('treats %s as %s', (program, shell) => {
  expect(shellOf(program)).toBe(shell);
});

const render = {
  folder: "/home/ada/it's mine",
  composition: 'launch.html',
  values: { title: "Ada's <b>", ok: true },
  size: {},
};

test('quotes the command for each shell', () => {
  expect(renderShellCommand(render, 'posix')).toBe(
    `framework render '/home/ada/it'\\''s mine' --composition launch.html --variables '{"title":"Ada'\\''s <b>","ok":true}'`,
  );
  expect(renderShellCommand({ ...render, values: { title: 'Ada’s' } }, 'powershell')).toBe(
    `'{"title":"Ada\\u2019s"}' | framework render '/home/ada/it''s mine' --composition launch.html --variables-file -`,
  );
  expect(renderShellCommand({ ...render, folder: '/a', values: {} }, 'posix')).toBe(
    'framework render /a --composition launch.html',
  );
  const sized = { ...render, folder: '/a', values: {}, size: { aspectRatio: '9:16', background: '#123' } };
  expect(renderShellCommand(sized, 'posix')).toBe(
    "framework render /a --composition launch.html --aspect-ratio=9:16 '--background=#123'",
  );
  expect(renderShellCommand(sized, 'powershell')).toBe(
    "framework render /a --composition launch.html --aspect-ratio=9:16 '--background=#123'",
  );
});

test.skipIf(process.platform === 'win32')('passes all arguments unchanged through a shell', () => {
  const word = fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', ''));
  fc.assert(
    fc.property(word, fc.dictionary(word, word, { minKeys: 1 }), (folder, values) => {
      const command = renderShellCommand({ folder: `/${folder}`, composition: 'a b.html', values, size: {} }, 'posix');
      const print = `framework() { for word in "$@"; do printf '%s\\0' "$word"; done; }\n${command}`;
      const words = execFileSync('sh', ['-c', print], { encoding: 'utf8' }).split('\0').slice(0, -1);
      expect(words).toEqual([
        'render',
        `/${folder}`,
        '--composition',
        'a b.html',
        '--variables',
        JSON.stringify(values),
      ]);
    }),
    { numRuns: 60 },
  );
});
