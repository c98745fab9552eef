// The open documents that are batch files, each with its composition: read again when its text or the declarations change.
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { batchKind } from '../renderer-core/plan/batchFile.ts';
import { type BatchFile, type BatchReading, readBatch, readOrphan } from './features/batchFile.ts';
import { batchTarget, isDataFile, looksLikeRows } from './features/batchTarget.ts';
import type { OwnedFile, Projects } from './projects.ts';

/** A batch file and the composition that its rows are for. */
export type OwnedBatch = BatchFile & { target: OwnedFile | undefined };

export type Batches = {
  /** The batch in an open document; undefined for every other document. */
  of(uri: string): OwnedBatch | undefined;
};

/** `version` is the document's, which is edited in place; `basis` is what the rows are held against. */
type Kept = { version: number; basis: string; reading: BatchReading };

export function createBatches(projects: Projects, open: (uri: string) => TextDocument | undefined): Batches {
  const kept = new WeakMap<TextDocument, Kept>();
  const read = (document: TextDocument, basis: string, make: () => BatchReading): BatchReading => {
    const before = kept.get(document);
    if (before && before.version === document.version && before.basis === basis) return before.reading;
    const reading = make();
    kept.set(document, { version: document.version, basis, reading });
    return reading;
  };
  return {
    of(uri) {
      const document = isDataFile(uri) ? open(uri) : undefined;
      if (!document) return undefined;
      const { owner, path, fileAt } = projects.projectOf(uri);
      const found = batchTarget(path, owner.manifest, owner.project.files());
      if (!found) return undefined;
      const { composition } = found;
      const kind = batchKind(path);
      if (!found.isNamed && !looksLikeRows(document.getText(), kind)) return undefined;
      const target = fileAt(composition);
      const declarations = target?.composition.declarations;
      const basis = declarations ? JSON.stringify(declarations) : `no ${composition}`;
      const make = () => {
        const text = document.getText();
        return declarations ? readBatch(text, kind, declarations) : readOrphan(text, kind, composition);
      };
      return { path, document, kind, composition, target, read: () => read(document, basis, make) };
    },
  };
}
