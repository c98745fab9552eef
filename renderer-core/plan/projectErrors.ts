// Errors that prevent any render of a project. They are reported before a browser starts or files are uploaded.
import { UserError } from '../errors.ts';
import { type GraphProblem, type ProjectGraph, referenceCandidates } from '../model/graph.ts';
import { lineAndColumn } from '../model/spans.ts';
import { resolveTimeline } from '../model/timing.ts';
import type { SourceLocation } from '../reports/errorJson.ts';

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

type ProjectError = {
  code: 'composition_invalid' | 'timing_invalid';
  message: string;
  hint: string | undefined;
  place: Required<SourceLocation>;
};

/** More errors than this do not help; `framework lint` lists all of them. */
const maxListed = 20;

/** Throws UserError with the code and location of the first error, if there are any. The message lists the others. */
export function assertValidProject(graph: ProjectGraph, escapesProject: EscapesProject): void {
  const errors = [
    ...graphErrors(graph, escapesProject),
    ...[...graph.files.keys()].flatMap((file) => [...markupErrors(graph, file), ...timingErrors(graph, file)]),
  ];
  const [first, ...others] = errors;
  if (!first) return;
  const lines = others
    .slice(0, maxListed - 1)
    .map(({ message, place }) => `${place.file}:${place.line}:${place.column}: ${message}`);
  const omitted = others.length - lines.length;
  if (omitted > 0) lines.push(`${omitted} more; framework lint lists all of them.`);
  throw new UserError(first.code, [first.message, ...lines].join('\n'), {
    place: first.place,
    ...(first.hint === undefined ? {} : { hint: first.hint }),
    ...(others.length === 0 ? {} : { problems: errors.map(({ message, place }) => ({ message, place })) }),
  });
}

function graphErrors(graph: ProjectGraph, escapesProject: EscapesProject): ProjectError[] {
  return graph.problems
    .filter(({ severity }) => severity === 'error')
    .map((problem) => {
      const { message, hint } = linkProblem(graph, problem, escapesProject) ?? {
        message: problem.message,
        hint: graphHints[problem.code],
      };
      return { code: 'composition_invalid', message, hint, place: placeOf(graph, problem.file, problem.span.start) };
    });
}

function markupErrors(graph: ProjectGraph, file: string): ProjectError[] {
  const problems = graph.files.get(file)?.problems ?? [];
  return problems
    .filter(({ severity }) => severity === 'error')
    .map(({ message, span }) => ({
      code: 'composition_invalid',
      message,
      hint: undefined,
      place: placeOf(graph, file, span.start),
    }));
}

/** Starts that cannot be resolved. Unknown durations are not errors here, because the page may determine them. */
function timingErrors(graph: ProjectGraph, file: string): ProjectError[] {
  const { problems } = resolveTimeline(graph.files.get(file)?.clips ?? []);
  return problems
    .filter(({ severity, code }) => severity === 'error' && code !== 'unprobed-duration')
    .map(({ message, span }) => ({
      code: 'timing_invalid',
      message,
      hint: 'Set data-start to seconds, or to the id of a clip in the same file whose duration is known.',
      place: placeOf(graph, file, span.start),
    }));
}

function placeOf(graph: ProjectGraph, file: string, offset: number): Required<SourceLocation> {
  return { file, ...lineAndColumn(graph.files.get(file)?.text ?? '', offset) };
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
