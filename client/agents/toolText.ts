// Answers of the command line in words for a model: short, with places that it can go to. They stay English, as all else that
// models read of us; people see what they are asked and what is being done in their own language.
import type { CompositionInfo } from '../../server/protocol.ts';

type Finding = {
  file: string;
  line: number;
  column: number;
  severity: string;
  message: string;
  rule: string;
  fixes: readonly { title: string; isSafe: boolean }[];
};
export type LintAnswer = {
  root: string;
  files: number;
  counts: { error: number; warning: number; info: number };
  findings: readonly Finding[];
  fixed: readonly { file: string; fixes: readonly string[] }[];
};

export function lintText({ root, files, counts, findings, fixed }: LintAnswer): string {
  const lines = findings.map(({ file, line, column, severity, message, rule, fixes: [fix] }) => {
    const way = fix ? ` Fix: ${fix.title}${fix.isSafe ? ' (safe)' : ''}.` : '';
    return `${root}/${file}:${line}:${column} ${severity} ${message} (${rule}).${way}`;
  });
  const changed = fixed.map(({ file, fixes }) => `Fixed ${root}/${file}: ${fixes.join('; ')}.`);
  const sum = `${files} composition files: ${counts.error} errors, ${counts.warning} warnings, ${counts.info} notes.`;
  return [...changed, ...lines, sum].join('\n');
}

export type VariablesAnswer = {
  root: string;
  compositions: readonly {
    file: string;
    width: number | null;
    height: number | null;
    duration: number | null;
    variables: CompositionInfo['variables'];
    embeds: readonly { file: string | null; source: string }[];
  }[];
};

/** JSON is what models read declarations in best. */
export function variablesText({ root, compositions }: VariablesAnswer): string {
  return compositions
    .map(({ file, width, height, duration, variables, embeds }) => {
      const head = `${root}/${file}: ${width ?? '?'}x${height ?? '?'}${duration === null ? '' : `, ${duration} s`}`;
      const inside = embeds.map((one) => `embeds ${one.file ?? `${one.source} (missing)`}`);
      return [head, ...inside, ...variables.map((variable) => JSON.stringify(variable))].join('\n');
    })
    .join('\n\n');
}

export type SnapshotAnswer = {
  pictures: readonly {
    output: string;
    width: number;
    height: number;
    frames: readonly { frame: number; seconds: number }[];
  }[];
  frames: number;
  fps: string;
  durationSeconds: number;
  warnings: readonly string[];
};

export function snapshotText({ pictures: [picture], frames, fps, durationSeconds, warnings }: SnapshotAnswer): string {
  const shown = picture?.frames.map(({ frame, seconds }) => `${seconds.toFixed(2)} s (frame ${frame})`).join(', ');
  return [
    `${shown} of ${durationSeconds} s, ${frames} frames at ${fps} fps.`,
    ...warnings.map((warning) => `Warning: ${warning}`),
  ].join('\n');
}

export type RenderAnswer = {
  output: string;
  frames: number;
  width: number;
  height: number;
  fps: string;
  durationSeconds: number;
  elapsedMs: number;
  warnings: readonly string[];
};

export function renderText({
  output,
  frames,
  width,
  height,
  fps,
  durationSeconds,
  elapsedMs,
  warnings,
}: RenderAnswer): string {
  const facts = `${frames} frames, ${durationSeconds} s, ${width}x${height} at ${fps} fps`;
  const lines = [`${output}: ${facts}; rendered in ${(elapsedMs / 1000).toFixed(1)} s.`];
  return [...lines, ...warnings.map((warning) => `Warning: ${warning}`)].join('\n');
}

export type ToolError = {
  message: string;
  hint?: string;
  place?: { file: string; line?: number; column?: number };
};

export function errorText({ message, hint, place }: ToolError): string {
  const where = place ? [place.file, place.line, place.column].filter((part) => part !== undefined).join(':') : '';
  return [where === '' ? message : `${where}: ${message}`, ...(hint === undefined ? [] : [`Hint: ${hint}`])].join('\n');
}

/** For editors that have no pictures in answers. */
export const pictureText = (path: string): string => `The picture is in ${path}`;
