// An action has the same name in the palette, in the form and in the render dialog.
import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { formStrings } from '../../../client/form/formStrings.ts';
import { dialogStrings } from '../../../client/renderDialog/dialogStrings.ts';

vi.mock('vscode', () => import('../../support/editor/vscodeWords.ts'));

const commands = JSON.parse(readFileSync(new URL('../../../package.nls.json', import.meta.url), 'utf8'));
const shown = { ...dialogStrings(), ...formStrings() };

test.each([
  ['addVariable', 'addVariable'],
  ['chooseStack', 'chooseStack'],
  ['copyCommand', 'copyRenderCommand'],
  ['deleteSet', 'deleteVariableSet'],
  ['render', 'render'],
  ['resetAll', 'resetVariables'],
  ['saveSet', 'saveVariableSet'],
  ['writeDefaults', 'writeDefaults'],
] as const)('%s', (text, command) => {
  expect(shown[text]).toBe(commands[`command.${command}`]);
});
