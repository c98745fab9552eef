// The messages between the extension and the table of rows in the render dialog.
import type { CompositionInfo, RowChange, RowTable } from '../../server/protocol.ts';
import type { RowImage } from './imageQueue.ts';

/** A column of the table. Without a declaration, the rows have a value that the composition does not declare. */
export type Column = { id: string; label: string; declaration?: CompositionInfo['variables'][number] };

/** `file`: URI of the data file with the rows; empty for one video. `files`: the data files of the composition. */
export type RowsState = {
  files: readonly { uri: string; path: string }[];
  file: string;
  columns: readonly Column[];
  rows: RowTable['rows'];
  problems: RowTable['problems'];
};

/** What the last batch has done with a row. `isOutdated`: the row has other values now. */
export type RowStatus = {
  status: 'running' | 'completed' | 'failed';
  message: string;
  isOutdated: boolean;
  usedDefaults?: true;
};

/**
 * From the extension to the page. `progress`: of a running batch; empty if none is running. `images`: those that have
 * changed; null for one that will be captured.
 */
export type ToRows =
  | { type: 'rowImages'; images: Readonly<Record<number, RowImage | null>> }
  | { type: 'rows'; state: RowsState }
  | { type: 'rowStatuses'; statuses: Readonly<Record<number, RowStatus>>; progress: string };

/** From the page to the extension. Rows count from 0; `choices`: see `RowChoices`. */
export type FromRows =
  | { type: 'rowsFile'; file: string }
  | { type: 'rowsChange'; change: RowChange }
  | { type: 'rowsVisible'; first: number; last: number }
  | { type: 'rowsChoose'; choices: readonly (readonly [index: number, isChecked: boolean])[] }
  | { type: 'rowsOpenVideo'; row: number }
  | { type: 'rowsOpenFile' };
