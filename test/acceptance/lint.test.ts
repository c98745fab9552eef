// The linter: the errors of the contract, and every further check of declarations, values and references.
import { join } from 'node:path';
import { expect } from 'vitest';
import { connectClient } from '../support/editor/languageClient.ts';
import { startProcess } from '../support/editor/serverProcess.ts';
import { composition } from '../support/project.ts';
import { accept, type Check } from './acceptance.ts';
import { lints } from './lintSteps.ts';
import { packedCli } from './packedCli.ts';

const title = { id: 'title', type: 'string', label: 'Title', default: 'Hello' };
const size = { id: 'size', type: 'number', label: 'Size', default: 4 };
const tone = {
  id: 'tone',
  type: 'enum',
  label: 'Tone',
  default: 'dark',
  options: [
    { value: 'dark', label: 'Dark' },
    { value: 'light', label: 'Light' },
  ],
};
const reads = '<script>window.read = (id) => __framework.getVariables()[id];</script>';
const declaring = (...variables: unknown[]): string => composition(reads, { variables });

/** Embeds card.html with these values. */
const embedding = (values: unknown): string =>
  composition(
    `<div data-composition-id="card" data-composition-src="card.html" data-start="0" data-duration="1" data-variable-values='${JSON.stringify(values)}'></div>`,
  );

const fragment = (declarations: unknown, body = reads): string =>
  `<div data-composition-id="card" data-width="64" data-height="48" data-duration="1" data-composition-variables='${JSON.stringify(declarations)}'>${body}</div>`;

/** The language server of the package tags this rule's finding in index.html as unnecessary, which editors show faded. */
const tagsUnnecessary =
  (rule: string, text: string): Check =>
  async () => {
    const server = startProcess(join(packedCli, '../server.js'));
    try {
      const client = await connectClient(server.connection);
      const file = await client.open('untitled:index.html', text);
      const found = (await file.diagnostics()).filter(({ code }) => code === rule);
      expect(found.map(({ severity, tags }) => ({ severity, tags }))).toEqual([{ severity: 3, tags: [1] }]);
    } finally {
      await server.stop();
    }
  };

const unused = composition('', { variables: [title] });

accept([
  {
    sentence: 'framework lint checks variable declarations statically',
    files: {
      'index.html': declaring(title, size, tone),
      'script.html': composition('<script>throw new Error("run")</script>'),
    },
    steps: [lints()],
  },
  {
    sentence: 'Malformed JSON is a lint error',
    files: {
      'comma.html': composition('').replace('<html', `<html data-composition-variables='[{"id":"title",]'`),
      'object.html': composition('').replace('<html', `<html data-composition-variables='{"id":"title"}'`),
    },
    steps: [
      lints({
        'comma.html': [['error', 'invalid-declarations', 'Trailing comma in data-composition-variables']],
        'object.html': [['error', 'invalid-declarations', 'data-composition-variables must be a JSON array']],
      }),
    ],
  },
  {
    sentence: 'A declaration of an unknown type is reported with its line and column',
    files: { 'index.html': declaring({ ...title, type: 'object' }) },
    steps: [
      {
        run: 'lint --json',
        exit: 1,
        json: { findings: [{ rule: 'unknown-type', severity: 'error', file: 'index.html', line: 2, column: 57 }] },
      },
    ],
  },
  {
    sentence: 'Declarations live on <html>',
    files: {
      'index.html': declaring({ ...title, label: undefined }),
      'body.html': composition(`<p data-composition-variables='${JSON.stringify([title])}'></p>`),
    },
    steps: [
      lints({
        'index.html': [['error', 'missing-label', 'Variable "title" has no "label"']],
        'body.html': [['warning', 'misplaced-declarations', 'Declarations on <p> are ignored']],
      }),
    ],
  },
  {
    sentence: 'Declarations of a fragment or <template> composition file live on its [data-composition-id] root',
    files: {
      'index.html': embedding({ title: 'Hi' }),
      'card.html': fragment([{ ...title, label: undefined }]),
      'template.html': `<template>${fragment([{ ...size, label: undefined }])}</template>`,
    },
    steps: [
      lints({
        'card.html': [['error', 'missing-label', 'Variable "title" has no "label"']],
        'template.html': [['error', 'missing-label', 'Variable "size" has no "label"']],
      }),
    ],
  },
  {
    sentence: 'Declarations of both places are read by one parser everywhere',
    files: { 'index.html': declaring(title), 'card.html': fragment([title]) },
    steps: [
      {
        run: 'variables --json',
        json: {
          compositions: [
            { file: 'card.html', variables: [title] },
            { file: 'index.html', variables: [title] },
          ],
        },
      },
      {
        run: `render card.html --strict-variables --variables '{"title":1}'`,
        exit: 1,
        prints: ['card.html:1', 'Variable "title" must be a string (got 1)'],
      },
    ],
  },
  {
    sentence: 'The linter reports a default outside the options (error)',
    files: { 'index.html': declaring({ ...tone, default: 'loud' }) },
    steps: [
      lints({
        'index.html': [['error', 'default-not-an-option', 'must be one of its options, "dark", "light" (got "loud")']],
      }),
    ],
  },
  {
    sentence: 'The linter reports a default outside min and max or longer than maxLength (warning)',
    files: {
      'above.html': declaring({ ...size, max: 3 }),
      'below.html': declaring({ ...size, min: 5 }),
      'long.html': declaring({ ...title, maxLength: 4 }),
      'within.html': declaring({ ...size, min: 4, max: 4 }, { ...title, maxLength: 5 }),
    },
    steps: [
      lints({
        'above.html': [['warning', 'default-out-of-range', 'The default of "size" must be at most 3 (got 4)']],
        'below.html': [['warning', 'default-out-of-range', 'The default of "size" must be at least 5 (got 4)']],
        'long.html': [
          ['warning', 'default-out-of-range', 'The default of "title" must be at most 4 characters long (got 5)'],
        ],
      }),
    ],
  },
  {
    sentence: 'The linter reports keys of data-variable-values that the target composition does not declare (warning)',
    files: { 'index.html': embedding({ size: 3 }), 'card.html': fragment([title]) },
    steps: [lints({ 'index.html': [['warning', 'undeclared-value', 'Variable "size" is not declared by card.html']] })],
  },
  {
    sentence: 'The linter reports values of data-variable-values that do not fit the target declarations (warning)',
    files: { 'index.html': embedding({ title: 3, tone: 'loud' }), 'card.html': fragment([title, tone]) },
    steps: [
      lints({
        'index.html': [
          ['warning', 'value-type', 'Variable "title" must be a string (got 3)'],
          ['warning', 'value-not-an-option', 'Variable "tone" must be one of "dark", "light" (got "loud")'],
        ],
      }),
    ],
  },
  {
    sentence: 'The linter reports $name in data-color-grading that no declaration supplies (warning)',
    files: {
      'index.html': composition(
        `${reads}<video src="https://example.com/a.mp4" data-start="0" data-color-grading='{"intensity":"$strength","adjust":{"exposure":"\${light}"},"preset":"$title"}'></video>`,
        { variables: [title] },
      ),
    },
    steps: [
      lints({
        'index.html': [
          ['warning', 'unresolved-reference', 'Variable "strength" is not declared'],
          ['warning', 'unresolved-reference', 'Variable "light" is not declared'],
        ],
      }),
    ],
  },
  {
    sentence: 'The linter reports a reference in data-variable-values that no declaration supplies (warning)',
    files: { 'index.html': embedding({ title: '$headline' }), 'card.html': fragment([title]) },
    steps: [lints({ 'index.html': [['warning', 'unresolved-reference', 'Variable "headline" is not declared']] })],
  },
  {
    sentence: 'The linter reports a declared variable that nothing reads (info, unnecessary)',
    files: { 'index.html': unused },
    steps: [
      lints({ 'index.html': [['info', 'unused-variable', 'Variable "title" is declared but never read']] }),
      tagsUnnecessary('unused-variable', unused),
    ],
  },
  {
    sentence: 'The linter rejects module scripts in an embedded file and explains why',
    files: {
      'index.html': embedding({}),
      'card.html': fragment([title], `${reads}<script type="module">export {};</script>`),
    },
    steps: [
      lints({
        'card.html': [
          ['error', 'module-in-embedded-file', 'because a module runs once for all mounts and cannot see its own'],
        ],
      }),
    ],
  },
]);
