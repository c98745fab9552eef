// Every snippet is expanded as VS Code does and inserted into a composition; the linter must find no problem.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { lintFile } from '../../renderer-core/lint/lintFile.ts';
import { defaultSettings } from '../../renderer-core/lint/settings.ts';
import { parseComposition } from '../../renderer-core/model/composition.ts';
import { memoryProject } from '../support/editor/memoryProject.ts';

type Snippet = { prefix: string; body: string[]; description: string };

const snippets = new Map(
  Object.values(
    JSON.parse(readFileSync(new URL('../../syntaxes/framework.code-snippets', import.meta.url), 'utf8')) as Record<
      string,
      Snippet
    >,
  ).map((snippet) => [snippet.prefix, snippet.body.join('\n')]),
);

/** Takes the first option of each choice, and every default. */
function expand(body: string): string {
  return body
    .replace(/\$\{\d+\|([^,|]*)[^|]*\|\}/g, '$1')
    .replace(/\$\{\d+:([^}]*)\}/g, '$1')
    .replace(/\$\{\d+\}|\$\d+/g, '');
}

const page = (body: string, declarations = '') =>
  `<html${declarations}><div data-composition-id="main" data-width="640" data-height="360" data-duration="9">${body}</div></html>`;
const clip = '<i id="clip" data-start="0" data-duration="1"></i>';
const inArray = (item: string) => {
  const declarations = ` data-composition-variables='[${item}]'`;
  const { id = '' } = parseComposition(page('', declarations)).declarations[0] ?? {};
  return page(`<b data-var-text="${id}"></b>`, declarations);
};
const others = [
  '=== compositions/card.html\n<b data-composition-id="card" data-width="9" data-height="9" data-duration="3"></b>\n',
  ...['picture.png', 'footage.mp4', 'music.mp3', 'vendor/gsap.min.js'].map((name) => `=== ${name}\n`),
].join('');

/** The composition that each snippet is inserted into. */
const contexts: Record<string, (text: string) => string> = {
  'fw-composition': (text) => text,
  'fw-clip': page,
  'fw-clip-after': (text) => page(clip + text),
  'fw-text': page,
  'fw-image': page,
  'fw-video': page,
  'fw-audio': page,
  'fw-embed': page,
  'fw-variables': (text) => page('<b data-var-text="title"></b>', ` ${text}`),
  'fw-var-string': inArray,
  'fw-var-number': inArray,
  'fw-var-color': inArray,
  'fw-var-boolean': inArray,
  'fw-var-enum': inArray,
  'fw-get-variables': (text) =>
    page(text, ` data-composition-variables='[{"id":"title","type":"string","label":"T","default":"Hello"}]'`),
  'fw-gsap': page,
  'fw-css-animation': page,
};

test('tests every snippet', () => {
  expect([...snippets.keys()]).toEqual(Object.keys(contexts));
});

test.each(Object.entries(contexts))('%s has no lint problems', (prefix, insert) => {
  const text = expand(snippets.get(prefix) ?? '');
  expect(text).not.toMatch(/\$|^$/);
  const project = memoryProject(`=== index.html\n${insert(text)}\n${others}`);
  const { root } = project.composition('index.html') ?? {};
  expect(root).toBeDefined();
  expect(lintFile(project, 'index.html', defaultSettings).map(({ message }) => message)).toEqual([]);
});

test('finds a problem in an invalid composition (control)', () => {
  const wrong = page('<p data-start="nobody"></p>');
  expect(lintFile(memoryProject(wrong), 'index.html', defaultSettings)).not.toEqual([]);
});
