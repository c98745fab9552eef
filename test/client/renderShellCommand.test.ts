// A render as a command: what a real shell makes of it, and what is typed into PowerShell.
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shellOf, typedRender } from '../../client/form/typedRender.ts';

test.each([
  ['/bin/zsh', 'posix'],
  ['', 'posix'],
  ['C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe', 'powershell'],
  ['/usr/bin/pwsh', 'powershell'],
  ['C:\\Program Files\\Git\\bin\\bash.exe', 'posix'],
  ['C:\\Windows\\System32\\cmd.exe', 'powershell'],
])('%s is typed into as %s', (program, shell) => {
  expect(shellOf(program)).toBe(shell);
});

const render = { folder: "/home/ada/it's mine", composition: 'launch.html', values: { title: "Ada's <b>", ok: true } };

test('a command for each shell', () => {
  expect(typedRender(render, 'posix')).toBe(
    `framework render '/home/ada/it'\\''s mine' --composition launch.html --variables '{"title":"Ada'\\''s <b>","ok":true}'`,
  );
  expect(typedRender({ ...render, values: { title: 'Ada’s' } }, 'powershell')).toBe(
    `'{"title":"Ada\\u2019s"}' | framework render '/home/ada/it''s mine' --composition launch.html --variables-file -`,
  );
  expect(typedRender({ ...render, folder: '/a', values: {} }, 'posix')).toBe(
    'framework render /a --composition launch.html',
  );
});

test.skipIf(process.platform === 'win32')('a shell gives the program the words as they were', () => {
  const word = fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', ''));
  fc.assert(
    fc.property(word, fc.dictionary(word, word, { minKeys: 1 }), (folder, values) => {
      const command = typedRender({ folder: `/${folder}`, composition: 'a b.html', values }, 'posix');
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
