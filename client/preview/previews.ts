// The open previews: a panel for each composition, connected to the server of its project folder and to the editor.
import { commands, Disposable, env, l10n, Uri, type WebviewPanel, window, workspace } from 'vscode';
import type { FromPage, FromProcess, ToPage } from '../../preview/messages.ts';
import type { CompositionInfo } from '../../server/protocol.ts';
import { projectName } from '../compositions/compositionName.ts';
import { type Values, valueDelayMs } from '../compositions/draftValues.ts';
import { type MovedUri, movedComposition } from '../compositions/moves.ts';
import { debounced } from '../debounced.ts';
import type { ExtensionServices } from '../extensionServices.ts';
import { resultOrLog } from '../language/serverResult.ts';
import { revealOutput } from '../render/output/openOutput.ts';
import { outputName } from '../render/output/outputName.ts';
import { previewBlock } from './previewBlock.ts';
import { createPreviewDiagnostics, type PreviewDiagnostics } from './previewDiagnostics.ts';
import { type EditContext, receiveEdit } from './previewEdits.ts';
import { createPreviewFindings, type PreviewFindings } from './previewFindings.ts';
import type { SavedPanel } from './previewMessages.ts';
import { createPreviewPanel, makeWebviewPanel, type PreviewPanel, runAction, stoppedNotice } from './previewPanel.ts';
import { createPreviewServers } from './previewServers.ts';
import { createPreviewUndo } from './previewUndo.ts';
import { pathInProject } from './projectFiles.ts';
import { showSource } from './showSource.ts';

export type Previews = Disposable & {
  /** `playOnce`: a new preview plays the video once. */
  open(composition: CompositionInfo, playOnce?: boolean): void;
  /** Opens a preview that shows a time, in seconds. */
  openAt(composition: CompositionInfo, time: number): void;
  /** Opens a preview that shows the sizes of the composition side by side, or says that there are no others. */
  compareSizes(composition: CompositionInfo): void;
  /** Restores a panel after a window reload. */
  restore(panel: WebviewPanel, saved: SavedPanel | undefined): Promise<void>;
  /** Saves the current frame of the active preview, or of the one that was active last. */
  saveFrame(): void;
  restart(): void;
  /** The preview of a composition; the active one, or the one that was active last, without a URI. */
  find(compositionUri?: string): PreviewPanel | undefined;
  /** Serves views of a composition: pages with values of their own, next to its preview. */
  openViews(composition: CompositionInfo, events: ViewEvents): PreviewViews;
  findings: PreviewFindings;
  /** Moves a preview to a time, in seconds, when it shows the next edit. */
  seekAfterEdit(compositionUri: string, time: number): void;
  /** Shows moved compositions in new panels, at the same time of the video. */
  move(moved: MovedUri): void;
};

/** Disposing ends the process if no other preview needs it. */
export type PreviewViews = Disposable & { url: Promise<string>; show(view: string, values: Values): void };

/** `onStop`: the process has ended by itself. `onRestart`: the user restarts it. */
export type ViewEvents = { onStop(reason: string): void; onRestart(): void };

/** The state of all previews. */
type State = EditContext & {
  /** By the URI of the composition. */
  panels: Map<string, PreviewPanel>;
  /** The active preview, or the one that was active last. */
  last?: PreviewPanel | undefined;
  diagnostics: PreviewDiagnostics;
  findings: PreviewFindings;
  /** Times to seek to by the URI of the composition. */
  seeks: Map<string, number>;
  /** The compositions whose preview plays once when it is shown. */
  firstPlays: Set<string>;
  /** The compositions whose sizes are compared when they are shown. */
  comparisons: Set<string>;
  views: Set<ViewEvents & { projectUri: string }>;
};

/** Delay after a cursor movement, in milliseconds: typing moves the cursor with every key. */
const cursorDelayMs = 80;

export function createPreviews(services: ExtensionServices): Previews {
  const panels: State['panels'] = new Map();
  const state: State = {
    services,
    servers: createPreviewServers(
      services,
      (projectUri, message) => showProcessProblems(projectUri, message, state),
      (projectUri, reason) => {
        for (const preview of panelsOf(projectUri, state)) preview.notice(stoppedNotice(reason));
        for (const view of viewsOf(projectUri, state)) view.onStop(reason);
      },
    ),
    undo: createPreviewUndo(services),
    panels,
    diagnostics: createPreviewDiagnostics(),
    findings: createPreviewFindings(services.values, (uri) => panels.get(uri)),
    seeks: new Map(),
    firstPlays: new Set(),
    comparisons: new Set(),
    views: new Set(),
  };
  const subscriptions = followEditor(state);
  const open: Previews['open'] = (composition, playOnce = false) => {
    const existing = panels.get(composition.uri);
    if (playOnce && !existing) state.firstPlays.add(composition.uri);
    if (existing) existing.panel.reveal(undefined, true);
    else attach(makeWebviewPanel(composition), composition, state);
  };
  return {
    open,
    openAt(composition, time) {
      const existing = panels.get(composition.uri);
      existing?.post({ framework: 'preview', type: 'seek', time });
      if (existing) return existing.panel.reveal(undefined, true);
      state.seeks.set(composition.uri, time);
      attach(makeWebviewPanel(composition), composition, state);
    },
    compareSizes(composition) {
      const existing = panels.get(composition.uri);
      if (existing?.state()) existing.post(compareSizes);
      else state.comparisons.add(composition.uri);
      open(composition);
    },
    async restore(panel, saved) {
      const found = await resultOrLog(savedComposition(services, saved?.uri), services.log);
      if (found) attach(panel, found, state);
      else panel.dispose();
    },
    saveFrame: () => state.last?.post({ framework: 'preview', type: 'takePicture' }),
    restart: () => state.last && restart(state.last.composition(), state),
    openViews: (composition, events) => openViews(composition, events, state),
    findings: state.findings,
    find: (uri) => (uri === undefined ? state.last : panels.get(uri)),
    seekAfterEdit(uri, time) {
      if (panels.get(uri)) state.seeks.set(uri, time);
    },
    move(moved) {
      for (const preview of [...panels.values()]) movePanel(preview, moved, state);
    },
    dispose: () => subscriptions.dispose(),
  };
}

const compareSizes: ToPage = { framework: 'preview', type: 'compareSizes' };

function movePanel({ panel, composition }: PreviewPanel, moved: MovedUri, state: State): void {
  const before = composition();
  const after = movedComposition(before, moved);
  if (after === before) return;
  const column = panel.viewColumn;
  // Disposing it stores its time.
  panel.dispose();
  if (!after) return;
  const time = state.seeks.get(before.uri);
  if (time !== undefined) state.seeks.set(after.uri, time);
  attach(makeWebviewPanel(after, column), after, state);
}

/** Disposing it ends the processes too. */
function followEditor(state: State): Disposable {
  const { services, servers, panels, diagnostics, findings, undo } = state;
  const cursor = debounced(cursorDelayMs, () => sendCursor(state));
  const changedValues = debounced(valueDelayMs, () => {
    for (const preview of panels.values()) servers.show(preview.composition());
  });
  return Disposable.from(
    diagnostics,
    findings,
    servers,
    undo,
    cursor,
    changedValues,
    window.onDidChangeTextEditorSelection(cursor.schedule),
    window.onDidChangeActiveTextEditor(cursor.schedule),
    services.values.onDidChange(changedValues.schedule),
    services.active.onDidChange((composition) => panels.get(composition.uri)?.update(composition)),
    workspace.onDidGrantWorkspaceTrust(() => {
      for (const preview of panels.values()) load(preview, state);
    }),
  );
}

function load(preview: PreviewPanel, { services, servers }: State): void {
  const composition = preview.composition();
  const block = previewBlock(Uri.parse(composition.uri), services.host.startCli !== undefined);
  if (block) return void preview.notice(block);
  const url = servers.url(composition.projectUri);
  servers.show(composition);
  void preview.show(url);
}

function attach(panel: WebviewPanel, composition: CompositionInfo, state: State): void {
  const { panels, seeks, diagnostics, undo } = state;
  const { uri, projectUri } = composition;
  const preview = createPreviewPanel(panel, composition, state.services, {
    onPage: (message) => onPage(preview, message, state),
    onAction: (action) => (action === 'restart' ? load(preview, state) : void runAction(action)),
  });
  const updateContext = () => void commands.executeCommand('setContext', 'framework.hasPreview', panels.size > 0);
  panels.set(uri, preview);
  undo.add(preview);
  state.last = preview;
  updateContext();
  panel.onDidChangeViewState(() => {
    if (!panel.active) return;
    state.last = preview;
    state.services.active.show(uri);
  });
  panel.onDidDispose(() => {
    panels.delete(uri);
    undo.remove(preview);
    if (state.last === preview) state.last = [...panels.values()].at(-1);
    updateContext();
    // A preview that is opened again shows the same time.
    const time = preview.state()?.time;
    if (time !== undefined) seeks.set(uri, time);
    diagnostics.show(composition, []);
    stopIfUnused(projectUri, state);
  });
  load(preview, state);
}

function onPage(preview: PreviewPanel, message: FromPage, state: State): void {
  const composition = preview.composition();
  const logError = (error: unknown) => state.services.log.error(`${error}`);
  if (message.type === 'loaded') {
    preview.post({ framework: 'preview', type: 'editable' });
    sendCursor(state);
    state.findings.send(preview);
  }
  if (message.type === 'shown') seek(preview, state);
  if (message.type === 'shown' && state.comparisons.delete(composition.uri)) preview.post(compareSizes);
  if (message.type === 'problems') state.diagnostics.show(composition, message.problems);
  if (message.type === 'reveal') showSource(composition, message).catch(logError);
  if (message.type === 'open') showSource(composition, message.place).catch(logError);
  if (message.type === 'picture') saveFrameImage(composition, message).catch(logError);
  if (message.type === 'noPicture') void window.showErrorMessage(message.message);
  receiveEdit(preview, message, state).catch(logError);
}

function seek(preview: PreviewPanel, { seeks, firstPlays }: State): void {
  const { uri } = preview.composition();
  const time = seeks.get(uri);
  if (firstPlays.delete(uri)) preview.post({ framework: 'preview', type: 'playOnce' });
  if (time === undefined || !seeks.delete(uri)) return;
  preview.post({ framework: 'preview', type: 'seek', time });
}

function restart({ projectUri }: CompositionInfo, state: State): void {
  state.servers.stop(projectUri);
  for (const preview of panelsOf(projectUri, state)) load(preview, state);
  for (const view of viewsOf(projectUri, state)) view.onRestart();
}

function openViews(composition: CompositionInfo, events: ViewEvents, state: State): PreviewViews {
  const { servers, views } = state;
  const { projectUri } = composition;
  const view = { ...events, projectUri };
  const shown = new Set<string>();
  views.add(view);
  return {
    url: servers.url(projectUri),
    show(name, own) {
      shown.add(name);
      servers.showView(composition, name, own);
    },
    dispose() {
      views.delete(view);
      for (const name of shown) servers.hideView(composition, name);
      stopIfUnused(projectUri, state);
    },
  };
}

const panelsOf = (projectUri: string, { panels }: State): PreviewPanel[] =>
  [...panels.values()].filter((preview) => preview.composition().projectUri === projectUri);

const viewsOf = (projectUri: string, { views }: State) => [...views].filter((view) => view.projectUri === projectUri);

function stopIfUnused(projectUri: string, state: State): void {
  if ([...panelsOf(projectUri, state), ...viewsOf(projectUri, state)].length === 0) state.servers.stop(projectUri);
}

async function savedComposition({ server }: ExtensionServices, uri?: string): Promise<CompositionInfo | null> {
  await server.start();
  // Answered only after the workspace has been read.
  await server.request('framework/projects', null);
  return uri === undefined ? null : server.request('framework/composition', { uri });
}

/** Before its page is loaded, a composition has only the problems that the process reports. The page reports all of them. */
function showProcessProblems(projectUri: string, message: FromProcess, state: State): void {
  if (message.type !== 'problems') return;
  for (const preview of panelsOf(projectUri, state)) {
    if (preview.composition().path === message.composition && !preview.state())
      state.diagnostics.show(preview.composition(), message.problems);
  }
}

function sendCursor({ panels }: State): void {
  if (!window.activeTextEditor) return;
  const { document, selection } = window.activeTextEditor;
  for (const preview of panels.values()) {
    const file = pathInProject(preview.composition().projectUri, document.uri);
    if (file === undefined) continue;
    preview.post({ framework: 'preview', type: 'select', at: { file, offset: document.offsetAt(selection.active) } });
  }
}

async function saveFrameImage(
  { projectUri, path }: CompositionInfo,
  { png, frame }: Extract<FromPage, { type: 'picture' }>,
): Promise<void> {
  const name = outputName({ project: projectName({ projectUri }), path, values: {} });
  const uri = await window.showSaveDialog({
    title: l10n.t('Save Frame as Image'),
    defaultUri: Uri.joinPath(Uri.parse(projectUri), 'renders', `${name}-${frame}.png`),
    filters: { [l10n.t('Image')]: ['png'] },
  });
  if (!uri) return;
  await workspace.fs.writeFile(uri, png);
  const [open, reveal, copy] = [l10n.t('Open'), l10n.t('Reveal'), l10n.t('Copy Path')];
  const message = l10n.t('Saved frame {0} as {1}.', frame, workspace.asRelativePath(uri, false));
  const chosen = await window.showInformationMessage(message, open, reveal, copy);
  if (chosen === open) await commands.executeCommand('vscode.open', uri);
  if (chosen === reveal) await revealOutput(uri.fsPath);
  if (chosen === copy) await env.clipboard.writeText(uri.fsPath);
}
