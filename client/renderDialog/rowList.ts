// The value of the option --rows.
import { rangesText, rowNumber } from '../../renderer-core/plan/numberRanges.ts';

/** The rows with the indices `[0, 2, 3, 4]` as `1,3-5`. */
export const rowList = (indices: readonly number[]): string => rangesText(indices.map(rowNumber), ',');

/** Whether a list has a row with an index; without a list, all rows are in it. */
export const isIn =
  (list: string | undefined) =>
  (index: number): boolean =>
    list === undefined ||
    list.split(',').some((range) => {
      const [first = 0, last = first] = range.split('-').map(Number);
      return first <= rowNumber(index) && rowNumber(index) <= last;
    });
