// The doctor's page in an editor tab: one at a time, asked anew whenever it is opened, and when a button says so.
import { commands, type Disposable, env, l10n, ViewColumn, type WebviewPanel, window } from 'vscode';
import type { Tools } from '../tools.ts';
import { showPage } from '../webviewPage.ts';
import { askDoctor } from './askDoctor.ts';
import { busyPage, type Diagnosis, type DoctorPage, type DoctorRequest, doctorPage, failedPage } from './doctorPage.ts';

export type DoctorPanel = Disposable & {
  /** Opens it, or brings it in front, and looks at the machine. */
  open(): Promise<void>;
  isOpen(): boolean;
  /** Looks again. */
  refresh(): Promise<void>;
};

/** `onDiagnosis` is told whatever was found. */
export function createDoctorPanel(
  tools: Pick<Tools, 'context' | 'extensionPath' | 'host'>,
  folder: string,
  onDiagnosis: (found: Diagnosis) => void,
): DoctorPanel {
  let panel: WebviewPanel | undefined;
  let page: DoctorPage | undefined;
  let turns = 0;

  async function show(next: DoctorPage): Promise<void> {
    page = next;
    await panel?.webview.postMessage({ type: 'show', page });
  }
  async function look(): Promise<void> {
    const turn = ++turns;
    await show(busyPage(page));
    const found = await askDoctor(tools);
    if ('rows' in found) onDiagnosis(found);
    if (turn === turns) await show('rows' in found ? doctorPage(found, folder) : failedPage(found.problem));
  }
  function make(): WebviewPanel {
    const title = l10n.t('Framework Doctor');
    const made = window.createWebviewPanel('framework.doctor', title, ViewColumn.Active);
    made.webview.onDidReceiveMessage(async (message: DoctorRequest | { type: 'ready' }) => {
      if (message.type === 'ready' && page) await show(page);
      if (message.type === 'run') await look();
      if (message.type === 'download')
        await commands.executeCommand('framework.setUp', { programs: message.programs, isConfirmed: true });
      if (message.type === 'setting') await openSetting(message.name);
      if (message.type === 'copy') await copy(message.text);
    });
    made.onDidDispose(() => {
      panel = undefined;
      page = undefined;
    });
    showPage(made.webview, tools.context.extensionUri, { name: 'doctor', title });
    return made;
  }
  return {
    async open() {
      if (panel) panel.reveal();
      else panel = make();
      await look();
    },
    isOpen: () => panel !== undefined,
    refresh: look,
    dispose: () => panel?.dispose(),
  };
}

async function copy(text: string): Promise<void> {
  await env.clipboard.writeText(text);
  window.setStatusBarMessage(l10n.t('Copied: {0}', text.split('\n')[0] ?? ''), 4000);
}

/** A path of a program is a setting of the machine that has the files. */
async function openSetting(query: string): Promise<void> {
  const which = env.remoteName === undefined ? 'openSettings' : 'openRemoteSettings';
  await commands.executeCommand(`workbench.action.${which}`, { query });
}
