// The live previews: a panel for each composition, a process for each project folder, and what keeps them in step with the editor.
import { commands, Disposable, type TextEditor, Uri, type WebviewPanel, window, workspace } from 'vscode';
import type { FromPage, FromProcess } from '../../renderer-core/preview/messages.ts';
import type { CompositionInfo } from '../../server/protocol.ts';
import type { Tools } from '../tools.ts';
import { followEdits } from './editSync.ts';
import { previewBlock } from './previewBlock.ts';
import { createPreviewDiagnostics } from './previewDiagnostics.ts';
import type { KeptPanel, PanelAction } from './previewMessages.ts';
import { createPreviewPanel, makeWebviewPanel, type PreviewPanel, runAction, stopped } from './previewPanel.ts';
import { type PreviewProcess, startPreviewProcess } from './previewProcess.ts';
import { pathInProject } from './projectPath.ts';
import { savePicture } from './savePicture.ts';
import { showSource } from './showSource.ts';

export type Previews = Disposable & {
  open(composition: CompositionInfo): void;
  /** Panels that the window had before it was loaded anew. */
  restore(panel: WebviewPanel, kept: KeptPanel | undefined): Promise<void>;
  /** Of the panel in front, else of the one that was. */
  takePicture(): void;
  restart(): void;
};

type Served = { process: PreviewProcess; edits: Disposable };

/** Typing moves the caret with every key. Milliseconds. */
const caretPauseMs = 80;
/** Moving a slider changes a value with every pixel. */
const valuePauseMs = 16;

export function createPreviews(tools: Tools): Previews {
  const { server, values, active, log } = tools;
  const panels = new Map<string, PreviewPanel>();
  const served = new Map<string, Served>();
  const diagnostics = createPreviewDiagnostics();
  let last: PreviewPanel | undefined;

  const panelsOf = (projectUri: string): PreviewPanel[] =>
    [...panels.values()].filter((one) => one.composition().projectUri === projectUri);
  const processOf = (projectUri: string): PreviewProcess => {
    const there = served.get(projectUri);
    if (there) return there.process;
    const process = startPreviewProcess(projectUri, tools, (message) => fromProcess(projectUri, message));
    served.set(projectUri, { process, edits: followEdits(process) });
    void process.ended.then(({ reason }) => {
      if (served.get(projectUri)?.process !== process) return;
      forget(projectUri);
      for (const one of panelsOf(projectUri)) one.notice(stopped(reason));
    });
    return process;
  };
  const forget = (projectUri: string): void => {
    const found = served.get(projectUri);
    served.delete(projectUri);
    found?.edits.dispose();
    found?.process.dispose();
  };
  /** What is shown, and with which values. */
  const tellShown = ({ path, projectUri, uri }: CompositionInfo): void =>
    served
      .get(projectUri)
      ?.process.send({ type: 'show', composition: path, values: { ...values.get(Uri.parse(uri)) } });
  const begin = (one: PreviewPanel): void => {
    const composition = one.composition();
    const block = previewBlock(Uri.parse(composition.uri), tools.host.startCli !== undefined);
    if (block) {
      one.notice(block);
      return;
    }
    const { url } = processOf(composition.projectUri);
    tellShown(composition);
    void one.show(url);
  };
  function fromProcess(projectUri: string, message: FromProcess): void {
    if (message.type !== 'problems') return;
    for (const one of panelsOf(projectUri)) {
      // The page tells its own and these; before there is one, these are all there are.
      if (one.composition().path === message.composition && !one.state())
        diagnostics.show(one.composition(), message.problems);
    }
  }
  function fromPage(one: PreviewPanel, message: FromPage): void {
    const composition = one.composition();
    const complain = (error: unknown) => log.error(`${error}`);
    if (message.type === 'loaded') tellCaret(window.activeTextEditor);
    if (message.type === 'problems') diagnostics.show(composition, message.problems);
    if (message.type === 'reveal') showSource(composition, message).catch(complain);
    if (message.type === 'open') showSource(composition, message.place).catch(complain);
    if (message.type === 'picture') savePicture(composition, message).catch(complain);
    if (message.type === 'noPicture') void window.showErrorMessage(message.message);
  }
  function attach(panel: WebviewPanel, composition: CompositionInfo): void {
    const one = createPreviewPanel(panel, composition, tools, {
      onPage: (message) => fromPage(one, message),
      onAction: (action) => act(one, action),
    });
    panels.set(composition.uri, one);
    last = one;
    tellCount();
    panel.onDidChangeViewState(() => {
      if (panel.active) last = one;
    });
    panel.onDidDispose(() => {
      panels.delete(composition.uri);
      if (last === one) last = [...panels.values()].at(-1);
      diagnostics.show(composition, []);
      if (panelsOf(composition.projectUri).length === 0) forget(composition.projectUri);
      tellCount();
    });
    begin(one);
  }
  const tellCount = (): void => void commands.executeCommand('setContext', 'framework.hasPreview', panels.size > 0);
  const act = (one: PreviewPanel, action: PanelAction): void => {
    if (action === 'restart') begin(one);
    else void runAction(action);
  };
  const tellCaret = (editor: TextEditor | undefined): void => {
    if (!editor) return;
    const { document, selection } = editor;
    for (const one of panels.values()) {
      const file = pathInProject(one.composition().projectUri, document.uri);
      if (file === undefined) continue;
      one.post({ framework: 'preview', type: 'select', at: { file, offset: document.offsetAt(selection.active) } });
    }
  };
  const carets = paused(caretPauseMs, () => tellCaret(window.activeTextEditor));
  const changedValues = paused(valuePauseMs, () => {
    for (const one of panels.values()) tellShown(one.composition());
  });
  const subscriptions = Disposable.from(
    diagnostics,
    carets,
    changedValues,
    window.onDidChangeTextEditorSelection(carets.later),
    window.onDidChangeActiveTextEditor(carets.later),
    values.onDidChange(changedValues.later),
    active.onDidChange((composition) => panels.get(composition.uri)?.follow(composition)),
    workspace.onDidGrantWorkspaceTrust(() => {
      for (const one of panels.values()) begin(one);
    }),
  );
  return {
    open(composition) {
      const there = panels.get(composition.uri);
      if (there) there.panel.reveal(undefined, true);
      else attach(makeWebviewPanel(composition), composition);
    },
    async restore(panel, kept) {
      // All of them: the answer waits until the folders have been read.
      const known = await server
        .start()
        .then(() => server.ask('framework/compositions', null))
        .catch(() => []);
      const found = known.find(({ uri }) => uri === kept?.uri);
      if (found) attach(panel, found);
      else panel.dispose();
    },
    takePicture: () => last?.post({ framework: 'preview', type: 'takePicture' }),
    restart() {
      const projectUri = last?.composition().projectUri;
      if (projectUri === undefined) return;
      forget(projectUri);
      for (const one of panelsOf(projectUri)) begin(one);
    },
    dispose() {
      subscriptions.dispose();
      for (const projectUri of [...served.keys()]) forget(projectUri);
    },
  };
}

/** Runs once after the last call. */
function paused(ms: number, run: () => void): Disposable & { later: () => void } {
  let pause: ReturnType<typeof setTimeout> | undefined;
  return {
    later() {
      clearTimeout(pause);
      pause = setTimeout(run, ms);
    },
    dispose: () => clearTimeout(pause),
  };
}
