// The two entries behind the braces in the status bar of an HTML file: the language server, and whether renders can be made.
import { type Disposable, LanguageStatusSeverity, languages, workspace } from 'vscode';
import type { ServerState } from './languageServer.ts';
import { type RenderBlock, renderBlock } from './renderBlock.ts';

type Shown = { text: string; detail: string; severity: LanguageStatusSeverity; busy: boolean };

export type Status = Disposable & { showServer(state: ServerState): void };

const selector = { language: 'html' };

export function createStatus(canStartPrograms: boolean): Status {
  const server = languages.createLanguageStatusItem('framework.server', selector);
  server.name = 'Framework Language Server';
  const renders = languages.createLanguageStatusItem('framework.renders', selector);
  renders.name = 'Framework Rendering';

  const showServer = (state: ServerState): void => {
    Object.assign(server, serverText(state));
    server.command =
      state.kind === 'failed' || state.kind === 'stopped'
        ? { title: 'Restart', command: 'framework.restartServer' }
        : { title: 'Show Log', command: 'framework.showLog' };
  };
  const showRenders = (): void => {
    const block = currentBlock(canStartPrograms);
    renders.severity = block ? LanguageStatusSeverity.Warning : LanguageStatusSeverity.Information;
    renders.text = block ? 'Rendering is off' : 'Ready to render';
    renders.detail = block?.reason ?? 'Frames and sound of the composition become a video.';
    renders.command = block ? block.way : { title: 'Render', command: 'framework.render' };
  };
  showServer({ kind: 'starting' });
  showRenders();
  const events = [workspace.onDidGrantWorkspaceTrust(showRenders), workspace.onDidChangeWorkspaceFolders(showRenders)];
  return {
    showServer,
    dispose() {
      for (const owned of [server, renders, ...events]) owned.dispose();
    },
  };
}

/** Why nothing can be rendered in this window as it is now. */
export function currentBlock(canStartPrograms: boolean): RenderBlock | undefined {
  const schemes = (workspace.workspaceFolders ?? []).map(({ uri }) => uri.scheme);
  return renderBlock({ canStartPrograms, isTrusted: workspace.isTrusted, schemes });
}

function serverText(state: ServerState): Shown {
  const calm = { severity: LanguageStatusSeverity.Information, busy: false };
  switch (state.kind) {
    case 'starting':
      return { ...calm, busy: true, text: 'Framework', detail: 'The language server is starting.' };
    case 'running': {
      const { state: reading, compositions } = state.status;
      const text = compositions === 1 ? '1 composition' : `${compositions} compositions`;
      const isBusy = reading === 'reading';
      return { ...calm, busy: isBusy, text, detail: isBusy ? 'Reading the workspace.' : 'In this workspace.' };
    }
    case 'stopped':
      return { ...calm, text: 'Framework', detail: 'The language server is not running.' };
    case 'failed':
      return { text: 'Framework', detail: state.reason, severity: LanguageStatusSeverity.Error, busy: false };
  }
}
