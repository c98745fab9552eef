// The named set that each composition uses, and the actions on sets: save, use, and delete with undo.
import { type Disposable, type Event, EventEmitter, l10n, Uri, window, workspace } from 'vscode';
import type { CompositionInfo } from '../../server/protocol.ts';
import { compositionName } from '../compositions/compositionName.ts';
import type { Values } from '../compositions/draftValues.ts';
import { type MovedUri, withMovedKeys } from '../compositions/moves.ts';
import type { ExtensionServices } from '../extensionServices.ts';
import type { FormSets } from './formMessages.ts';
import { onlyChanged } from './formModel.ts';
import { listSets, loadSet, removeSet, setUri, storeSet } from './setFiles.ts';
import { findName, isSameSet, nameProblem } from './variableSets.ts';

/** The actions never reject: errors are shown to the user. */
export type ChosenSets = Disposable & {
  /** The sets of a composition as the form shows them. */
  of(composition: CompositionInfo): Promise<FormSets>;
  /** The name of the set whose values are unchanged, for the name of a video. */
  nameOf(composition: CompositionInfo): Promise<string | undefined>;
  /** Prompts for a name and saves the draft values. */
  save(composition: CompositionInfo): Promise<void>;
  /** Prompts for the set to use. */
  choose(composition: CompositionInfo): Promise<void>;
  /** An empty name means no set; the values stay unchanged. */
  use(composition: CompositionInfo, name: string): Promise<void>;
  /** Deletes the chosen set, or prompts for one. */
  remove(composition: CompositionInfo): Promise<void>;
  move(moved: MovedUri): void;
  /** Fires when a set is chosen, created or deleted, also by another program. */
  onDidChange: Event<void>;
};

/** The chosen set of each composition by the URI of its file, with the values that it had when it was chosen. */
type Store = Pick<ExtensionServices, 'values' | 'log'> & {
  chosen: Map<string, { name: string; values: Values }>;
  changed: EventEmitter<void>;
};

export function createChosenSets({ values, log }: ExtensionServices): ChosenSets {
  const changed = new EventEmitter<void>();
  const store: Store = { values, log, changed, chosen: new Map() };
  const watcher = workspace.createFileSystemWatcher('**/variables/**/*.json');
  for (const event of [watcher.onDidCreate, watcher.onDidChange, watcher.onDidDelete]) event(() => changed.fire());
  const of: ChosenSets['of'] = async (composition) => {
    const names = await listSets(composition);
    const used = store.chosen.get(composition.uri);
    if (!used || !names.includes(used.name)) return { names, isModified: false };
    const drafts = values.get(Uri.parse(composition.uri));
    return { names, chosen: used.name, isModified: !isSameSet(composition.variables, drafts, used.values) };
  };
  return {
    of,
    async nameOf(composition) {
      const { chosen, isModified } = await of(composition);
      return isModified ? undefined : chosen;
    },
    save: (composition) => save(composition, store),
    choose: (composition) => choose(composition, store),
    use: (composition, name) => use(composition, name, store),
    remove: (composition) => remove(composition, store),
    move(moved) {
      store.chosen = new Map(withMovedKeys(store.chosen, moved));
    },
    onDidChange: changed.event,
    dispose() {
      watcher.dispose();
      changed.dispose();
    },
  };
}

async function reportError(message: string, error: unknown, { log }: Store): Promise<void> {
  const reason = error instanceof Error ? error.message : String(error);
  log.error(`${message} ${reason}`);
  await window.showErrorMessage(`${message} ${reason}`);
}

const pick = (names: readonly string[], title: string) => window.showQuickPick([...names], { title });

async function choose(composition: CompositionInfo, store: Store): Promise<void> {
  const names = await listSets(composition);
  if (names.length === 0) {
    void window.showInformationMessage(l10n.t('{0} has no sets yet. Save one first.', compositionName(composition)));
    return;
  }
  const name = await pick(names, l10n.t('Use Variable Set'));
  if (name !== undefined) await use(composition, name, store);
}

async function use(composition: CompositionInfo, name: string, store: Store): Promise<void> {
  const { chosen, changed, values } = store;
  if (name === '') {
    chosen.delete(composition.uri);
    return changed.fire();
  }
  try {
    const read = await loadSet(composition, name);
    if ('problem' in read)
      return reportError(l10n.t('The set {0} must be a JSON object of values.', name), read.problem, store);
    chosen.set(composition.uri, { name, values: read.values });
    values.set(Uri.parse(composition.uri), onlyChanged(composition.variables, read.values));
    changed.fire();
  } catch (error) {
    await reportError(l10n.t('The set {0} could not be read.', name), error, store);
  }
}

async function save(composition: CompositionInfo, store: Store): Promise<void> {
  const { chosen, changed, values } = store;
  const names = await listSets(composition);
  const name = await promptForName(names, chosen.get(composition.uri)?.name);
  if (name === undefined) return;
  const drafts = values.get(Uri.parse(composition.uri));
  try {
    await storeSet(composition, name, drafts);
    chosen.set(composition.uri, { name, values: { ...drafts } });
    changed.fire();
  } catch (error) {
    return reportError(l10n.t('The set {0} could not be saved.', name), error, store);
  }
  const open = l10n.t('Open File');
  const uri = setUri(composition, name);
  const file = workspace.asRelativePath(uri, false);
  if ((await window.showInformationMessage(l10n.t('Saved as {0}.', file), open)) === open)
    await window.showTextDocument(uri);
}

async function remove(composition: CompositionInfo, store: Store): Promise<void> {
  const { chosen, changed } = store;
  const names = await listSets(composition);
  const used = chosen.get(composition.uri)?.name;
  const name = used !== undefined && names.includes(used) ? used : await pick(names, l10n.t('Delete Variable Set'));
  if (name === undefined) return;
  try {
    const restore = await removeSet(composition, name);
    const before = chosen.get(composition.uri);
    chosen.delete(composition.uri);
    changed.fire();
    const undo = l10n.t('Undo');
    if ((await window.showInformationMessage(l10n.t('Deleted the set {0}.', name), undo)) !== undo) return;
    await restore();
    if (before) chosen.set(composition.uri, before);
    changed.fire();
  } catch (error) {
    await reportError(l10n.t('The set {0} could not be deleted.', name), error, store);
  }
}

/** Undefined when the user cancels. Asks before an existing set is replaced. */
async function promptForName(names: readonly string[], chosen: string | undefined): Promise<string | undefined> {
  const problems = {
    empty: l10n.t('Enter a name for the set.'),
    characters: l10n.t('The name must not contain any of these characters: \\ / : * ? " < > |'),
    dots: l10n.t('The name must not start or end with a dot or a space.'),
    long: l10n.t('The name must have at most 80 characters.'),
    device: l10n.t('This name is reserved by Windows.'),
  };
  const name = await window.showInputBox({
    title: l10n.t('Save Variables as Set'),
    prompt: l10n.t('The set is saved as a JSON file, which the command line can read too.'),
    placeHolder: l10n.t('Name of the set, such as spring or customer 12'),
    ...(chosen === undefined ? {} : { value: chosen }),
    validateInput: (text) => {
      const problem = nameProblem(text);
      return problem === undefined ? undefined : problems[problem];
    },
  });
  if (name === undefined) return undefined;
  const existing = findName(names, name);
  if (existing === undefined || existing === chosen) return existing ?? name;
  const replace = l10n.t('Replace');
  const question = l10n.t('The set {0} already exists. Replace it?', existing);
  return (await window.showWarningMessage(question, { modal: true }, replace)) === replace ? existing : undefined;
}
