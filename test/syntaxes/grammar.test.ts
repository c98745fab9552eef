// The grammar of Framework attributes, injected into VS Code's HTML grammar: the scopes of each line.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { attr } from '../../renderer-core/model/attributes.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const cases = readdirSync(new URL('cases', import.meta.url)).filter((name) => name.endsWith('.html'));
const [grammar] = manifest.contributes.grammars;

describe('snapshots (update with UPDATE_SNAPSHOTS=1)', () => {
  test.each(cases)('scopes of %s match the snapshot', (name) => {
    const update = process.env.UPDATE_SNAPSHOTS === '1' ? ['--updateSnapshot'] : [];
    const args = ['--scope', 'text.html.derivative', '--expandDiff', ...update];
    const grammars = ['html', 'html-derivative'].flatMap((grammar) => [
      '-g',
      `test/fixtures/grammars/${grammar}.tmLanguage.json`,
    ]);
    const snapshot = () =>
      execFileSync(
        process.execPath,
        ['node_modules/vscode-tmgrammar-test/dist/snapshot.js', ...args, ...grammars, `test/syntaxes/cases/${name}`],
        {
          cwd: root,
          encoding: 'utf8',
          stdio: 'pipe',
        },
      );
    expect(snapshot).not.toThrow();
  });
});

test('contains exactly the attributes of the attribute table', () => {
  const text = readFileSync(`${root}/${grammar?.path}`, 'utf8');
  const names = [...text.matchAll(/\(data-\(\?:([\w|-]+)\)\)/g)].flatMap(([, list = '']) => list.split('|'));
  const known = Object.values(attr).filter((name) => name.startsWith('data-'));
  expect(names.map((name) => `data-${name}`).sort()).toEqual([...known].sort());
});

test('values of attributes are JSON for the editor, so that it offers no snippets of HTML in them', () => {
  // Unlike the rules, embedded languages count only for grammars with exactly these names; the first is that of HTML files.
  expect(grammar).toMatchObject({
    injectTo: ['text.html.derivative', 'text.html.basic'],
    embeddedLanguages: { 'meta.embedded.json.framework': 'json' },
  });
});
