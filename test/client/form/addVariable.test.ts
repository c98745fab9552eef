// The prompts of Add Variable.
import { expect, test, vi } from 'vitest';
import { optionsIn } from '../../../client/form/addVariable.ts';

vi.mock('vscode', () => import('../../support/editor/vscodeWords.ts'));

test('reads each option once', () => {
  expect(optionsIn(' calm, wild,, calm,')).toEqual([
    { value: 'calm', label: 'calm' },
    { value: 'wild', label: 'wild' },
  ]);
});
