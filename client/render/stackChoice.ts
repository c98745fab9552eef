// Which stack on AWS this workspace renders on: asked once, remembered, changed by a command.
import { l10n, type Memento, window } from 'vscode';
import type { Stack } from './jobs.ts';

const key = 'framework.serverlessStack';

/** Undefined until it was asked for. */
export function knownStack(memento: Memento): Stack | undefined {
  return memento.get<Stack>(key);
}

/** Undefined when the user gave up. */
export async function askStack(memento: Memento): Promise<Stack | undefined> {
  const known = knownStack(memento) ?? { region: '', profile: '', name: '' };
  const region = await ask(1, known.region, {
    prompt: l10n.t('AWS region of the stack. Empty: the one of your AWS configuration.'),
    placeHolder: 'eu-central-1',
  });
  if (region === undefined) return undefined;
  const name = await ask(2, known.name, {
    prompt: l10n.t('Name of the stack that framework serverless deploy has made. Empty: framework-render.'),
    placeHolder: 'framework-render',
  });
  if (name === undefined) return undefined;
  const profile = await ask(3, known.profile, {
    prompt: l10n.t('Profile of your AWS configuration. Empty: the default one.'),
    placeHolder: 'default',
  });
  if (profile === undefined) return undefined;
  const stack = { region, name, profile };
  await memento.update(key, stack);
  return stack;
}

async function ask(
  step: number,
  value: string,
  texts: { prompt: string; placeHolder: string },
): Promise<string | undefined> {
  const answer = await window.showInputBox({
    ...texts,
    value,
    title: l10n.t('Render on AWS ({0}/3)', step),
    ignoreFocusOut: true,
    validateInput: (text) => (/\s/.test(text.trim()) ? l10n.t('There are no spaces in it.') : undefined),
  });
  return answer?.trim();
}
