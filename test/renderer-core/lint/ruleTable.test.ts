// Every rule has a page, and the page tells the truth: its first example is found by the rule, its second is not.
import { readFileSync } from 'node:fs';
import * as l10n from '@vscode/l10n';
import { afterEach, expect, test } from 'vitest';
import english from '../../../l10n/bundle.l10n.json' with { type: 'json' };
import { ruleDoc, rules } from '../../../renderer-core/lint/ruleTable.ts';
import { filesOf } from '../../support/markup.ts';
import { pseudoBundle } from '../../support/pseudoTranslation.ts';
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

afterEach(() => l10n.config({ contents: {} }));

test.each(pages)('translates each text of the findings in the example of $id', ({ fails }) => {
  l10n.config({ contents: pseudoBundle(english) });
  const texts = findings(fails).flatMap(({ message, related, fixes }) => [
    message,
    ...related.map((place) => place.message),
    ...fixes.map(({ title }) => title),
  ]);
  expect(texts.filter((text) => !/^(?:data-[a-z-]+: )?⟦.*⟧$/s.test(text))).toEqual([]);
});
