// The two entries behind the braces in the status bar of an HTML file: the language server, and whether renders can be made.
import { type Disposable, type LanguageStatusItem, LanguageStatusSeverity, l10n, languages, workspace } from 'vscode';
import type { ServerState } from './languageServer.ts';
import { type RenderBlock, renderBlock } from './renderBlock.ts';

type Shown = { text: string; detail: string; severity: LanguageStatusSeverity; busy: boolean };

/** What a render lacks, by the names of `framework doctor`; `canDownload`: the set-up can bring some of it. */
export type SetUpNeed = { missing: readonly string[]; canDownload: boolean };

export type Status = Disposable & {
  showServer(state: ServerState): void;
  /** Undefined: nothing is missing, as far as anybody knows. */
  showSetUp(need: SetUpNeed | undefined): void;
};

const selector = { language: 'html' };

export function createStatus(canStartPrograms: boolean): Status {
  const server = languages.createLanguageStatusItem('framework.server', selector);
  server.name = l10n.t('Framework Language Server');
  const renders = languages.createLanguageStatusItem('framework.renders', selector);
  renders.name = l10n.t('Framework Rendering');

  const showServer = (state: ServerState): void => {
    Object.assign(server, serverText(state));
    server.command =
      state.kind === 'failed' || state.kind === 'stopped'
        ? { title: l10n.t('Restart'), command: 'framework.restartServer' }
        : { title: l10n.t('Show Log'), command: 'framework.showLog' };
  };
  let need: SetUpNeed | undefined;
  const showRenders = (): void => {
    const block = currentBlock(canStartPrograms);
    if (!block && need) {
      showNeed(renders, need);
      return;
    }
    renders.severity = block ? LanguageStatusSeverity.Warning : LanguageStatusSeverity.Information;
    renders.text = block ? l10n.t('Rendering is off') : l10n.t('Ready to render');
    renders.detail = block?.reason ?? l10n.t('Frames and sound of the composition become a video.');
    renders.command = block ? block.way : { title: l10n.t('Render'), command: 'framework.render' };
  };
  showServer({ kind: 'starting' });
  showRenders();
  const events = [workspace.onDidGrantWorkspaceTrust(showRenders), workspace.onDidChangeWorkspaceFolders(showRenders)];
  return {
    showServer,
    showSetUp(found) {
      need = found;
      showRenders();
    },
    dispose() {
      for (const owned of [server, renders, ...events]) owned.dispose();
    },
  };
}

function showNeed(item: LanguageStatusItem, { missing, canDownload }: SetUpNeed): void {
  item.severity = LanguageStatusSeverity.Warning;
  item.text = l10n.t('Set up needed');
  item.detail = l10n.t('A render lacks: {0}.', missing.join(', '));
  item.command = canDownload
    ? { title: l10n.t('Set Up'), command: 'framework.setUp' }
    : { title: l10n.t('Show Doctor'), command: 'framework.doctor' };
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
      return { ...calm, busy: true, text: 'Framework', detail: l10n.t('The language server is starting.') };
    case 'running': {
      const { state: reading, compositions } = state.status;
      const text = compositions === 1 ? l10n.t('1 composition') : l10n.t('{0} compositions', compositions);
      const isBusy = reading === 'reading';
      return {
        ...calm,
        busy: isBusy,
        text,
        detail: isBusy ? l10n.t('Reading the workspace.') : l10n.t('In this workspace.'),
      };
    }
    case 'stopped':
      return { ...calm, text: 'Framework', detail: l10n.t('The language server is not running.') };
    case 'failed':
      return { text: 'Framework', detail: state.reason, severity: LanguageStatusSeverity.Error, busy: false };
  }
}
