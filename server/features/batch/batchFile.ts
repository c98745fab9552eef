// BatchFile: the rows of a batch file, their composition and their problems.
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Range } from 'vscode-languageserver-types';
import type { Composition } from '../../../renderer-core/model/composition.ts';
import type { Span } from '../../../renderer-core/model/text/spans.ts';
import { invalidIds } from '../../../renderer-core/model/variables/readDeclarations.ts';
import { checkBatchRows, placeholderKeys } from '../../../renderer-core/plan/batch.ts';
import {
  type BatchKind,
  type BatchProblem,
  type BatchRow,
  readBatchRows,
} from '../../../renderer-core/plan/batchFile.ts';
import type { SourceFile } from '../sourceFile.ts';

export type BatchFile = {
  /** Project-relative, POSIX. */
  path: string;
  document: TextDocument;
  kind: BatchKind;
  /** Project-relative path of the composition that the rows are for. */
  composition: string;
  /** The composition; undefined if it does not exist. */
  target: SourceFile | undefined;
  /** Rows and problems: the same object while neither the text nor the declarations change. */
  read(): BatchReading;
};

export type BatchReading = { rows: readonly BatchRow[]; problems: readonly BatchProblem[] };

/** Reads and checks rows as the command line does. The names of the outputs are unknown here, so `{index}` is used. */
export function readBatch(text: string, kind: BatchKind, { declarations, variables }: Composition): BatchReading {
  const batch = readBatchRows(text, kind, declarations);
  const { problems } = checkBatchRows(batch, declarations, '{index}.mp4', { invalid: invalidIds(variables) });
  return { rows: batch.rows, problems };
}

/** Reads the rows of a batch whose composition does not exist, so that their values cannot be checked. */
export function readBatchWithoutComposition(text: string, kind: BatchKind, composition: string): BatchReading {
  const { rows, problems } = readBatchRows(text, kind);
  const message = `framework.json assigns this batch file to ${composition}, which is not a composition of the project`;
  const span = { start: 0, end: Math.max(0, text.search(/[\r\n]|$/)) };
  return { rows, problems: [{ code: 'file', severity: 'error', row: null, path: [], span, message }, ...problems] };
}

/** What the output may contain in braces: `index`, and the keys that have a value in every row. */
export function batchPlaceholders({ read, target }: BatchFile): string[] {
  return ['index', ...placeholderKeys(read().rows, target?.composition.declarations ?? [])];
}

export function batchRange({ document }: BatchFile, span: Span): Range {
  return { start: document.positionAt(span.start), end: document.positionAt(span.end) };
}
