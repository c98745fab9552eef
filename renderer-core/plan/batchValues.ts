// Checks the values that hosts of the project pass on, and its declarations, for all rows of a batch.
import type { ProjectGraph } from '../model/graph.ts';
import type { CheckedRow } from './batch.ts';
import { hostValueProblems, locatedMessage, rejectedDeclarations, type ValueProblem } from './valueProblems.ts';

/** A problem in a composition. `row` is missing if it is in every row, and not because of the values of the rows. */
export type CompositionProblem = ValueProblem & { row?: number };

export function compositionProblems(
  graph: ProjectGraph,
  rows: readonly Pick<CheckedRow, 'index' | 'variables'>[],
): CompositionProblem[] {
  const found = new Map<string, { problem: ValueProblem; rows: number[] }>();
  for (const { index, variables } of rows) {
    for (const problem of hostValueProblems(graph, variables)) {
      const known = found.get(locatedMessage(problem));
      if (known) known.rows.push(index);
      else found.set(locatedMessage(problem), { problem, rows: [index] });
    }
  }
  const own = new Set(hostValueProblems(graph, {}).map(locatedMessage));
  const ofHosts = [...found.values()].flatMap(({ problem, rows: having }): CompositionProblem[] =>
    having.length === rows.length && own.has(locatedMessage(problem))
      ? [problem]
      : having.map((row) => ({ ...problem, row })),
  );
  const ofDeclarations = rejectedDeclarations(graph).map(({ message, place }) => ({ message, place }));
  return [...ofDeclarations, ...ofHosts];
}
