// CompositionInfo and BatchInfo: compositions and batch files in the form that the client receives.

import { decodeHTML } from 'entities/decode';
import type { Composition } from '../renderer-core/model/composition.ts';
import { compositionSize } from '../renderer-core/model/compositionSize.ts';
import { ancestor, type HtmlElement, innerText } from '../renderer-core/model/text/html.ts';
import { isMisfit } from '../renderer-core/model/variables/values.ts';
import { batchPlaceholders, batchRange } from './features/batch/batchFile.ts';
import type { OwnedBatch } from './projects/batches.ts';
import type { OwnedFile } from './projects/projects.ts';
import type { BatchInfo, CompositionInfo } from './protocol.ts';

export function compositionInfo({ uri, path, owner, project, composition, document }: OwnedFile): CompositionInfo {
  const { id, duration, fps, declarations, variables } = composition;
  const problem = variables.problem ?? variables.rejected[0];
  const title = documentTitle(composition, path);
  return {
    uri,
    path,
    projectUri: owner.uri,
    id: id?.text ?? null,
    ...compositionSize(path, project),
    duration: duration?.value ?? null,
    fps: fps?.value ?? null,
    variables: declarations,
    ...(title === undefined ? {} : { title }),
    ...(problem && {
      declarationsProblem: { message: problem.message, position: document.positionAt(problem.span.start) },
    }),
  };
}

const misfitsOf = (batch: OwnedBatch): BatchInfo['misfits'] =>
  batch
    .read()
    .problems.flatMap(({ row, span, issue, message }) =>
      row !== null && issue && isMisfit(issue)
        ? [{ row, line: batchRange(batch, span).start.line + 1, id: issue.id, message }]
        : [],
    );

/** `rowIndex`: the row to return. Null if the batch's composition does not exist. */
export function batchInfo(batch: OwnedBatch, rowIndex?: number): BatchInfo | null {
  const { path, target } = batch;
  if (!target) return null;
  const { rows } = batch.read();
  const row = rows.find(({ index }) => index === rowIndex);
  return {
    path,
    composition: compositionInfo(target),
    rows: rows.length,
    hasNames: rows.length > 0 && rows.every(({ variables }) => typeof variables.name === 'string'),
    placeholders: batchPlaceholders(batch),
    misfits: misfitsOf(batch),
    row: row ? { variables: row.variables, range: batchRange(batch, row.span) } : null,
  };
}

/** Titles that editors and templates write into every new document. */
const generic = /^(?:(?:new|my) )?(?:document|page|title|page title|composition|untitled|untitled document|index)$/i;

const isInDrawing = (element: HtmlElement): boolean => ancestor(element, ({ tag }) => tag === 'svg') !== null;

/** Undefined when there is no title, or one that many documents have. `path`: of the file. */
export function documentTitle({ text, html }: Pick<Composition, 'text' | 'html'>, path: string): string | undefined {
  const element = html.elements.find((one) => one.tag === 'title' && one.template === null && !isInDrawing(one));
  if (!element) return undefined;
  const title = decodeHTML(innerText(text, element)).replaceAll(/\s+/g, ' ').trim();
  const file = path.slice(path.lastIndexOf('/') + 1);
  const isFileName = [file, file.replace(/\.html?$/i, '')].includes(title);
  return title === '' || isFileName || generic.test(title) ? undefined : title;
}
