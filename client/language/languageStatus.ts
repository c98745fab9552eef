// The language status items of HTML files: the state of the language server, and whether rendering works.
import { type Disposable, type LanguageStatusItem, LanguageStatusSeverity, l10n, languages, workspace } from 'vscode';
import { type RenderBlock, renderBlock } from '../renderBlock.ts';
import type { ServerState } from './languageServer.ts';

type Shown = { text: string; detail: string; severity: LanguageStatusSeverity; busy: boolean };

/** `missing`: names from `framework doctor`. `canDownload`: setup can download at least one of them. */
export type SetupNeed = { missing: readonly string[]; canDownload: boolean };

export type Status = Disposable & {
  showServer(state: ServerState): void;
  /** Undefined when nothing is known to be missing. */
  showSetup(need: SetupNeed | undefined): void;
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
  let need: SetupNeed | undefined;
  const showRenders = (): void => {
    const block = currentBlock(canStartPrograms);
    if (!block && need) {
      showNeed(renders, need);
      return;
    }
    renders.severity = block ? LanguageStatusSeverity.Warning : LanguageStatusSeverity.Information;
    renders.text = block ? l10n.t('Rendering is unavailable') : l10n.t('Ready to render');
    renders.detail = block?.reason ?? l10n.t('Render the composition to a video.');
    renders.command = block ? block.action : { title: l10n.t('Render'), command: 'framework.render' };
  };
  showServer({ kind: 'starting' });
  showRenders();
  const events = [workspace.onDidGrantWorkspaceTrust(showRenders), workspace.onDidChangeWorkspaceFolders(showRenders)];
  return {
    showServer,
    showSetup(found) {
      need = found;
      showRenders();
    },
    dispose() {
      for (const owned of [server, renders, ...events]) owned.dispose();
    },
  };
}

function showNeed(item: LanguageStatusItem, { missing, canDownload }: SetupNeed): void {
  item.severity = LanguageStatusSeverity.Warning;
  item.text = l10n.t('Setup required');
  item.detail = l10n.t('Missing: {0}.', missing.join(', '));
  item.command = canDownload
    ? { title: l10n.t('Install'), command: 'framework.setUp' }
    : { title: l10n.t('Run Doctor'), command: 'framework.doctor' };
}

/** The reason why this window cannot render, or undefined when it can. */
export function currentBlock(canStartPrograms: boolean): RenderBlock | undefined {
  const schemes = (workspace.workspaceFolders ?? []).map(({ uri }) => uri.scheme);
  return renderBlock({ canStartPrograms, isTrusted: workspace.isTrusted, schemes });
}

function serverText(state: ServerState): Shown {
  const normal = { severity: LanguageStatusSeverity.Information, busy: false };
  switch (state.kind) {
    case 'starting':
      return { ...normal, busy: true, text: 'Framework', detail: l10n.t('The language server is starting.') };
    case 'running': {
      const { state: reading, compositions } = state.status;
      const text = compositions === 1 ? l10n.t('1 composition') : l10n.t('{0} compositions', compositions);
      const isBusy = reading === 'reading';
      return {
        ...normal,
        busy: isBusy,
        text,
        detail: isBusy ? l10n.t('Reading the workspace…') : l10n.t('Found in this workspace.'),
      };
    }
    case 'stopped':
      return { ...normal, text: 'Framework', detail: l10n.t('The language server is not running.') };
    case 'failed':
      return { text: 'Framework', detail: state.reason, severity: LanguageStatusSeverity.Error, busy: false };
  }
}
