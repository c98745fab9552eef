// The lens of a row is shown at the cursor only: one above each row would double the height of a data file.
import { type CodeLens, type Disposable, type Position, type TextDocument, window } from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { debounced } from '../debounced.ts';

/** Moving through rows with an arrow key held down changes the line many times a second. */
const cursorDelayMs = 120;

/** Without the lenses of the rows that the cursor is not in. */
export function lensesAt(lenses: readonly CodeLens[], cursor: Position | undefined): CodeLens[] {
  const isRow = ({ command }: CodeLens) => command?.command === 'framework.renderRow';
  const row = cursor && lenses.filter(isRow).findLast(({ range }) => range.start.line <= cursor.line);
  return lenses.filter((lens) => lens === row || !isRow(lens));
}

export function cursorIn(document: TextDocument): Position | undefined {
  return window.visibleTextEditors.find((editor) => editor.document === document)?.selection.active;
}

/** Asks for the lenses again when the cursor is in another line of a data file. */
export function followCursor(client: BaseLanguageClient): Disposable {
  let shown = '';
  let document: TextDocument | undefined;
  const update = debounced(cursorDelayMs, () => {
    const provider = document && client.getFeature('textDocument/codeLens').getProvider(document);
    provider?.onDidChangeCodeLensEmitter.fire();
  });
  const listening = window.onDidChangeTextEditorSelection(({ textEditor, selections: [first] }) => {
    const { uri, languageId } = textEditor.document;
    const at = `${uri}#${first?.active.line}`;
    if (languageId === 'html' || at === shown) return;
    [shown, document] = [at, textEditor.document];
    update.schedule();
  });
  return {
    dispose() {
      update.dispose();
      listening.dispose();
    },
  };
}
