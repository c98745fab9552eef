// A batch file as the client is told of it.
import type { OwnedBatch } from './batches.ts';
import { compositionInfo } from './compositionInfo.ts';
import { batchRange } from './features/batchFile.ts';
import type { BatchInfo } from './protocol.ts';

/** Null where its composition is not there. */
export function batchInfo(batch: OwnedBatch, asked?: number): BatchInfo | null {
  const { path, target } = batch;
  if (!target) return null;
  const { rows } = batch.read();
  const row = rows.find(({ index }) => index === asked);
  return {
    path,
    composition: compositionInfo(target),
    rows: rows.length,
    hasNames: rows.length > 0 && rows.every(({ variables }) => typeof variables.name === 'string'),
    row: row ? { variables: row.variables, range: batchRange(batch, row.span) } : null,
  };
}
