// Add Variable: asks for the name, the type and the default of a new variable, and adds its declaration to the text.
import { l10n, type QuickPickItem, Uri, ViewColumn, window } from 'vscode';
import type { CompositionInfo, ServerRequests } from '../../server/protocol.ts';
import { compositionName } from '../compositions/compositionName.ts';
import type { ExtensionServices } from '../extensionServices.ts';
import { resultOrMessage } from '../language/serverResult.ts';
import { applyFileEdits } from '../language/workspaceEdit.ts';
import { fill } from '../webview/shared/webviewElement.ts';
import { formStrings } from './formStrings.ts';
import { promptForId } from './promptForId.ts';
import { checkText, type VariableDeclaration } from './valueText.ts';

type Declared = NonNullable<ServerRequests['framework/declareVariable']['result']>;
type Services = Pick<ExtensionServices, 'server' | 'log'>;
type Type = VariableDeclaration['type'];

/** Edits the declarations in one undo step. The file is not saved. */
export async function addVariable(composition: CompositionInfo, services: Services): Promise<void> {
  const name = compositionName(composition);
  const title = l10n.t('Add Variable to {0}', name);
  const id = await promptForId(title, async (given) => {
    const found = await declare(composition, { id: given, type: 'string' }, services);
    return 'reason' in found ? found.reason : undefined;
  });
  const type = id === undefined ? undefined : await promptForType(title);
  const value = type === undefined ? undefined : await promptForDefault(title, type);
  if (id === undefined || type === undefined || value === undefined) return;
  const found = await resultOrMessage(declare(composition, { id, type, ...value }, services), services.log);
  if (!found) return;
  const file = Uri.parse(composition.uri);
  const reason = 'reason' in found ? found.reason : (await applyFileEdits(file, name, found)).reason;
  if (reason !== null) return void window.showWarningMessage(reason);
  const isVisible = window.visibleTextEditors.some(({ document }) => document.uri.toString() === file.toString());
  if (!isVisible) await window.showTextDocument(file, { viewColumn: ViewColumn.One, preserveFocus: true });
  window.setStatusBarMessage(`$(check) ${l10n.t('Added the variable {0} to {1}.', id, name)}`, 6000);
}

async function declare(
  { uri, path }: CompositionInfo,
  declaration: VariableDeclaration,
  { server }: Services,
): Promise<Declared> {
  const found = await server.request('framework/declareVariable', { uri, declaration });
  return found ?? { reason: l10n.t('{0} is not a composition.', path) };
}

async function promptForType(title: string): Promise<Type | undefined> {
  const types: (QuickPickItem & { type: Type })[] = [
    { type: 'string', label: l10n.t('Text') },
    { type: 'number', label: l10n.t('Number') },
    { type: 'color', label: l10n.t('Color') },
    { type: 'boolean', label: l10n.t('Switch'), description: l10n.t('Yes or no') },
    { type: 'enum', label: l10n.t('Choice'), description: l10n.t('One of several options') },
  ];
  return (await window.showQuickPick(types, { title, placeHolder: l10n.t('The type of the variable') }))?.type;
}

type Default = Pick<VariableDeclaration, 'default' | 'options'>;

/** Undefined when the user cancels. */
async function promptForDefault(title: string, type: Type): Promise<Default | undefined> {
  if (type === 'boolean') {
    const [yes, no] = [l10n.t('Yes'), l10n.t('No')];
    const chosen = await window.showQuickPick([yes, no], { title, placeHolder: l10n.t('The default') });
    return chosen === undefined ? undefined : { default: chosen === yes };
  }
  if (type === 'enum') {
    const given = await window.showInputBox({
      title,
      prompt: l10n.t('The options, separated by commas. The first one is the default.'),
      validateInput: (text) => (optionsIn(text).length < 2 ? l10n.t('Enter at least two options.') : undefined),
    });
    const options = given === undefined ? [] : optionsIn(given);
    return options[0] && { default: options[0].value, options };
  }
  const given = await window.showInputBox({
    title,
    prompt: l10n.t('The default'),
    value: { number: '0', color: '#ffffff', string: '' }[type],
    validateInput: (text) => problemOf(text, type),
  });
  const checked = given === undefined ? undefined : checkText(given, { id: '', type });
  return checked && 'value' in checked ? { default: checked.value } : undefined;
}

function problemOf(text: string, type: Type): string | undefined {
  const checked = checkText(text, { id: '', type });
  return 'problem' in checked ? fill(formStrings()[checked.problem.key], ...checked.problem.values) : undefined;
}

/** Each option once. */
export function optionsIn(text: string): { value: string; label: string }[] {
  const values = text.split(',').map((value) => value.trim());
  return [...new Set(values)].filter((value) => value !== '').map((value) => ({ value, label: value }));
}
