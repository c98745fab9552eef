// Finds the batch files among the open documents and the composition that each belongs to. The rows are read again when
// the text or the composition's declarations change.
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Composition } from '../../renderer-core/model/composition.ts';
import { invalidIds } from '../../renderer-core/model/variables/readDeclarations.ts';
import { batchKind } from '../../renderer-core/plan/batchFile.ts';
import {
  type BatchFile,
  type BatchReading,
  readBatch,
  readBatchWithoutComposition,
} from '../features/batch/batchFile.ts';
import { batchTarget, isDataFile, looksLikeRows } from '../features/batch/batchTarget.ts';
import type { OwnedFile, Projects } from './projects.ts';

/** A batch file and the composition that its rows are for. */
export type OwnedBatch = BatchFile & { target: OwnedFile | undefined };

export type Batches = {
  /** The batch in an open document; undefined for any other document. */
  of(uri: string): OwnedBatch | undefined;
};

/** `version`: of the document, which is edited in place. `basis`: the declarations that the rows were checked against. */
type CachedReading = { version: number; basis: string; reading: BatchReading };

export function createBatches(projects: Projects, open: (uri: string) => TextDocument | undefined): Batches {
  const kept = new WeakMap<TextDocument, CachedReading>();
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
      if (!found.isInManifest && !looksLikeRows(document.getText(), kind)) return undefined;
      const target = fileAt(composition);
      const basis = target ? basisOf(target.composition) : `no ${composition}`;
      const make = () => {
        const text = document.getText();
        return target
          ? readBatch(text, kind, target.composition)
          : readBatchWithoutComposition(text, kind, composition);
      };
      return { path, document, kind, composition, target, read: () => read(document, basis, make) };
    },
  };
}

/** Everything that the problems of a batch depend on. */
const basisOf = ({ declarations, variables }: Composition): string =>
  JSON.stringify([declarations, invalidIds(variables)]);
