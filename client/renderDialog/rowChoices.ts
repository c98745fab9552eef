// Which rows of the table are rendered.
import type { TableRow } from '../../server/protocol.ts';

/** The check marks that differ from the default, by the index of the row. An invalid row has none until the user decides. */
export type RowChoices = ReadonlyMap<number, boolean>;

export const isChosen = ({ index, isInvalid }: Pick<TableRow, 'index' | 'isInvalid'>, choices: RowChoices): boolean =>
  choices.get(index) ?? !isInvalid;

/** The choices after the given rows were checked or unchecked. */
export function withChoice(choices: RowChoices, rows: readonly TableRow[], isChecked: boolean): RowChoices {
  const changed = new Map(choices);
  for (const { index, isInvalid } of rows) {
    if (isChecked === !isInvalid) changed.delete(index);
    else changed.set(index, isChecked);
  }
  return changed;
}

/** The choices after rows have moved; `to` returns undefined for a removed row. */
export const movedChoices = (choices: RowChoices, to: (index: number) => number | undefined): RowChoices =>
  new Map(
    [...choices].flatMap(([index, isChecked]) => {
      const moved = to(index);
      return moved === undefined ? [] : [[moved, isChecked] as const];
    }),
  );
