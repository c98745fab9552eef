// A batch file in memory as features are given it, with a `|` where the cursor is.
import { TextDocument } from 'vscode-languageserver-textdocument';
import { batchKind } from '../../renderer-core/plan/batchFile.ts';
import { type BatchFile, readBatch, readOrphan } from '../../server/features/batchFile.ts';
import { batchTarget } from '../../server/features/batchTarget.ts';
import { filesOf } from './markup.ts';
import { sourceFile } from './sourceFile.ts';

/** Files stand behind lines `=== path`; the first is the batch, and the manifest is `framework.json`. */
export function batchWithCursor(source: string): { batch: BatchFile; offset: number } {
  const files = filesOf(source);
  const [[path, marked] = ['', '']] = files;
  const offset = marked.indexOf('|');
  const text = offset < 0 ? marked : marked.slice(0, offset) + marked.slice(offset + 1);
  const compositions = [...files.keys()].filter((name) => name.endsWith('.html'));
  const found = batchTarget(path, files.get('framework.json') ?? null, compositions);
  if (!found) throw new Error(`${path} is no batch`);
  const { composition } = found;
  const target = sourceFile(files, composition);
  const kind = batchKind(path);
  const reading = target ? readBatch(text, kind, target.composition.declarations) : readOrphan(text, kind, composition);
  const document = TextDocument.create(`file:///project/${path}`, kind, 1, text);
  return { batch: { path, document, kind, composition, target, read: () => reading }, offset };
}
