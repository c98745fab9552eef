// The text of the results of `framework mcp`'s tools.
import type { LocatedFinding } from '../../renderer-core/lintProject.ts';
import type { VariableDeclaration } from '../../renderer-core/model/variables/variables.ts';
import type { RenderReport } from '../../renderer-core/render/renderReport.ts';
import type { SnapshotReport } from '../../renderer-core/render/snapshot/snapshotReport.ts';
import type { DescribedComposition } from '../../renderer-core/reports/projectDescription.ts';

export type LintResult = {
  root: string;
  files: number;
  counts: { error: number; warning: number; info: number };
  findings: readonly Pick<LocatedFinding, 'file' | 'line' | 'column' | 'severity' | 'message' | 'rule' | 'fixes'>[];
  fixed: readonly { file: string; fixes: readonly string[] }[];
};

/** Applied fixes, then one line per finding with its absolute path, then the counts. */
export function lintText({ root, files, counts, findings, fixed }: LintResult): string {
  const lines = findings.map(({ file, line, column, severity, message, rule, fixes: [fix] }) => {
    const suggestion = fix ? ` Fix: ${fix.title}${fix.isSafe ? ' (safe)' : ''}.` : '';
    return `${root}/${file}:${line}:${column} ${severity} ${message} (${rule}).${suggestion}`;
  });
  const changes = fixed.map(({ file, fixes }) => `Fixed ${root}/${file}: ${fixes.join('; ')}.`);
  const sum = [count(counts.error, 'error'), count(counts.warning, 'warning'), count(counts.info, 'note')].join(', ');
  return [...changes, ...lines, `${count(files, 'composition')} in ${root}: ${sum}.`].join('\n');
}

const count = (value: number, noun: string): string => `${value} ${noun}${value === 1 ? '' : 's'}`;

export type CompositionFacts = Pick<
  DescribedComposition,
  'file' | 'width' | 'height' | 'duration' | 'fps' | 'variables'
> & { embeds: readonly Pick<DescribedComposition['embeds'][number], 'file' | 'source'>[] };

/** `index.html: 1920x1080, 5 s, 30 fps, 3 variables, embeds card.html` */
export function compositionText({ file, width, height, duration, fps, variables, embeds }: CompositionFacts): string {
  const embedded = [...new Set(embeds.map((one) => one.file ?? `${one.source} (missing)`))];
  const facts = [
    `${width ?? '?'}x${height ?? '?'}`,
    duration === null ? 'no declared duration' : `${duration} s`,
    `${fps ?? 30} fps`,
    count(variables.length, 'variable'),
    ...(embedded.length > 0 ? [`embeds ${embedded.join(', ')}`] : []),
  ];
  return `${file}: ${facts.join(', ')}`;
}

export type VariablesResult = {
  compositions: readonly (CompositionFacts & Pick<DescribedComposition, 'rejected'>)[];
};

/** The facts of each composition, and one line per variable. */
export function variablesText({ compositions }: VariablesResult): string {
  return compositions
    .map((composition) =>
      [
        compositionText(composition),
        ...composition.variables.map((variable) => `  ${variableText(variable)}`),
        ...composition.rejected.map(
          ({ line, column, message }) => `  invalid declaration, ${composition.file}:${line}:${column}: ${message}`,
        ),
      ].join('\n'),
    )
    .join('\n\n');
}

/** `price (number, "Price"): default 149, min 0, max 9999, unit "$"` */
function variableText({ id, type, label, ...rest }: VariableDeclaration): string {
  const { default: value, options, ...limits } = rest;
  const facts = [
    value === undefined ? 'no default' : `default ${JSON.stringify(value)}`,
    ...Object.entries(limits).map(([name, limit]) => `${name} ${JSON.stringify(limit)}`),
    ...(options ? [`one of ${options.map((option) => JSON.stringify(option.value)).join(', ')}`] : []),
  ];
  return `${id} (${type}${label === undefined ? '' : `, ${JSON.stringify(label)}`}): ${facts.join(', ')}`;
}

export type SnapshotResult = Pick<SnapshotReport, 'pictures' | 'frames' | 'fps' | 'durationSeconds' | 'warnings'>;

/** The times of the frames, and the size of the image. */
export function snapshotText({ pictures: [image], frames, fps, durationSeconds, warnings }: SnapshotResult): string {
  const times = image?.frames.map(({ frame, seconds }) => `${seconds.toFixed(2)} s (frame ${frame})`).join(', ');
  const size = image ? `; ${image.width}x${image.height} pixels` : '';
  return [`${times} of ${durationSeconds} s, ${frames} frames at ${fps} fps${size}.`, ...warningLines(warnings)].join(
    '\n',
  );
}

export type RenderResult = Omit<RenderReport, 'firstFrameMs' | 'capture' | 'engine' | 'workers'>;

export function renderText(report: RenderResult): string {
  const { output, frames, durationSeconds, width, height, fps, bytes, elapsedMs, warnings } = report;
  const facts = `${frames} frames, ${durationSeconds} s, ${width}x${height} at ${fps} fps, ${bytes} bytes`;
  const head = `${output}: ${facts}; rendered in ${(elapsedMs / 1000).toFixed(1)} s.`;
  return [head, ...warningLines(warnings)].join('\n');
}

const warningLines = (warnings: readonly string[]): string[] => warnings.map((warning) => `Warning: ${warning}`);

export type ToolError = {
  message: string;
  hint?: string | undefined;
  place?: { file: string; line?: number | undefined; column?: number | undefined } | undefined;
  problems?: readonly { message: string; row?: number | undefined }[] | undefined;
};

/** The location and message of an error, its problems, and its hint. */
export function toolErrorText({ message, hint, place, problems = [] }: ToolError): string {
  const location = place ? [place.file, place.line, place.column].filter((part) => part !== undefined).join(':') : '';
  return [
    location === '' ? message : `${location}: ${message}`,
    ...problems.map((problem) => `- ${problem.row === undefined ? '' : `row ${problem.row + 1}: `}${problem.message}`),
    ...(hint === undefined ? [] : [`Hint: ${hint}`]),
  ].join('\n');
}
