// Inserts a block of the catalog at the time of the preview: the user chooses one, and the language server computes the edits.
import {
  l10n,
  Range,
  Selection,
  TextEditorRevealType,
  Uri,
  ViewColumn,
  WorkspaceEdit,
  window,
  workspace,
} from 'vscode';
import { type Block, type BlockIndex, blockIndexFile } from '../../renderer-core/blocks/blockIndex.ts';
import type { CompositionInfo, ServerRequests } from '../../server/protocol.ts';
import { askedComposition, noCompositionMessage } from '../compositions/commandArgument.ts';
import type { ExtensionServices } from '../extensionServices.ts';
import { resultOrMessage } from '../language/serverResult.ts';
import type { PreviewPanel } from '../preview/previewPanel.ts';
import type { Previews } from '../preview/previews.ts';
import { exists } from '../storedFiles.ts';
import { chooseFromGallery } from './galleryPanel.ts';

type Insertion = Exclude<ServerRequests['framework/insertBlock']['result'], { problem: string } | null>;

/** `given`: a file or a tree item; otherwise the active composition is changed. */
export async function chooseAndInsert(services: ExtensionServices, previews: Previews, given: unknown): Promise<void> {
  const { server, log, context } = services;
  const composition = await askedComposition(given, services);
  if (!composition) return;
  const at = playhead(previews.find(composition.uri));
  const folder = Uri.joinPath(context.extensionUri, 'blocks');
  const { blocks } = await readJson<BlockIndex>(Uri.joinPath(folder, blockIndexFile));
  const block = await chooseFromGallery(context.extensionUri, {
    viewType: 'framework.blocks',
    items: blocks,
    images: folder,
    strings: {
      title: l10n.t('Insert Block'),
      target: l10n.t('{0}, at {1} s', composition.path, at),
      search: l10n.t('Search blocks'),
      none: l10n.t('No blocks found.'),
    },
  });
  if (!block) return;
  const text = await readText(Uri.joinPath(folder, `${block.name}.html`));
  const { uri } = composition;
  const result = await resultOrMessage(server.request('framework/insertBlock', { uri, block, text, at }), log);
  if (result === undefined) return;
  if (result === null || 'problem' in result) {
    void window.showWarningMessage(result === null ? noCompositionMessage(uri) : result.problem);
    return;
  }
  if (!(await apply(composition, result))) {
    void window.showErrorMessage(l10n.t('The block could not be inserted: the files have changed. Try again.'));
    return;
  }
  previews.seekAfterEdit(uri, shownTime(block, result));
  await reveal(composition, result, previews.find(uri));
}

/** Seconds. A preview at its last frame has ended, so the block comes after it. Without a preview, it comes at the start. */
function playhead(preview: PreviewPanel | undefined): number {
  const state = preview?.state();
  if (!state) return 0;
  const { time, frame, frames, duration } = state;
  return Math.round((frame > 0 && frame >= frames - 1 ? duration : time) * 1000) / 1000;
}

/** The time at which the block shows what it is, in seconds. */
const shownTime = ({ posterTime }: Block, { start, duration }: Insertion): number =>
  start + Math.min(posterTime, duration / 2);

/** One edit, so that one undo removes the element and the file. */
async function apply({ uri }: CompositionInfo, { version, edits, file }: Insertion): Promise<boolean> {
  const document = await workspace.openTextDocument(Uri.parse(uri));
  if (document.version !== version) return false;
  const edit = new WorkspaceEdit();
  if (file) {
    const created = Uri.parse(file.uri);
    edit.createFile(created, { contents: new TextEncoder().encode(file.text) });
    if (!(await exists(Uri.joinPath(created, '..')))) removeFolderAfter(created);
  }
  for (const { range, newText } of edits) {
    const { start, end } = range;
    edit.replace(document.uri, new Range(start.line, start.character, end.line, end.character), newText);
  }
  return workspace.applyEdit(edit);
}

/** Undoing the edit deletes the file, but not the folder that VS Code has created for it. */
function removeFolderAfter(created: Uri): void {
  const folder = Uri.joinPath(created, '..');
  const following = workspace.onDidDeleteFiles(async ({ files }) => {
    if (!files.some((uri) => uri.toString() === created.toString())) return;
    following.dispose();
    const isEmpty = (await workspace.fs.readDirectory(folder)).length === 0;
    if (isEmpty) await workspace.fs.delete(folder);
  });
}

/** Shows the inserted element in the text, next to the preview. The preview outlines the element at the cursor. */
async function reveal({ uri }: CompositionInfo, { id }: Insertion, preview: PreviewPanel | undefined): Promise<void> {
  const document = await workspace.openTextDocument(Uri.parse(uri));
  const shown = window.visibleTextEditors.find((editor) => editor.document === document);
  const other = preview?.panel.viewColumn === ViewColumn.One ? ViewColumn.Beside : ViewColumn.One;
  const editor = await window.showTextDocument(document, { viewColumn: shown?.viewColumn ?? other, preview: false });
  const text = document.getText();
  const attribute = text.indexOf(`id="${id}"`);
  const start = document.positionAt(text.lastIndexOf('<', attribute));
  editor.selection = new Selection(start, start);
  editor.revealRange(new Range(start, document.positionAt(attribute)), TextEditorRevealType.InCenterIfOutsideViewport);
}

const readText = async (uri: Uri): Promise<string> => new TextDecoder().decode(await workspace.fs.readFile(uri));
const readJson = async <Value>(uri: Uri): Promise<Value> => JSON.parse(await readText(uri));
