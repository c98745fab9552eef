// Errors that prevent any render of a project. They are reported before a browser starts or files are uploaded.
import { combineErrors, UserError } from '../errors.ts';
import { type GraphProblem, type ProjectGraph, referenceBase, referenceCandidates } from '../model/graph.ts';
import { lineAndColumn } from '../model/text/spans.ts';
import { resolveTimeline } from '../model/timing.ts';
import type { SourceLocation } from '../reports/errorJson.ts';
import { located } from './differencesFromPage.ts';

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

/** Throws UserError with the code and location of the first error, if there are any. The message lists the others. */
export function assertValidProject(graph: ProjectGraph, escapesProject: EscapesProject): void {
  const [first, ...others] = [
    ...graphErrors(graph, escapesProject),
    ...[...graph.files.keys()].flatMap((file) => [...markupErrors(graph, file), ...timingErrors(graph, file)]),
  ];
  if (first) throw combineErrors(first, others);
}

function graphErrors(graph: ProjectGraph, escapesProject: EscapesProject): UserError[] {
  return graph.problems
    .filter(({ severity }) => severity === 'error')
    .map((problem) => {
      const { message, hint } = linkProblem(graph, problem, escapesProject) ?? {
        message: problem.message,
        hint: graphHints[problem.code],
      };
      return new UserError('composition_invalid', message, {
        place: placeOf(graph, problem.file, problem.span.start),
        ...(hint === undefined ? {} : { hint }),
      });
    });
}

function markupErrors(graph: ProjectGraph, file: string): UserError[] {
  const { problems = [], variables } = graph.files.get(file) ?? {};
  const isObject = !variables?.json?.problem && variables?.json?.root?.kind === 'object';
  return problems
    .filter(({ severity }) => severity === 'error')
    .map(
      ({ code, message, span }) =>
        new UserError('composition_invalid', message, {
          place: placeOf(graph, file, span.start),
          ...(code === 'invalid-declarations' && isObject ? { hint: 'framework lint --fix converts it.' } : {}),
        }),
    );
}

/** Numbers that a render ignores or moves into their range, with their locations. */
export function attributeWarnings(graph: ProjectGraph): string[] {
  return [...graph.files].flatMap(([file, { problems, text }]) =>
    problems
      .filter(({ severity, code }) => severity === 'warning' && (code === 'not-a-number' || code === 'out-of-range'))
      .map(({ message, span }) => located(file, text, span.start, message)),
  );
}

/** Starts that cannot be resolved. Unknown durations are not errors here, because the page may determine them. */
function timingErrors(graph: ProjectGraph, file: string): UserError[] {
  const { problems } = resolveTimeline(graph.files.get(file)?.clips ?? []);
  return problems
    .filter(({ severity, code }) => severity === 'error' && code !== 'unprobed-duration')
    .map(
      ({ message, span }) =>
        new UserError('timing_invalid', message, {
          hint: 'Set data-start to seconds, or to the id of a clip in the same file whose duration is known.',
          place: placeOf(graph, file, span.start),
        }),
    );
}

function placeOf(graph: ProjectGraph, file: string, offset: number): Required<SourceLocation> {
  return { file, ...lineAndColumn(graph.files.get(file)?.text ?? '', offset) };
}

/** The message and hint for a path that is a link to a file outside the project folder. */
export const outsideLink = (path: string) => ({
  message: `${path} is a link to a file outside the project folder`,
  hint: 'Copy the file into the project folder.',
});

function linkProblem(graph: ProjectGraph, problem: GraphProblem, escapesProject: EscapesProject) {
  const mount = graph.mounts.find(({ from, host }) => from === problem.file && host.src.span === problem.span);
  const base = referenceBase(problem.file, graph.files.get(problem.file) ?? { base: null }, problem.span.start);
  const link = referenceCandidates(base, mount?.host.src.text ?? '').find(escapesProject);
  return link === undefined ? undefined : outsideLink(link);
}
