// The declarations that the form keeps while the text contains an error.
import { expect, test, vi } from 'vitest';
import { withLastValid } from '../../../client/compositions/activeComposition.ts';
import type { CompositionInfo } from '../../../server/protocol.ts';

vi.mock('vscode', () => import('../../support/editor/vscodeWords.ts'));

type Variable = CompositionInfo['variables'][number];
const text = (id: string, label = id): Variable => ({ id, type: 'string', label, default: '' });
const composition = (variables: Variable[], isBroken: boolean): CompositionInfo => ({
  uri: 'file:///w/index.html',
  path: 'index.html',
  projectUri: 'file:///w',
  id: 'main',
  width: 320,
  height: 180,
  duration: 1,
  fps: null,
  variables,
  ...(isBroken ? { declarationsProblem: { message: 'Expected ,', position: { line: 0, character: 4 } } } : {}),
});
const labels = (found: CompositionInfo, before?: Variable[]) =>
  withLastValid(found, before).variables.map(({ label }) => label);

test('keeps the last valid declarations when the JSON is invalid', () => {
  expect(labels(composition([], true), [text('title'), text('name')])).toEqual(['title', 'name']);
  expect(labels(composition([], true))).toEqual([]);
});

test('keeps a declaration that became invalid, and updates the others', () => {
  const before = [text('title'), text('name')];
  expect(labels(composition([text('title', 'Title'), text('new')], true), before)).toEqual(['Title', 'name', 'new']);
});

test('removes a declaration that is no longer in a valid text', () => {
  expect(labels(composition([text('name')], false), [text('title'), text('name')])).toEqual(['name']);
});
