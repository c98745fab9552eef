// The AWS stack that this workspace renders on: prompted for once and stored in the workspace state.
import { l10n, type Memento, window } from 'vscode';
import type { Stack } from './jobArguments.ts';

const key = 'framework.serverlessStack';

/** Undefined until the user has chosen one. */
export function knownStack(memento: Memento): Stack | undefined {
  return memento.get<Stack>(key);
}

/** Undefined when the user cancels. */
export async function promptForStack(memento: Memento): Promise<Stack | undefined> {
  const known = knownStack(memento) ?? { region: '', profile: '', name: '' };
  const region = await prompt(1, known.region, {
    prompt: l10n.t('AWS region of the stack. Leave empty to use the region of your AWS configuration.'),
    placeHolder: 'eu-central-1',
  });
  if (region === undefined) return undefined;
  const name = await prompt(2, known.name, {
    prompt: l10n.t('Name of the stack created by framework serverless deploy. Leave empty for framework-render.'),
    placeHolder: 'framework-render',
  });
  if (name === undefined) return undefined;
  const profile = await prompt(3, known.profile, {
    prompt: l10n.t('Profile of your AWS configuration. Leave empty for the default profile.'),
    placeHolder: 'default',
  });
  if (profile === undefined) return undefined;
  const stack = { region, name, profile };
  await memento.update(key, stack);
  return stack;
}

async function prompt(
  step: number,
  value: string,
  texts: { prompt: string; placeHolder: string },
): Promise<string | undefined> {
  const answer = await window.showInputBox({
    ...texts,
    value,
    title: l10n.t('Render on AWS ({0}/3)', step),
    ignoreFocusOut: true,
    validateInput: (text) => (/\s/.test(text.trim()) ? l10n.t('The value must not contain spaces.') : undefined),
  });
  return answer?.trim();
}
