// A BatchFile in memory, with the cursor as `|`.
import { TextDocument } from 'vscode-languageserver-textdocument';
import { batchKind } from '../../../renderer-core/plan/batchFile.ts';
import { type BatchFile, readBatch, readBatchWithoutComposition } from '../../../server/features/batch/batchFile.ts';
import { batchTarget } from '../../../server/features/batch/batchTarget.ts';
import { filesOf } from './markup.ts';
import { sourceFile } from './sourceFile.ts';

/** Files follow lines `=== path`. The first one is the batch; the manifest is `framework.json`. */
export function batchWithCursor(source: string): { batch: BatchFile; offset: number } {
  const files = filesOf(source);
  const [[path, marked] = ['', '']] = files;
  const offset = marked.indexOf('|');
  const text = offset < 0 ? marked : marked.slice(0, offset) + marked.slice(offset + 1);
  const compositions = [...files.keys()].filter((name) => name.endsWith('.html'));
  const found = batchTarget(path, files.get('framework.json') ?? null, compositions);
  if (!found) throw new Error(`${path} is not a batch file`);
  const { composition } = found;
  const target = sourceFile(files, composition);
  const kind = batchKind(path);
  const reading = target
    ? readBatch(text, kind, target.composition)
    : readBatchWithoutComposition(text, kind, composition);
  const document = TextDocument.create(`file:///project/${path}`, kind, 1, text);
  return { batch: { path, document, kind, composition, target, read: () => reading }, offset };
}
