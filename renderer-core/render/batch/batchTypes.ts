// What a batch is asked to do, and what its parts pass to each other.
import type { InvalidRows } from '../../plan/batchRows.ts';
import type { FileRead } from '../../project/fileReads.ts';
import type { OpenProject, PreparedRender, RenderRequest } from '../types.ts';
import type { BatchEvent, BatchWarning } from './batchReport.ts';
import type { FileList } from './manifest.ts';
import type { ManifestRow, RecordedFile } from './manifestFile.ts';

/** A batch as the caller requests it. The options of a render apply to every row. */
export type BatchRequest = Omit<RenderRequest, 'output' | 'resume' | 'onEvent' | 'onPlan'> & {
  /** Path of a JSON, JSONL, CSV or TSV file, or the values themselves. A row's values override `variables`. */
  rows: string | readonly Readonly<Record<string, unknown>>[];
  /** Render only the rows with these indices, from 0. The others stay in the manifest as an earlier run has left them. */
  indices?: readonly number[];
  /** Output with placeholders: `renders/{name}-{index}.mp4`. Default `renders/<composition>-{index}.<ext>`. */
  output?: string;
  /** Number of rows that render at the same time. Default 1. */
  concurrency?: number;
  /** Start no further row after one has failed. */
  failFast?: boolean;
  /** Render each row in every size that the composition declares: the output `a.mp4` becomes `a-16x9.mp4` and `a-9x16.mp4`. */
  allSizes?: boolean;
  /** Skip the rows that an earlier run has completed with the same inputs; with `completed`, whatever their inputs were. */
  resume?: boolean | 'completed';
  /** Rows with values that do not fit: render them with the defaults of these variables (default), skip them, or fail. */
  invalidRows?: InvalidRows;
  onEvent?: (event: BatchEvent) => void;
};

/** A batch that has been read and checked. */
export type PreparedBatch = {
  project: OpenProject;
  /** Absolute path of the batch file; null if the rows were given as values. */
  batch: string | null;
  /** Absolute path. */
  manifest: string;
  /** All rows without errors; with `allSizes` once for each size. */
  rows: ManifestRow[];
  /** Positions in `rows` of the rows that the caller asks for. */
  requested: number[];
  /** Positions in `rows` of the rows to render: those requested that no earlier run has completed. */
  todo: number[];
  /** Why the rows of `todo` are not kept from an earlier run, by position in `rows`; empty without such a run. */
  reasons: ReadonlyMap<number, string>;
  /** The files that the completed rows have read. */
  files: FileList;
  /** Hashes the files that a row has read, including those that are read once for all rows. */
  recordFiles(reads: readonly FileRead[]): Promise<RecordedFile[]>;
  warnings: BatchWarning[];
  /** What was skipped in the batch file. */
  notes: BatchWarning[];
  /** Estimated size of the outputs of `todo`, in bytes. */
  estimatedBytes: number;
  /** Prepares the render of the row at a position in `rows`. */
  prepare(at: number): PreparedRender;
};
