// Errors that prevent any render of a project. They are reported before a browser starts or files are uploaded.
import { UserError } from '../errors.ts';
import { type GraphProblem, type ProjectGraph, referenceCandidates } from '../model/graph.ts';
import { lineAndColumn } from '../model/spans.ts';
import { resolveTimeline } from '../model/timing.ts';
import type { ValueIssue } from '../model/valueIssue.ts';

const graphHints: Record<string, string> = {
  missing: 'Correct the path in data-composition-src, or add the file.',
  empty: 'Add an element with data-composition-id to the file.',
  circular: 'A composition cannot embed itself; remove one of the data-composition-src attributes.',
  outside: 'Move the file into the project folder.',
  'module-script': 'Remove type="module", and bundle what the script imports into a classic script.',
  'no-composition': 'Add data-composition-id to the outermost element of the composition.',
};

/** Whether a path is a symbolic link to a file outside the project folder. */
export type EscapesProject = (path: string) => boolean;

/**
 * Throws UserError `composition_invalid` or `timing_invalid` for the first error, by file and line.
 */
export function assertValidProject(graph: ProjectGraph, escapesProject: EscapesProject): void {
  const [graphProblem] = graph.problems.filter(({ severity }) => severity === 'error');
  if (graphProblem) {
    const { message, hint } = linkProblem(graph, graphProblem, escapesProject) ?? {
      message: graphProblem.message,
      hint: graphHints[graphProblem.code],
    };
    throw compositionError(graph, graphProblem.file, graphProblem.span.start, message, hint);
  }
  for (const [file, composition] of graph.files) {
    const [problem] = composition.problems.filter(
      ({ severity, code }) => severity === 'error' && code !== 'invalid-declarations',
    );
    if (problem) throw compositionError(graph, file, problem.span.start, problem.message);
    assertTiming(graph, file);
  }
}

/** For `--strict-variables`: throws UserError `variables_invalid` if there are issues. */
export function assertValuesFit(issues: readonly ValueIssue[]): void {
  if (issues.length === 0) return;
  throw new UserError('variables_invalid', issues.map(({ message }) => message).join('\n'), {
    hint: 'Fix the values, or leave out --strict-variables to render with a warning.',
  });
}

/** The message and hint for a link to a file outside the project folder. */
function linkProblem(graph: ProjectGraph, problem: GraphProblem, escapesProject: EscapesProject) {
  const mount = graph.mounts.find(({ from, host }) => from === problem.file && host.src.span === problem.span);
  const link = referenceCandidates(problem.file, mount?.host.src.text ?? '').find(escapesProject);
  if (link === undefined) return undefined;
  return {
    message: `${link} is a link to a file outside the project folder`,
    hint: 'Copy the file into the project folder.',
  };
}

/** Throws for starts that cannot be resolved. Unknown durations are not errors here, because the page may determine them. */
function assertTiming(graph: ProjectGraph, file: string): void {
  const composition = graph.files.get(file);
  const { problems } = resolveTimeline(composition?.clips ?? []);
  const problem = problems.find(({ severity, code }) => severity === 'error' && code !== 'unprobed-duration');
  if (!problem) return;
  throw new UserError('timing_invalid', problem.message, {
    place: { file, ...lineAndColumn(composition?.text ?? '', problem.span.start) },
    hint: 'Set data-start to seconds, or to the id of a clip in the same file whose duration is known.',
  });
}

function compositionError(
  graph: ProjectGraph,
  file: string,
  offset: number,
  message: string,
  hint?: string,
): UserError {
  const text = graph.files.get(file)?.text ?? '';
  return new UserError('composition_invalid', message, {
    place: { file, ...lineAndColumn(text, offset) },
    ...(hint ? { hint } : {}),
  });
}
