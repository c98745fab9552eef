// Finished renders that other windows show too, if they have the project open: a file in the storage of the extension.
import { type Disposable, type Memento, RelativePattern, Uri, workspace } from 'vscode';
import { debounced } from '../debounced.ts';
import type { RenderEntry } from './history.ts';
import type { RenderServices } from './renderServices.ts';

const fileName = 'renders.json';
const knownKey = 'framework.sharedRenders';
const maxEntries = 200;
const readDelayMs = 200;

/** Whether a project is in a folder of this window. */
const isOpenHere = ({ project }: RenderEntry): boolean =>
  workspace.getWorkspaceFolder(Uri.parse(project)) !== undefined;

export function shareRenders({
  context,
  history,
  log,
}: Pick<RenderServices, 'context' | 'history' | 'log'>): Disposable {
  const folder = context.globalStorageUri;
  const file = Uri.joinPath(folder, fileName);
  const known = knownIds(context.workspaceState);
  const logError = (error: unknown) => log.error(`The renders of other windows could not be read: ${error}`);

  async function adopt(): Promise<void> {
    const found = (await readEntries(file)).filter((entry) => isOpenHere(entry) && !known.has(entry.id));
    for (const { id } of found) known.add(id);
    history.adopt(found);
  }
  let writes: Promise<void> = Promise.resolve();
  const share = (entry: RenderEntry) => {
    known.add(entry.id);
    writes = writes.then(() => addEntry(folder, file, entry)).catch(logError);
  };
  const adoptSoon = debounced(readDelayMs, () => void adopt().catch(logError));
  const watcher = workspace.createFileSystemWatcher(new RelativePattern(folder, fileName));
  const owned = [
    watcher,
    adoptSoon,
    watcher.onDidCreate(adoptSoon.schedule),
    watcher.onDidChange(adoptSoon.schedule),
    workspace.onDidChangeWorkspaceFolders(adoptSoon.schedule),
    history.onDidChange((entry) => {
      if (entry?.state === 'completed' && !known.has(entry.id)) share(entry);
    }),
  ];
  adoptSoon.schedule();
  return {
    dispose() {
      for (const one of owned) one.dispose();
    },
  };
}

/** The renders that this window has seen: those that the user removes from its list do not come back. */
function knownIds(state: Memento): { has(id: string): boolean; add(id: string): void } {
  const ids = new Set(state.get<string[]>(knownKey, []));
  return {
    has: (id) => ids.has(id),
    add(id) {
      ids.add(id);
      void state.update(knownKey, [...ids].slice(-2 * maxEntries));
    },
  };
}

async function addEntry(folder: Uri, file: Uri, entry: RenderEntry): Promise<void> {
  await workspace.fs.createDirectory(folder);
  const others = (await readEntries(file)).filter(({ id }) => id !== entry.id);
  const entries = [{ ...entry, log: [] }, ...others].slice(0, maxEntries);
  const temporary = Uri.joinPath(folder, `.${crypto.randomUUID()}.tmp`);
  await workspace.fs.writeFile(temporary, new TextEncoder().encode(JSON.stringify(entries)));
  await workspace.fs.rename(temporary, file, { overwrite: true });
}

/** Empty if the file does not exist yet. */
async function readEntries(file: Uri): Promise<RenderEntry[]> {
  const bytes = await workspace.fs.readFile(file).then(
    (found) => found,
    () => undefined,
  );
  return bytes ? JSON.parse(new TextDecoder().decode(bytes)) : [];
}
