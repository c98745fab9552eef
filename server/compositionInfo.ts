// CompositionInfo and BatchInfo: compositions and batch files in the form that the client receives.

import { compositionSize } from '../renderer-core/model/compositionSize.ts';
import { isMisfit } from '../renderer-core/model/values.ts';
import type { OwnedBatch } from './batches.ts';
import { documentTitle } from './documentTitle.ts';
import { batchPlaceholders, batchRange } from './features/batch/batchFile.ts';
import type { OwnedFile } from './projects.ts';
import type { BatchInfo, CompositionInfo } from './protocol.ts';

export function compositionInfo({ uri, path, owner, project, composition, document }: OwnedFile): CompositionInfo {
  const { id, duration, fps, declarations, variables } = composition;
  const problem = variables.problem ?? variables.rejected[0];
  const title = documentTitle(composition, path);
  return {
    uri,
    path,
    projectUri: owner.uri,
    id: id?.text ?? null,
    ...compositionSize(path, project),
    duration: duration?.value ?? null,
    fps: fps?.value ?? null,
    variables: declarations,
    ...(title === undefined ? {} : { title }),
    ...(problem && {
      declarationsProblem: { message: problem.message, position: document.positionAt(problem.span.start) },
    }),
  };
}

const misfitsOf = (batch: OwnedBatch): BatchInfo['misfits'] =>
  batch
    .read()
    .problems.flatMap(({ row, span, issue, message }) =>
      row !== null && issue && isMisfit(issue)
        ? [{ row, line: batchRange(batch, span).start.line + 1, id: issue.id, message }]
        : [],
    );

/** `rowIndex`: the row to return. Null if the batch's composition does not exist. */
export function batchInfo(batch: OwnedBatch, rowIndex?: number): BatchInfo | null {
  const { path, target } = batch;
  if (!target) return null;
  const { rows } = batch.read();
  const row = rows.find(({ index }) => index === rowIndex);
  return {
    path,
    composition: compositionInfo(target),
    rows: rows.length,
    hasNames: rows.length > 0 && rows.every(({ variables }) => typeof variables.name === 'string'),
    placeholders: batchPlaceholders(batch),
    misfits: misfitsOf(batch),
    row: row ? { variables: row.variables, range: batchRange(batch, row.span) } : null,
  };
}
