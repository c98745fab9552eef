// The edits that insert a block into a composition, for the editor.
import type { TextEdit } from 'vscode-languageserver-types';
import { type BlockRequest, insertBlock } from '../../../renderer-core/blocks/insertBlock.ts';
import type { SourceFile } from '../sourceFile.ts';
import { textEdit } from '../workspaceEdit.ts';

/** `file`: the file to create; null if the project has it already. `start` and `duration` are seconds. */
export type BlockEdits = {
  edits: TextEdit[];
  file: { uri: string; text: string } | null;
  id: string;
  start: number;
  duration: number;
};

/** `problem`: the reason why the block cannot be inserted. */
export function blockEdits(source: SourceFile, request: BlockRequest): BlockEdits | { problem: string } {
  const inserted = insertBlock(source.project, source.path, request);
  if ('problem' in inserted) return inserted;
  const { edits, file, id, start, duration } = inserted;
  return {
    edits: edits.map((edit) => textEdit(source, edit)),
    file: file && { uri: source.uriOf(file.path), text: file.text },
    id,
    start,
    duration,
  };
}
