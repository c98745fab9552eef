// What makes a project unfit for any render, here or elsewhere: told before anything is started or sent.
import { UserError } from '../errors.ts';
import { type GraphProblem, type ProjectGraph, referenceCandidates } from '../model/graph.ts';
import { lineAndColumn } from '../model/spans.ts';
import { resolveTimeline } from '../model/timing.ts';
import type { ValueIssue } from '../model/values.ts';

const faultHints: Record<string, string> = {
  missing: 'Correct the path in data-composition-src, or add the file.',
  empty: 'Put a composition into the file: an element with data-composition-id.',
  circular: 'A composition cannot embed itself; take one of the mounts out.',
  outside: 'Embed files of the project folder only.',
  'no-composition': 'Add data-composition-id to the outermost element of the composition.',
};

/** Whether there is a file at a path, but only behind a link that leads out of the project folder. */
export type LeadsOut = (path: string) => boolean;

/**
 * Faults of the embedding, and of what would be read wrongly: the first one, by file and line. Throws UserError
 * `composition_invalid` or `timing_invalid`.
 */
export function refuseFaults(graph: ProjectGraph, leadsOut: LeadsOut): void {
  const [fault] = graph.problems.filter(({ severity }) => severity === 'error');
  if (fault) {
    const { message, hint } = linkFault(graph, fault, leadsOut) ?? {
      message: fault.message,
      hint: faultHints[fault.code],
    };
    throw faultError(graph, fault.file, fault.span.start, message, hint);
  }
  for (const [file, composition] of graph.files) {
    const [problem] = composition.problems.filter(
      ({ severity, code }) => severity === 'error' && code !== 'invalid-declarations',
    );
    if (problem) throw faultError(graph, file, problem.span.start, problem.message);
    refuseTiming(graph, file);
  }
}

/** What `--strict-variables` makes of values that do not fit their declarations. Throws UserError `variables_invalid`. */
export function refuseIssues(issues: readonly ValueIssue[]): void {
  if (issues.length === 0) return;
  throw new UserError('variables_invalid', issues.map(({ message }) => message).join('\n'), {
    hint: 'Correct the values, or leave out --strict-variables to render with a warning.',
  });
}

/** A file that is missing only because a link leads out of the project folder to it. */
function linkFault(graph: ProjectGraph, fault: GraphProblem, leadsOut: LeadsOut) {
  const mount = graph.mounts.find(({ from, host }) => from === fault.file && host.src.span === fault.span);
  const link = referenceCandidates(fault.file, mount?.host.src.text ?? '').find(leadsOut);
  if (link === undefined) return undefined;
  return {
    message: `${link} is a link that leads out of the project folder`,
    hint: 'Copy the file into the project folder: nothing outside it is used.',
  };
}

/** Starts that cannot be resolved. Lengths that only the page or a file tells are left to the page. */
function refuseTiming(graph: ProjectGraph, file: string): void {
  const composition = graph.files.get(file);
  const { problems } = resolveTimeline(composition?.clips ?? []);
  const problem = problems.find(({ severity, code }) => severity === 'error' && code !== 'unprobed-duration');
  if (!problem) return;
  throw new UserError('timing_invalid', problem.message, {
    place: { file, ...lineAndColumn(composition?.text ?? '', problem.span.start) },
    hint: 'Correct data-start: seconds, or the id of a clip in the same file whose length is known.',
  });
}

function faultError(graph: ProjectGraph, file: string, offset: number, message: string, hint?: string): UserError {
  const text = graph.files.get(file)?.text ?? '';
  return new UserError('composition_invalid', message, {
    place: { file, ...lineAndColumn(text, offset) },
    ...(hint ? { hint } : {}),
  });
}
