// The open previews: a panel for each composition, connected to the server of its project folder and to the editor.
import { commands, Disposable, env, l10n, type TextEditor, Uri, type WebviewPanel, window, workspace } from 'vscode';
import type { FromPage, FromProcess } from '../../preview/messages.ts';
import type { CompositionInfo } from '../../server/protocol.ts';
import { projectName } from '../compositionName.ts';
import { debounced } from '../debounced.ts';
import { type Values, valueDelayMs } from '../draftValues.ts';
import type { ExtensionServices } from '../extensionServices.ts';
import { revealOutput } from '../render/openOutput.ts';
import { outputName } from '../render/outputName.ts';
import { resultOrLog } from '../serverResult.ts';
import { editClip, undoEdit } from './clipEdits.ts';
import { previewBlock } from './previewBlock.ts';
import { createPreviewDiagnostics, type PreviewDiagnostics } from './previewDiagnostics.ts';
import type { PanelAction, SavedPanel } from './previewMessages.ts';
import { createPreviewPanel, makeWebviewPanel, type PreviewPanel, runAction, stoppedNotice } from './previewPanel.ts';
import { showsTyping } from './previewProcess.ts';
import { createPreviewServers } from './previewServers.ts';
import { pathInProject } from './projectFiles.ts';
import { showSource } from './showSource.ts';
import { changeText, findText } from './textEdits.ts';

export type Previews = Disposable & {
  /** `playOnce`: a new preview plays the video once. */
  open(composition: CompositionInfo, playOnce?: boolean): void;
  /** Restores a panel after a window reload. */
  restore(panel: WebviewPanel, saved: SavedPanel | undefined): Promise<void>;
  /** Saves the current frame of the active preview, or of the one that was active last. */
  saveFrame(): void;
  restart(): void;
  /** The preview of a composition; the active one, or the one that was active last, without a URI. */
  find(compositionUri?: string): PreviewPanel | undefined;
  /** The preview that has the focus. */
  active(): PreviewPanel | undefined;
  /** Serves views of a composition: pages with values of their own, next to its preview. */
  openViews(composition: CompositionInfo, events: ViewEvents): PreviewViews;
  /** Moves a preview to a time, in seconds, when it shows the next edit. */
  seekAfterEdit(compositionUri: string, time: number): void;
};

/** Disposing ends the process if no other preview needs it. */
export type PreviewViews = Disposable & { url: Promise<string>; show(view: string, values: Values): void };

/** `onStop`: the process has ended by itself. `onRestart`: the user restarts it. */
export type ViewEvents = { onStop(reason: string): void; onRestart(): void };

type PartMessage = Extract<FromPage, { type: 'findParts' | 'changePart' | 'addVariable' }>;

/** Delay after a cursor movement, in milliseconds: typing moves the cursor with every key. */
const cursorDelayMs = 80;

export function createPreviews(services: ExtensionServices): Previews {
  const { server, values, active, log } = services;
  const panels = createPanels();
  /** Times to seek to by the URI of the composition. */
  const seeks = new Map<string, number>();
  /** The compositions whose preview plays once when it is shown. */
  const firstPlays = new Set<string>();
  const diagnostics = createPreviewDiagnostics();
  /** What a preview has edited last: a file, or draft values, with what undo restores. */
  const lastEdits = new WeakMap<PreviewPanel, string | { other: Values }>();
  const views = new Set<ViewEvents & { projectUri: string }>();
  const viewsOf = (wanted: string) => [...views].filter(({ projectUri }) => projectUri === wanted);
  const servers = createPreviewServers(
    services,
    (projectUri, message) => showProcessProblems(panels.ofProject(projectUri), message, diagnostics),
    (projectUri, reason) => {
      for (const preview of panels.ofProject(projectUri)) preview.notice(stoppedNotice(reason));
      for (const view of viewsOf(projectUri)) view.onStop(reason);
    },
  );

  function load(preview: PreviewPanel): void {
    const composition = preview.composition();
    const block = previewBlock(Uri.parse(composition.uri), services.host.startCli !== undefined);
    if (block) {
      preview.notice(block);
      return;
    }
    const url = servers.url(composition.projectUri);
    servers.show(composition);
    void preview.show(url);
  }
  function onPage(preview: PreviewPanel, message: FromPage): void {
    const composition = preview.composition();
    const logError = (error: unknown) => log.error(`${error}`);
    if (message.type === 'loaded') {
      preview.post({ framework: 'preview', type: 'editable' });
      sendCursor(panels.all(), window.activeTextEditor);
    }
    if (message.type === 'shown') seek(preview);
    if (message.type === 'problems') diagnostics.show(composition, message.problems);
    if (message.type === 'reveal') showSource(composition, message).catch(logError);
    if (message.type === 'open') showSource(composition, message.place).catch(logError);
    if (message.type === 'picture') saveFrameImage(composition, message).catch(logError);
    if (message.type === 'noPicture') void window.showErrorMessage(message.message);
    if (message.type === 'editClip') {
      lastEdits.set(preview, message.file);
      void editClip(composition, message, services).then((reason) => {
        preview.post({ framework: 'preview', type: 'edited', reason });
        void showEdit(composition, message.file);
      });
    }
    if (message.type === 'findText')
      void findText(composition, message.text, services).then((found) =>
        preview.post({ framework: 'preview', type: 'foundText', found }),
      );
    if (message.type === 'changeText') {
      const before = values.get(Uri.parse(composition.uri));
      void changeText(composition, message, services).then(({ reason, file }) => {
        if (reason === null) lastEdits.set(preview, file ?? { other: before });
        preview.post({ framework: 'preview', type: 'textEdited', reason });
        void showEdit(composition, file ?? message.text.file);
      });
    }
    if (message.type === 'findParts' || message.type === 'changePart' || message.type === 'addVariable')
      onPart(preview, message).catch((error) => {
        logError(error);
        preview.post({ framework: 'preview', type: 'textEdited', reason: `${error}` });
      });
    if (message.type === 'undo') undo(preview, message.redo).catch(logError);
  }
  async function onPart(preview: PreviewPanel, message: PartMessage): Promise<void> {
    // Loaded lazily, because it is rarely used.
    const { addPartVariable, changePart, findParts } = await import('./partEdits.ts');
    const composition = preview.composition();
    if (message.type === 'findParts') {
      const found = await findParts(composition, message.element, services);
      return preview.post({ framework: 'preview', type: 'foundParts', ...found });
    }
    const before = values.get(Uri.parse(composition.uri));
    const isChange = message.type === 'changePart';
    const { reason, file } = isChange
      ? await changePart(composition, message, services)
      : await addPartVariable(composition, message, services);
    if (reason === null && (isChange || file !== undefined)) lastEdits.set(preview, file ?? { other: before });
    preview.post({ framework: 'preview', type: 'textEdited', reason });
    // The prompt for the name has taken the focus.
    if (!isChange) preview.panel.reveal(undefined, false);
    await showEdit(composition, file ?? message.element.file);
  }
  async function undo(preview: PreviewPanel, redo: boolean): Promise<void> {
    const composition = preview.composition();
    const last = lastEdits.get(preview) ?? composition.path;
    if (typeof last === 'string')
      return undoEdit(composition, last, redo, () => preview.panel.reveal(undefined, false));
    const uri = Uri.parse(composition.uri);
    lastEdits.set(preview, { other: values.get(uri) });
    values.set(uri, last.other);
  }
  /** An edit of the preview is shown, and its next one has the offsets of the current text, also if typing is not shown. */
  async function showEdit({ projectUri }: CompositionInfo, file: string): Promise<void> {
    const document = await workspace.openTextDocument(Uri.joinPath(Uri.parse(projectUri), file));
    if (document.isDirty && !showsTyping()) servers.showText(projectUri, file, document.getText());
  }
  function seek(preview: PreviewPanel): void {
    const { uri } = preview.composition();
    const time = seeks.get(uri);
    if (firstPlays.delete(uri)) preview.post({ framework: 'preview', type: 'playOnce' });
    if (time === undefined || !seeks.delete(uri)) return;
    preview.post({ framework: 'preview', type: 'seek', time });
  }
  function onAction(preview: PreviewPanel, action: PanelAction): void {
    if (action === 'restart') load(preview);
    else void runAction(action);
  }
  function attach(panel: WebviewPanel, composition: CompositionInfo): void {
    const preview = createPreviewPanel(panel, composition, services, {
      onPage: (message) => onPage(preview, message),
      onAction: (action) => onAction(preview, action),
    });
    panels.add(preview);
    panel.onDidDispose(() => {
      // A preview that is opened again shows the same time.
      const time = preview.state()?.time;
      if (time !== undefined) seeks.set(composition.uri, time);
      diagnostics.show(composition, []);
      stopIfUnused(composition.projectUri);
    });
    load(preview);
  }
  function stopIfUnused(projectUri: string): void {
    if (panels.ofProject(projectUri).length === 0 && viewsOf(projectUri).length === 0) servers.stop(projectUri);
  }
  const cursor = debounced(cursorDelayMs, () => sendCursor(panels.all(), window.activeTextEditor));
  const changedValues = debounced(valueDelayMs, () => {
    for (const preview of panels.all()) servers.show(preview.composition());
  });
  const subscriptions = Disposable.from(
    diagnostics,
    servers,
    cursor,
    changedValues,
    window.onDidChangeTextEditorSelection(cursor.schedule),
    window.onDidChangeActiveTextEditor(cursor.schedule),
    values.onDidChange(changedValues.schedule),
    active.onDidChange((composition) => panels.get(composition.uri)?.update(composition)),
    workspace.onDidGrantWorkspaceTrust(() => {
      for (const preview of panels.all()) load(preview);
    }),
  );
  return {
    open(composition, playOnce = false) {
      const existing = panels.get(composition.uri);
      if (playOnce && !existing) firstPlays.add(composition.uri);
      if (existing) existing.panel.reveal(undefined, true);
      else attach(makeWebviewPanel(composition), composition);
    },
    async restore(panel, saved) {
      const found = await resultOrLog(savedComposition(server, saved?.uri), log);
      if (found) attach(panel, found);
      else panel.dispose();
    },
    saveFrame: () => panels.last()?.post({ framework: 'preview', type: 'takePicture' }),
    restart() {
      const projectUri = panels.last()?.composition().projectUri;
      if (projectUri === undefined) return;
      servers.stop(projectUri);
      for (const preview of panels.ofProject(projectUri)) load(preview);
      for (const view of viewsOf(projectUri)) view.onRestart();
    },
    active: () => panels.all().find(({ panel }) => panel.active),
    openViews(composition, events) {
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
          stopIfUnused(projectUri);
        },
      };
    },
    find: (uri) => (uri === undefined ? panels.last() : panels.get(uri)),
    seekAfterEdit(uri, time) {
      if (panels.get(uri)) seeks.set(uri, time);
    },
    dispose: () => subscriptions.dispose(),
  };
}

async function savedComposition(
  server: ExtensionServices['server'],
  uri: string | undefined,
): Promise<CompositionInfo | null> {
  await server.start();
  // Answered only after the workspace has been read.
  await server.request('framework/projects', null);
  return uri === undefined ? null : server.request('framework/composition', { uri });
}

type Panels = {
  all(): PreviewPanel[];
  get(compositionUri: string): PreviewPanel | undefined;
  ofProject(projectUri: string): PreviewPanel[];
  /** The active panel, or the one that was active last. */
  last(): PreviewPanel | undefined;
  /** The panel is removed when it is closed. */
  add(preview: PreviewPanel): void;
};

function createPanels(): Panels {
  const panels = new Map<string, PreviewPanel>();
  let last: PreviewPanel | undefined;
  const updateContext = () => void commands.executeCommand('setContext', 'framework.hasPreview', panels.size > 0);
  return {
    all: () => [...panels.values()],
    get: (compositionUri) => panels.get(compositionUri),
    ofProject: (projectUri) =>
      [...panels.values()].filter((preview) => preview.composition().projectUri === projectUri),
    last: () => last,
    add(preview) {
      const { panel } = preview;
      const { uri } = preview.composition();
      panels.set(uri, preview);
      last = preview;
      updateContext();
      panel.onDidChangeViewState(() => {
        if (panel.active) last = preview;
      });
      panel.onDidDispose(() => {
        panels.delete(uri);
        if (last === preview) last = [...panels.values()].at(-1);
        updateContext();
      });
    },
  };
}

/** Before its page is loaded, a composition has only the problems that the process reports. The page reports all of them. */
function showProcessProblems(
  previews: readonly PreviewPanel[],
  message: FromProcess,
  diagnostics: PreviewDiagnostics,
): void {
  if (message.type !== 'problems') return;
  for (const preview of previews) {
    if (preview.composition().path === message.composition && !preview.state())
      diagnostics.show(preview.composition(), message.problems);
  }
}

function sendCursor(previews: readonly PreviewPanel[], editor: TextEditor | undefined): void {
  if (!editor) return;
  const { document, selection } = editor;
  for (const preview of previews) {
    const file = pathInProject(preview.composition().projectUri, document.uri);
    if (file === undefined) continue;
    preview.post({ framework: 'preview', type: 'select', at: { file, offset: document.offsetAt(selection.active) } });
  }
}

/** Saves a frame as a PNG file. `png`: the bytes of the file. `frame` starts at 0. */
async function saveFrameImage(
  { projectUri, path }: CompositionInfo,
  { png, frame }: { png: Uint8Array; frame: number },
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
