// Reads --rows: the rows of a batch to use.
import { UserError } from '../../renderer-core/errors.ts';

/** The indices of the rows in a list: `1,3-5` as [0, 2, 3, 4]. Throws UserError `usage`. Ranges of longer numbers would not fit into memory. */
export function parseRows(text: string): number[] {
  const indices = text.split(',').flatMap((part) => {
    const [, first, last = first] = /^\s*(\d{1,7})(?:\s*-\s*(\d{1,7}))?\s*$/.exec(part) ?? [];
    const [from, to] = [Number(first), Number(last)];
    if (!(from >= 1 && from <= to)) {
      throw new UserError('usage', `rows must be a list of rows and ranges, such as 1,3-5 (got "${text}")`, {
        hint: 'Rows are counted from 1, as in messages. Only {index} counts from 0.',
      });
    }
    return Array.from({ length: to - from + 1 }, (_, at) => from - 1 + at);
  });
  return [...new Set(indices)];
}
