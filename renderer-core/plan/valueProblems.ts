// Checks every value that a render passes to a composition, from the command line or from a host, and every declaration.
import { UserError } from '../errors.ts';
import type { Composition } from '../model/composition.ts';
import type { ProjectGraph } from '../model/graph.ts';
import type { Host, InstanceValue } from '../model/instances.ts';
import { projectInstances } from '../model/projectInstances.ts';
import { type JsonMember, jsonMember, readJson } from '../model/text/jsonText.ts';
import { lineAndColumn, type Span } from '../model/text/spans.ts';
import { instanceValues, unresolvedMessage } from '../model/variables/passedValues.ts';
import { invalidIds } from '../model/variables/readDeclarations.ts';
import type { ValueIssue } from '../model/variables/valueIssue.ts';
import { checkValues, inFile } from '../model/variables/values.ts';
import type { ErrorProblem, SourceLocation } from '../reports/errorJson.ts';

/**
 * A warning, or an error with strict checking. `issue` is set for a value that does not match its declaration.
 * `isUnresolved`: a reference to a variable without a value, which is never an error.
 */
export type ValueProblem = {
  message: string;
  place: Required<SourceLocation>;
  issue?: ValueIssue;
  isUnresolved?: true;
};

type Values = Readonly<Record<string, unknown>>;

/** The JSON that values were read from. `file` names it in messages. */
export type ValuesSource = { file: string; text: string };

/** All problems of a render of the graph's entry with the given values. */
export function findValueProblems(graph: ProjectGraph, given: Values, source?: ValuesSource): ValueProblem[] {
  return [
    ...rejectedDeclarations(graph),
    ...givenValueProblems(graph, given, source),
    ...hostValueProblems(graph, given),
  ];
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

/** The values for the top level. */
function givenValueProblems(graph: ProjectGraph, given: Values, source: ValuesSource | undefined): ValueProblem[] {
  const composition = graph.files.get(graph.entry);
  if (!composition) return [];
  return checkValuesOf(composition, given).map((issue) => ({ ...locateGiven(graph, issue, source), issue }));
}

/** A problem of a value for the top level. Without a source, its location is that of the declaration. */
export function locateGiven(
  { files, entry }: ProjectGraph,
  { kind, id, message }: Pick<ValueIssue, 'kind' | 'id' | 'message'>,
  source: ValuesSource | undefined,
): Pick<ValueProblem, 'message' | 'place'> {
  const given = source && memberOf(source, id);
  if (given) {
    const { start } = (kind === 'undeclared' ? undefined : given.value?.span) ?? given.keySpan;
    return { message: inFile(message, entry), place: { file: source.file, ...lineAndColumn(source.text, start) } };
  }
  const composition = files.get(entry);
  if (!composition) return { message, place: { file: entry, line: 1, column: 1 } };
  const { variables, root } = composition;
  const declared = variables.declared.find(({ declaration }) => declaration.id === id);
  const span = declared?.idSpan ?? variables.span ?? root?.startTag ?? { start: 0, end: 0 };
  return { message, place: placeOf(entry, composition, span) };
}

function memberOf({ text }: ValuesSource, id: string): JsonMember | undefined {
  const { root } = readJson({ text, span: { start: 0, end: text.length }, quote: "'", steps: [0, 0] });
  return root && jsonMember(root, id);
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
      for (const { message, span, ...kind } of checkHost(host, embedded, values)) {
        const place = placeOf(file, composition, span);
        found.set(`${file} ${span.start} ${message}`, { message: inFile(message, target), place, ...kind });
      }
    }
  }
  return [...found.values()];
}

type HostProblem = Omit<ValueProblem, 'place'> & { span: Span };

function checkHost({ values, src }: Host, embedded: Composition, embedding: Values): HostProblem[] {
  const entries = new Map((values?.entries ?? []).map((entry) => [entry.id, entry]));
  const given = values?.values ?? {};
  const instance = instanceValues(embedded.declarations, given, embedding);
  const problems: HostProblem[] = instance.unresolved.map((one) => ({
    message: unresolvedMessage(one),
    span: entries.get(one.id)?.valueSpan ?? src.span,
    isUnresolved: true,
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

/** For `--strict-variables`: throws UserError `variables_invalid` if there are errors among the problems. */
export function assertNoValueProblems(problems: readonly ValueProblem[]): void {
  const errors = problems.filter(({ isUnresolved }) => !isUnresolved);
  const [first, ...others] = errors;
  if (!first) return;
  const listed = errors.map(({ message, place }): ErrorProblem => ({ message, place }));
  throw new UserError('variables_invalid', [first.message, ...others.map(locatedMessage)].join('\n'), {
    place: first.place,
    hint: 'Fix the values, or leave out --strict-variables to render with a warning.',
    ...(others.length === 0 ? {} : { problems: listed }),
  });
}
