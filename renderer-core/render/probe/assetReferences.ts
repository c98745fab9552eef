// Locates the element and the line that name a file, for errors about the file.

import {
  leadsOutside,
  type ProjectGraph,
  referenceBase,
  referenceCandidates,
  remoteReference,
  requestedPath,
} from '../../model/graph.ts';
import { projectInstances } from '../../model/projectInstances.ts';
import { findCssUrls } from '../../model/text/cssUrls.ts';
import type { HtmlElement } from '../../model/text/html.ts';
import { lineAndColumn } from '../../model/text/spans.ts';
import type { SourceLocation } from '../../reports/errorJson.ts';
import type { PreparedRender } from '../types.ts';
import { remoteUrl } from './remoteFiles.ts';

/** The project to search. `draft.variables` are the given values, without the defaults. */
export type ReferencingProject = Pick<PreparedRender, 'graph' | 'files'> & {
  draft: Pick<PreparedRender['draft'], 'variables'>;
};

/** `element` is for display: `<img id="logo">`; null in a style sheet. */
export type ReferenceLocation = { place: SourceLocation; element: string | null; reference: string };

/** Whether `reference`, which is relative to `base`, is the one to find. */
type Matches = (base: string, reference: string) => boolean;

/** The first reference to the project's file `path`. */
export function locateFile(project: ReferencingProject, path: string): ReferenceLocation | undefined {
  return (
    findReference(project, (base, reference) => referenceCandidates(base, reference).includes(path)) ??
    findReference(
      project,
      (base, reference) => leadsOutside(base, reference) && requestedPath(base, reference) === path,
    )
  );
}

/** The first reference to `url` on another host. `origin`: the page's origin. */
export function locateUrl(project: ReferencingProject, url: string, origin: string): ReferenceLocation | undefined {
  const wanted = remoteUrl(url, origin);
  const urlOf = (base: string, reference: string) => remoteUrl(remoteReference(base, reference) ?? reference, origin);
  return findReference(project, (base, reference) => wanted !== undefined && urlOf(base, reference) === wanted);
}

function findReference(project: ReferencingProject, matches: Matches): ReferenceLocation | undefined {
  const { graph } = project;
  for (const [file, composition] of graph.files) {
    const { text, assetReferences } = composition;
    const found = assetReferences.find(({ url, span }) => matches(referenceBase(file, composition, span.start), url));
    if (found) return locationAt(file, text, found.span.start, found.url, found.element);
  }
  return findBinding(project, matches) ?? findInSheets(project, matches);
}

function locationAt(
  file: string,
  text: string,
  offset: number,
  reference: string,
  element: HtmlElement | null,
): ReferenceLocation {
  const id = element?.attributes.get('id')?.value;
  const shown = element && `<${element.tag}${id ? ` id="${id}"` : ''}>`;
  return { place: { file, ...lineAndColumn(text, offset) }, element: shown, reference };
}

/** Finds elements whose source is a variable, by any value that the variable has in the project. */
function findBinding({ graph, draft }: ReferencingProject, matches: Matches): ReferenceLocation | undefined {
  for (const { file, composition, values } of projectInstances(graph, draft.variables)) {
    for (const { kind, id, element } of composition.bindings) {
      const value = kind === 'src' ? values[id.text] : undefined;
      if (typeof value === 'string' && matches(referenceBase(file, composition), value))
        return locationAt(file, composition.text, id.span.start, value, element);
    }
  }
  return undefined;
}

/** Searches the project's style sheets and the sheets that they import. */
function findInSheets({ graph, files }: ReferencingProject, matches: Matches): ReferenceLocation | undefined {
  const sheets = sheetsOf(graph, files);
  // The set grows during the loop.
  for (const path of sheets) {
    const css = files.read(path);
    for (const { url, span } of css === undefined ? [] : findCssUrls(css)) {
      if (matches(path, url)) return locationAt(path, css ?? '', span.start, url, null);
      for (const imported of localSheets(path, url, files)) sheets.add(imported);
    }
  }
  return undefined;
}

function sheetsOf(graph: ProjectGraph, files: ReferencingProject['files']): Set<string> {
  const sheets = new Set<string>(files.fontSheets);
  for (const [file, composition] of graph.files) {
    for (const { url, span } of composition.assetReferences)
      for (const path of localSheets(referenceBase(file, composition, span.start), url, files)) sheets.add(path);
  }
  return sheets;
}

const localSheets = (file: string, reference: string, files: ReferencingProject['files']): string[] =>
  referenceCandidates(file, reference).filter((path) => path.endsWith('.css') && files.exists(path));
