// Problems of a page as findings in the files that the author has written.
import { addAttribute, setAttribute } from '../lint/attributeEdits.ts';
import { type CheckId, checks } from '../lint/checkTable.ts';
import { findIgnores, silences } from '../lint/ignores.ts';
import type { LintSettings } from '../lint/settings.ts';
import { type FrameRate, frameTime } from '../model/frameGrid.ts';
import type { ProjectGraph } from '../model/graph.ts';
import type { HtmlElement } from '../model/text/html.ts';
import { indexLines, positionAt } from '../model/text/spans.ts';
import type { CheckFinding } from './checkReport.ts';
import type { Problem } from './findings.ts';

type Place = { file: string; element: HtmlElement };

/** The element that a page names, or the root of the composition. */
function placeOf(source: string | null, { files, entry }: ProjectGraph): Place | undefined {
  const [index = -1, start = -1] = (source ?? '').split(':').map(Number);
  const [file, composition] = source === null ? [] : ([...files][index] ?? []);
  const element = composition?.html.elements.find(({ span }) => span.start === start);
  if (file !== undefined && element) return { file, element };
  const root = files.get(entry)?.root;
  return root ? { file: entry, element: root } : undefined;
}

export type FoundIn = { fps: FrameRate; row: number | null; size: string };

/** The finding of a problem; undefined if the settings or a comment of the author say that there is none. */
export function locate(
  problem: Problem,
  graph: ProjectGraph,
  { rules }: LintSettings,
  { fps, row, size }: FoundIn,
): CheckFinding | undefined {
  const { check, message, frame, box, source } = problem;
  const place = placeOf(source, graph);
  const composition = place && graph.files.get(place.file);
  const level = Object.hasOwn(rules, check) ? rules[check] : undefined;
  if (!place || !composition || level === 'off') return undefined;
  const span = { start: place.element.startTag.start, end: place.element.startTag.end };
  if (findIgnores(composition).some((ignore) => silences(ignore, check, { span }))) return undefined;
  const lines = indexLines(composition.text);
  const [start, end] = [positionAt(lines, span.start), positionAt(lines, span.end)];
  return {
    rule: check,
    severity: level ?? severityOf(check),
    message: `${message}${isOfVideo(check) ? '' : ` at ${Number(frameTime(frame, fps).toFixed(2))} s`}`,
    file: place.file,
    span,
    ...start,
    endLine: end.line,
    endColumn: end.column,
    frame,
    seconds: frameTime(frame, fps),
    box,
    row,
    rows: row === null ? [] : [row],
    size,
    sizes: [size],
    related: [],
    fixes: fixesOf(problem, place),
  };
}

const severityOf = (id: CheckId) => checks.find((check) => check.id === id)?.severity ?? 'warning';

/** Their messages name the times themselves. */
const isOfVideo = (check: CheckId): boolean =>
  [
    'blank-frames',
    'still-frames',
    'last-frame',
    'invisible-clip',
    'silent-sound',
    'clipped-sound',
    'cut-sound',
    'replaced-font',
    'unknown-character',
    'enlarged-image',
  ].includes(check);

/** A color in the element's own style wins over those of style sheets. */
function fixesOf({ color }: Problem, { file, element }: Place): CheckFinding['fixes'] {
  if (color === undefined) return [];
  const style = element.attributes.get('style');
  const edit = style
    ? setAttribute(style, withColor(style.value, color))
    : addAttribute(element, 'style', `color: ${color}`);
  return [{ title: `Use the color ${color}`, isSafe: false, edits: [{ file, edits: [edit] }] }];
}

function withColor(style: string, color: string): string {
  const declared = /(^|;)(\s*)color\s*:[^;]*/i;
  if (declared.test(style)) return style.replace(declared, `$1$2color: ${color}`);
  const rest = style.trim();
  return `${rest}${rest === '' || rest.endsWith(';') ? '' : ';'}${rest === '' ? '' : ' '}color: ${color}`;
}
