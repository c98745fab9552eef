// Every rule has a page, and the page tells the truth: its first example is found by the rule, its second is not.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ruleDoc, rules } from '../../../renderer-core/lint/ruleTable.ts';
import { filesOf } from '../../support/editor/markup.ts';
import { lint } from './lint.ts';

const pages = readFileSync(new URL('../../../docs/rules.md', import.meta.url), 'utf8')
  .split(/^### /m)
  .slice(1)
  .map((page) => {
    const [id = '', , head = ''] = page.split('\n');
    const examples = [...page.matchAll(/^```html\n([\s\S]*?)^```$/gm)].map((match) => match[1] ?? '');
    return { id, head, fails: examples[0] ?? '', passes: examples[1] ?? '' };
  });

test('documents every rule of the table', () => {
  expect(pages.map(({ id, head }) => `${id}: ${head}`)).toEqual(
    rules.map(({ id, title, severity }) => `${id}: ${title}. Level: ${severity}.`),
  );
  expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
  for (const { id, doc } of rules) {
    expect(id).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(doc).toBe(ruleDoc(id));
  }
});

const findings = (example: string) => {
  const texts = example.startsWith('=== ') ? filesOf(example) : new Map([['index.html', example]]);
  return [...texts.keys()].flatMap((path) => lint(texts, path));
};

test.each(pages)('reports the failing example of $id in the docs, and accepts the corrected one', ({
  id,
  fails,
  passes,
}) => {
  expect(findings(fails).map(({ rule }) => rule)).toContain(id);
  expect(findings(passes).filter(({ rule, severity }) => rule === id || severity === 'error')).toEqual([]);
});
