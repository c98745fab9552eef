// The edits of one composition that its preview undoes: those that are made in the preview, and values from the form.
import type { Values } from '../compositions/draftValues.ts';

/** `file`: its URI; `before` and `after` are its whole text. */
export type FileStep = { label: string; file: string; before: string; after: string };

/** A change of draft values. `at`: milliseconds. */
export type ValuesStep = { label: string; before: Values; after: Values; at: number };

export type Step = FileStep | ValuesStep;

export type EditHistory = {
  add(step: Step): void;
  /** The step that the next undo or redo is about. */
  next(redo: boolean): Step | undefined;
  /** The next step has been undone or redone. */
  move(redo: boolean): void;
  /** Forgets the next step: its file has another text. */
  forget(redo: boolean): void;
};

/** Older steps are forgotten. */
const maxSteps = 100;
/** Dragging a slider and typing change a value many times; changes of it within this time, in milliseconds, are one step. */
const mergeMs = 1000;

export function createEditHistory(): EditHistory {
  const done: Step[] = [];
  let undone: Step[] = [];
  const listOf = (redo: boolean) => (redo ? undone : done);
  return {
    add(step) {
      const last = done.at(-1);
      const isMerged = last && isValues(last) && isValues(step) && undone.length === 0 && belongs(step, last);
      if (isMerged) done.pop();
      done.push(isMerged ? { ...step, before: last.before } : step);
      done.splice(0, done.length - maxSteps);
      undone = [];
    },
    next: (redo) => listOf(redo).at(-1),
    move(redo) {
      const step = listOf(redo).pop();
      if (step) listOf(!redo).push(step);
    },
    forget: (redo) => void listOf(redo).pop(),
  };
}

export const isValues = (step: Step): step is ValuesStep => 'at' in step;

const belongs = (step: ValuesStep, { label, at }: ValuesStep): boolean =>
  step.label === label && step.at - at < mergeMs;

/** The ids whose values differ. */
export function changedIds(before: Values, after: Values): string[] {
  const ids = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...ids].filter((id) => JSON.stringify(before[id]) !== JSON.stringify(after[id]));
}
