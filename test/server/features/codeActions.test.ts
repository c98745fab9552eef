// Code actions for findings, compared after applying their edits.

import { describe, expect, test } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { CodeAction } from 'vscode-languageserver-types';
import { lintFile } from '../../../renderer-core/lint/lintFile.ts';
import { defaultSettings } from '../../../renderer-core/lint/settings.ts';
import { codeActions, fixAllKind } from '../../../server/features/codeActions.ts';
import { noDocs } from '../../../server/features/diagnostics.ts';
import { fileWithCursor } from '../../support/editor/sourceFile.ts';
import { applied } from '../../support/editor/workspaceEdit.ts';

/** The actions at the cursor `|`. */
function actionsAt(source: string, only?: string[]): CodeAction[] {
  const { file, offset } = fileWithCursor(source);
  const findings = lintFile(file.project, file.path, defaultSettings);
  const position = file.document.positionAt(offset);
  return codeActions(
    file,
    findings,
    { start: position, end: position },
    { docLink: noDocs, ...(only ? { only } : {}) },
  );
}

/** Checks the text after the action with this title. */
function check(source: string, title: string | RegExp, expected: string): void {
  const actions = actionsAt(source);
  const action = actions.find((one) => (typeof title === 'string' ? one.title === title : title.test(one.title)));
  expect(actions.map((one) => one.title)).toContain(action?.title);
  expect(applied(source.replace('|', ''), action?.edit ?? {})).toBe(expected);
}

const root = (body: string) =>
  `<div data-composition-id="main" data-width="9" data-height="9" data-duration="9">\n${body}\n</div>`;
const clip = '<p id="intro" data-start="0" data-duration="1"></p>';

test('offers a fix for the finding at the cursor', () => {
  const source = root(`${clip}<p data-start="in|tra"></p>`);
  check(source, /"intro"/, root(`${clip}<p data-start="intro"></p>`));
  expect(actionsAt(root(`${clip}|<p data-start="intra"></p>`))).toEqual([]);
});

test('adds the diagnostic to each fix', () => {
  const [action] = actionsAt(root(`${clip}<p data-start="in|tra"></p>`));
  expect(action?.diagnostics?.map(({ code }) => code)).toEqual(['unknown-clip']);
  expect(action?.kind).toBe('quickfix');
});

test('applies all safe fixes, and no others, in fix all', () => {
  const variables = (size: string, on: string) =>
    `[{"id":"size","type":"number","label":"Size","default":${size}},{"id":"on","type":"boolean","label":"On","default":${on}}]`;
  const source = (size: string, on: string) =>
    `<html data-composition-variables='${variables(size, on)}'>|${root('<p data-var-text="size" data-start="a b"></p><p data-var-text="on"></p>')}</html>`;
  const actions = actionsAt(source('"5"', '"true"'), [fixAllKind]);
  expect(actions.map(({ kind }) => kind)).toEqual([fixAllKind]);
  expect(applied(source('"5"', '"true"').replace('|', ''), actions[0]?.edit ?? {})).toBe(
    source('5', 'true').replace('|', ''),
  );
  expect(actionsAt(source('5', 'true'), [fixAllKind])).toEqual([]);
  expect(actionsAt(source('"5"', '"true"'), ['refactor'])).toEqual([]);
});

test('prefers the most likely fix, and offers to ignore a finding last, without its diagnostic', () => {
  const declared = (field: string) =>
    `<html data-composition-variables='[{"id":"age","type":"string",${field}:"Age","default":""}]'>`;
  const titles = (source: string) =>
    actionsAt(source).map(
      ({ title, isPreferred, diagnostics }) =>
        `${title}${isPreferred ? ' (preferred)' : ''}${diagnostics ? '' : ' (no diagnostic)'}`,
    );
  const ignores = (rule: string) => [
    `Ignore ${rule} on this line (no diagnostic)`,
    `Ignore ${rule} in this file (no diagnostic)`,
  ];
  expect(titles(`${declared('"label"')}${root('<p data-var-text="ag|ee"></p>')}`)).toEqual([
    'Change to "age" (preferred)',
    'Declare "agee" as a string',
    ...ignores('undeclared-binding'),
  ]);
  expect(titles(`${declared('"la|ble"')}${root('<p data-var-text="age"></p>')}`)).toEqual([
    'Change to "label" (preferred)',
    ...ignores('missing-label'),
  ]);
});

test('gives actions that ignore a finding a kind of their own, unless quick fixes are requested', () => {
  const kinds = (only?: string[]) =>
    new Set(
      actionsAt(root('<p data-start="a |b"></p>'), only)
        .filter(({ title }) => title.startsWith('Ignore'))
        .map(({ kind }) => kind),
    );
  expect(kinds()).toEqual(new Set(['ignore.framework']));
  expect(kinds(['quickfix'])).toEqual(new Set(['quickfix']));
});

test('corrects a misspelled field in fix all, and adds nothing', () => {
  const source = (field: string) =>
    `<html data-composition-variables='[{"id":"a","type":"string","${field}":"Name","default":""}]'>|${root('<p data-var-text="a"></p>')}</html>`;
  const [action] = actionsAt(source('lable'), [fixAllKind]);
  expect(applied(source('lable').replace('|', ''), action?.edit ?? {})).toBe(source('label').replace('|', ''));
});

describe('ignoring a rule', () => {
  const line = 'Ignore invalid-start on this line';

  test('inserts an indented comment above the line', () => {
    check(
      root('  <p data-start="a |b"></p>'),
      line,
      root('  <!-- framework-ignore-next-line invalid-start -->\n  <p data-start="a b"></p>'),
    );
  });

  test('inserts the comment above the tag with the problem', () => {
    check(
      root('<p\n  data-start="a |b"></p>'),
      line,
      root('<!-- framework-ignore-next-line invalid-start -->\n<p\n  data-start="a b"></p>'),
    );
  });

  test('extends an existing comment', () => {
    check(
      root('<!-- framework-ignore-next-line root-start: of old -->\n<p data-start="a |b"></p>'),
      line,
      root('<!-- framework-ignore-next-line root-start, invalid-start: of old -->\n<p data-start="a b"></p>'),
    );
  });

  test('inserts a script comment in a script', () => {
    check(
      root('<script>\n  fe|tch("https://a.example");\n</script>'),
      'Ignore network-in-script on this line',
      root('<script>\n  // framework-ignore-next-line network-in-script\n  fetch("https://a.example");\n</script>'),
    );
  });

  test('offers nothing if the line starts inside a tag', () => {
    const actions = actionsAt(root('<b title="1\n2"><p data-start="a |b"></p></b>'));
    expect(actions.map(({ title }) => title)).not.toContain(line);
  });

  test('inserts the comment for the whole file after the doctype', () => {
    check(
      `<!doctype html>\n${root('<p data-start="a |b"></p>')}`,
      'Ignore invalid-start in this file',
      `<!doctype html>\n<!-- framework-ignore-file invalid-start -->\n${root('<p data-start="a b"></p>')}`,
    );
  });

  test.each([
    root('<p data-start="a |b"></p>'),
    root('<section>\n<p\ndata-start="a |b"></p></section>'),
    `<!doctype html>${root('<p data-start="a |b"></p>')}`,
    root('<p data-start="a |b"></p>').replaceAll('\n', '\r\n'),
  ])('silences the rule in %j', (source) => {
    for (const action of actionsAt(source).filter(({ title }) => title.startsWith('Ignore'))) {
      const { file } = fileWithCursor(source);
      const text = TextDocument.applyEdits(file.document, action.edit?.changes?.[file.uri] ?? []);
      const { file: after } = fileWithCursor(text);
      expect(lintFile(after.project, after.path, defaultSettings).map(({ rule }) => rule)).toEqual([]);
    }
  });
});

describe('adding a font', () => {
  const source = root('<p style="font-family: Fut|ura, serif"></p>');

  test('is a command of the client', () => {
    const [action] = actionsAt(source);
    expect(action?.title).toBe('Add the font "Futura" to the project');
    expect(action?.diagnostics?.map(({ code }) => code)).toEqual(['system-font']);
    expect(action?.command?.command).toBe('framework.addFont');
    expect(action?.command?.arguments).toEqual([{ uri: 'file:///project/index.html', font: 'Futura' }]);
  });

  test('is offered for each family of a link', () => {
    const link =
      '<link rel="stylesheet" href="https://fonts.googleapis.com/css2?family=|DM+Sans&family=Inter&family=Lora">';
    const titles = actionsAt(root(link)).map(({ title }) => title);
    expect(titles.filter((title) => title.startsWith('Add'))).toEqual([
      'Add the font "DM Sans" to the project',
      'Add the font "Lora" to the project',
    ]);
  });
});
