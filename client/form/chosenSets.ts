// Which named set each composition uses, and the actions on sets: save, use, delete with a way back.
import { type Disposable, type Event, EventEmitter, l10n, Uri, window, workspace } from 'vscode';
import type { CompositionInfo } from '../../server/protocol.ts';
import type { Tools } from '../tools.ts';
import type { Values } from '../values.ts';
import type { FormSets } from './formMessages.ts';
import { onlyChanged } from './formModel.ts';
import { listSets, loadSet, removeSet, setUri, storeSet } from './setFiles.ts';
import { isSameSet, nameFault, sameName } from './variableSets.ts';

/** No action throws: what goes wrong is told to the user. */
export type ChosenSets = Disposable & {
  /** The sets of a composition as the form shows them. */
  of(composition: CompositionInfo): Promise<FormSets>;
  /** Asks for a name. */
  save(composition: CompositionInfo): Promise<void>;
  /** Asks which one to use. */
  choose(composition: CompositionInfo): Promise<void>;
  /** The empty name is none, which leaves the values as they are. */
  use(composition: CompositionInfo, name: string): Promise<void>;
  /** Of the chosen one, else it asks which. */
  remove(composition: CompositionInfo): Promise<void>;
  /** Sets were chosen, made or deleted, here or on the disk. */
  onDidChange: Event<void>;
};

type Chosen = { name: string; values: Values };

export function createChosenSets({ values, log }: Tools): ChosenSets {
  const chosen = new Map<string, Chosen>();
  const changed = new EventEmitter<void>();
  const watcher = workspace.createFileSystemWatcher('**/variables/**/*.json');
  for (const event of [watcher.onDidCreate, watcher.onDidChange, watcher.onDidDelete]) event(() => changed.fire());

  const tell = async (sentence: string, error: unknown): Promise<void> => {
    const reason = error instanceof Error ? error.message : String(error);
    log.error(`${sentence} ${reason}`);
    await window.showErrorMessage(`${sentence} ${reason}`);
  };
  const pick = (names: readonly string[], title: string) => window.showQuickPick([...names], { title });

  async function choose(composition: CompositionInfo): Promise<void> {
    const names = await listSets(composition);
    if (names.length === 0) {
      void window.showInformationMessage(l10n.t('{0} has no sets yet: save one first.', composition.path));
      return;
    }
    const name = await pick(names, l10n.t('Use a Set of Values'));
    if (name !== undefined) await use(composition, name);
  }
  async function use(composition: CompositionInfo, name: string): Promise<void> {
    if (name === '') {
      chosen.delete(composition.uri);
      return changed.fire();
    }
    try {
      const read = await loadSet(composition, name);
      if ('fault' in read) return tell(l10n.t('The set {0} is no JSON object of values.', name), read.fault);
      chosen.set(composition.uri, { name, values: read.values });
      values.set(Uri.parse(composition.uri), onlyChanged(composition.variables, read.values));
      changed.fire();
    } catch (error) {
      await tell(l10n.t('The set {0} cannot be read.', name), error);
    }
  }
  async function save(composition: CompositionInfo): Promise<void> {
    const names = await listSets(composition);
    const name = await askName(names, chosen.get(composition.uri)?.name);
    if (name === undefined) return;
    const tried = values.get(Uri.parse(composition.uri));
    try {
      await storeSet(composition, name, tried);
      chosen.set(composition.uri, { name, values: { ...tried } });
      changed.fire();
    } catch (error) {
      return tell(l10n.t('The set {0} cannot be saved.', name), error);
    }
    const open = l10n.t('Open File');
    const uri = setUri(composition, name);
    const file = workspace.asRelativePath(uri, false);
    if ((await window.showInformationMessage(l10n.t('Saved as {0}.', file), open)) === open)
      await window.showTextDocument(uri);
  }
  async function remove(composition: CompositionInfo): Promise<void> {
    const names = await listSets(composition);
    const used = chosen.get(composition.uri)?.name;
    const name =
      used !== undefined && names.includes(used) ? used : await pick(names, l10n.t('Delete a Set of Values'));
    if (name === undefined) return;
    try {
      const bringBack = await removeSet(composition, name);
      const before = chosen.get(composition.uri);
      chosen.delete(composition.uri);
      changed.fire();
      const undo = l10n.t('Undo');
      if ((await window.showInformationMessage(l10n.t('Deleted the set {0}.', name), undo)) !== undo) return;
      await bringBack();
      if (before) chosen.set(composition.uri, before);
      changed.fire();
    } catch (error) {
      await tell(l10n.t('The set {0} cannot be deleted.', name), error);
    }
  }
  return {
    async of(composition) {
      const names = await listSets(composition);
      const used = chosen.get(composition.uri);
      if (!used || !names.includes(used.name)) return { names, isModified: false };
      const tried = values.get(Uri.parse(composition.uri));
      return { names, chosen: used.name, isModified: !isSameSet(composition.variables, tried, used.values) };
    },
    save,
    choose,
    use,
    remove,
    onDidChange: changed.event,
    dispose() {
      watcher.dispose();
      changed.dispose();
    },
  };
}

/** Undefined when the user gave up. A name that is taken is told before it is written over. */
async function askName(names: readonly string[], chosen: string | undefined): Promise<string | undefined> {
  const faults = {
    empty: l10n.t('Write a name for the set.'),
    characters: l10n.t('A name cannot have one of these signs: \\ / : * ? " < > |'),
    dots: l10n.t('A name neither begins nor ends with a dot or a space.'),
    long: l10n.t('A name has at most 80 characters.'),
    device: l10n.t('This name is taken by Windows.'),
  };
  const name = await window.showInputBox({
    title: l10n.t('Save the Values as a Set'),
    prompt: l10n.t('Its file can be given to the command line with --variables-file.'),
    placeHolder: l10n.t('Name, such as spring or customer 12'),
    ...(chosen === undefined ? {} : { value: chosen }),
    validateInput: (text) => {
      const fault = nameFault(text);
      if (fault !== undefined) return faults[fault];
      return undefined;
    },
  });
  if (name === undefined) return undefined;
  const taken = sameName(names, name);
  if (taken === undefined || taken === chosen) return taken ?? name;
  const replace = l10n.t('Replace');
  const question = l10n.t('There is a set {0} already. Replace it?', taken);
  return (await window.showWarningMessage(question, { modal: true }, replace)) === replace ? taken : undefined;
}
