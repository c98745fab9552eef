// Checks every value that a render passes to a composition, from the command line or from a host, and every declaration.
import { UserError } from '../errors.ts';
import type { Composition } from '../model/composition.ts';
import type { ProjectGraph } from '../model/graph.ts';
import type { Host, InstanceValue } from '../model/instances.ts';
import { instanceValues, unresolvedMessage } from '../model/passedValues.ts';
import { projectInstances } from '../model/projectInstances.ts';
import { invalidIds } from '../model/readDeclarations.ts';
import { lineAndColumn, type Span } from '../model/spans.ts';
import type { ValueIssue } from '../model/valueIssue.ts';
import { checkValues, inFile } from '../model/values.ts';
import type { ErrorProblem, SourceLocation } from '../reports/errorJson.ts';

/** A warning, or an error with strict checking. `issue` is set for a value that does not match its declaration. */
export type ValueProblem = { message: string; place: Required<SourceLocation>; issue?: ValueIssue };

type Values = Readonly<Record<string, unknown>>;

/** All problems of a render of the graph's entry with the given values. */
export function findValueProblems(graph: ProjectGraph, given: Values): ValueProblem[] {
  return [...rejectedDeclarations(graph), ...givenValueProblems(graph, given), ...hostValueProblems(graph, given)];
}

/** The declarations that no file of the project can use. */
export function rejectedDeclarations({ files }: ProjectGraph): ValueProblem[] {
  return [...files].flatMap(([file, composition]) =>
    composition.variables.rejected.map(({ message, span }) => ({
      message: `Invalid declaration: ${message}`,
      place: placeOf(file, composition, span),
    })),
  );
}

/** `checkValues` for a composition. */
export const checkValuesOf = ({ declarations, variables }: Composition, values: Values): ValueIssue[] =>
  checkValues(declarations, values, invalidIds(variables));

/** The values for the top level. They have no location of their own, so it is that of the declaration. */
function givenValueProblems({ files, entry }: ProjectGraph, given: Values): ValueProblem[] {
  const composition = files.get(entry);
  if (!composition) return [];
  const { variables, root } = composition;
  return checkValuesOf(composition, given).map((issue) => {
    const declared = variables.declared.find(({ declaration: { id } }) => id === issue.id);
    const span = declared?.idSpan ?? variables.span ?? root?.startTag ?? { start: 0, end: 0 };
    return { message: issue.message, place: placeOf(entry, composition, span), issue };
  });
}

/** The values that hosts pass on, at every level, when the top level has the given values. */
export function hostValueProblems(graph: ProjectGraph, given: Values): ValueProblem[] {
  const found = new Map<string, ValueProblem>();
  const targets = new Map(graph.mounts.map(({ host, target }) => [host, target]));
  for (const { file, composition, values } of projectInstances(graph, given)) {
    for (const host of composition.hosts) {
      const target = targets.get(host);
      const embedded = target ? graph.files.get(target) : undefined;
      if (!target || !embedded) continue;
      for (const { message, span, issue } of checkHost(host, embedded, values)) {
        const place = placeOf(file, composition, span);
        const problem = { message: inFile(message, target), place, ...(issue ? { issue } : {}) };
        found.set(`${file} ${span.start} ${message}`, problem);
      }
    }
  }
  return [...found.values()];
}

type HostProblem = { message: string; span: Span; issue?: ValueIssue };

function checkHost({ values, src }: Host, embedded: Composition, embedding: Values): HostProblem[] {
  const entries = new Map((values?.entries ?? []).map((entry) => [entry.id, entry]));
  const given = values?.values ?? {};
  const instance = instanceValues(embedded.declarations, given, embedding);
  const problems: HostProblem[] = instance.unresolved.map((one) => ({
    message: unresolvedMessage(one),
    span: entries.get(one.id)?.valueSpan ?? src.span,
  }));
  for (const issue of checkValuesOf(embedded, instance.passed)) {
    problems.push({ message: issue.message, span: spanOf(issue, entries.get(issue.id)) ?? src.span, issue });
  }
  return problems;
}

const spanOf = ({ kind }: ValueIssue, entry: InstanceValue | undefined): Span | undefined =>
  kind === 'undeclared' ? entry?.keySpan : entry?.valueSpan;

const placeOf = (file: string, { text }: Composition, { start }: Span): Required<SourceLocation> => ({
  file,
  ...lineAndColumn(text, start),
});

/** `index.html:3:12: message` */
export const locatedMessage = ({ message, place }: ValueProblem): string =>
  `${place.file}:${place.line}:${place.column}: ${message}`;

/** For `--strict-variables`: throws UserError `variables_invalid` if there are problems. */
export function assertNoValueProblems(problems: readonly ValueProblem[]): void {
  const [first, ...others] = problems;
  if (!first) return;
  const listed = problems.map(({ message, place }): ErrorProblem => ({ message, place }));
  throw new UserError('variables_invalid', [first.message, ...others.map(locatedMessage)].join('\n'), {
    place: first.place,
    hint: 'Fix the values, or leave out --strict-variables to render with a warning.',
    ...(others.length === 0 ? {} : { problems: listed }),
  });
}
