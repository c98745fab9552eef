// The lint rule for characters that no font has agrees with the render's own warnings.
import { expect, test } from 'vitest';
import { composition } from '../../../support/project.ts';
import { captureProject } from '../../../support/renders/frames.ts';
import { core } from '../../../support/suites.ts';
import { lint } from '../../lint/lint.ts';

const font = '@font-face { font-family: Own; src: url(own.woff2); unicode-range: U+41-5A }';

const characters = [
  // Scripts and characters without a pinned font.
  ...['𞤀', 'ሰ', 'ক', 'த', 'ա', '𒀀', '\uf101', '\u{e1000}'],
  ...[
    'ế',
    'Ж',
    'α',
    'א',
    'ب',
    'अ',
    'ก',
    '你',
    '龜',
    'あ',
    '가',
    'ﬁ',
    '☎',
    '★',
    '♞',
    '𝔸',
    '∑',
    '⅓',
    '⌘',
    '─',
    '😀',
    '❤',
    '㉿',
    '№',
    '‽',
  ],
];

const codesIn = (texts: readonly string[]) => texts.flatMap((text) => /U\+[\dA-F]+/.exec(text)?.[0] ?? []).sort();

test('lint and render report the same characters', core, async () => {
  const html = composition(`<style>${font}</style><p>${characters.join(' ')}</p>`, { duration: 0.1 });
  const { warnings } = await captureProject(html);
  const findings = lint(new Map([['index.html', html]]), 'index.html').filter(({ rule }) => rule === 'missing-glyph');
  const reported = codesIn(findings.map(({ message }) => message));
  expect(reported).toEqual(codesIn(warnings));
  expect(reported).toEqual('U+0561 U+0995 U+0BA4 U+12000 U+1230 U+1E900 U+E1000 U+F101'.split(' '));
});
