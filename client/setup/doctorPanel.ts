// The editor tab with the doctor page. There is at most one; opening it runs the doctor again.
import {
  ConfigurationTarget,
  commands,
  type Disposable,
  env,
  l10n,
  ViewColumn,
  type WebviewPanel,
  window,
  workspace,
} from 'vscode';
import type { ExtensionServices } from '../extensionServices.ts';
import { openSetting } from '../render/renderResult.ts';
import { showPage } from '../webviewPage.ts';
import type { Diagnosis, DoctorPage, DoctorRequest } from './doctorPage.ts';
import { namedPrograms, runDoctor } from './runDoctor.ts';

export type DoctorPanel = Disposable & {
  /** Opens or reveals the tab and runs the doctor. */
  open(): Promise<void>;
  isOpen(): boolean;
  /** Runs the doctor again. */
  refresh(): Promise<void>;
};

/** `folder` is the download folder. `onDiagnosis` receives every diagnosis. */
export function createDoctorPanel(
  services: Pick<ExtensionServices, 'context' | 'extensionPath' | 'host'>,
  folder: string,
  onDiagnosis: (found: Diagnosis) => void,
): DoctorPanel {
  let panel: WebviewPanel | undefined;
  let page: DoctorPage | undefined;
  let runs = 0;

  async function show(next: DoctorPage): Promise<void> {
    page = next;
    await panel?.webview.postMessage({ type: 'show', page });
  }
  async function refresh(): Promise<void> {
    const current = ++runs;
    const { busyPage, doctorPage, failedPage } = await import('./doctorPage.ts');
    await show(busyPage(page));
    const found = await runDoctor(services);
    if ('rows' in found) onDiagnosis(found);
    if (current === runs)
      await show('rows' in found ? doctorPage(found, folder, namedPrograms()) : failedPage(found.problem));
  }
  function createPanel(): WebviewPanel {
    const title = l10n.t('Framework Doctor');
    const created = window.createWebviewPanel('framework.doctor', title, ViewColumn.Active);
    created.webview.onDidReceiveMessage(async (message: DoctorRequest | { type: 'ready' }) => {
      if (message.type === 'ready' && page) await show(page);
      if (message.type === 'run') await refresh();
      if (message.type === 'download')
        await commands.executeCommand('framework.setUp', { programs: message.programs, isConfirmed: true });
      if (message.type === 'setting') await openSetting(message.name);
      if (message.type === 'clearSetting') {
        await clearSetting(message.name);
        await refresh();
      }
      if (message.type === 'copy') await copy(message.text);
    });
    created.onDidDispose(() => {
      panel = undefined;
      page = undefined;
    });
    showPage(created.webview, services.context.extensionUri, { name: 'doctor', title });
    return created;
  }
  return {
    async open() {
      if (panel) panel.reveal();
      else panel = createPanel();
      await refresh();
    },
    isOpen: () => panel !== undefined,
    refresh,
    dispose: () => panel?.dispose(),
  };
}

/** Removes a setting wherever it has a value: of the user, of the workspace and of its folders. */
async function clearSetting(name: string): Promise<void> {
  for (const folder of [undefined, ...(workspace.workspaceFolders ?? [])]) {
    const settings = workspace.getConfiguration(undefined, folder?.uri);
    const found = settings.inspect(name);
    if (found?.globalValue !== undefined) await settings.update(name, undefined, ConfigurationTarget.Global);
    if (found?.workspaceValue !== undefined) await settings.update(name, undefined, ConfigurationTarget.Workspace);
    if (folder && found?.workspaceFolderValue !== undefined)
      await settings.update(name, undefined, ConfigurationTarget.WorkspaceFolder);
  }
}

async function copy(text: string): Promise<void> {
  await env.clipboard.writeText(text);
  window.setStatusBarMessage(l10n.t('Copied: {0}', text.split('\n')[0] ?? ''), 4000);
}
