// Where in the project a file is named: the element and the line that an error about the file is about.
import type { SourcePlace } from '../errors.ts';
import { findCssUrls } from '../model/cssUrls.ts';
import { type ProjectGraph, referenceCandidates } from '../model/graph.ts';
import type { HtmlElement } from '../model/html.ts';
import { lineAndColumn } from '../model/spans.ts';
import type { PreparedRender } from './prepare.ts';

/** What is known of a project when one of its files is looked for: `variables` are those given, over the defaults. */
export type FaultProject = Pick<PreparedRender, 'graph' | 'files'> & {
  draft: Pick<PreparedRender['draft'], 'variables'>;
};

/** `element` is for people: `<img id="logo">`; null in a style sheet. */
export type NamedPlace = { place: SourcePlace; element: string | null; reference: string };

/** Whether `reference`, written in `file`, is what is looked for. */
type IsMeant = (file: string, reference: string) => boolean;

/** The first place that names the file `path` of the project. */
export function placeOfFile(prepared: FaultProject, path: string): NamedPlace | undefined {
  return findPlace(prepared, (file, reference) => referenceCandidates(file, reference).includes(path));
}

/** The first place that names the URL `url` of another host; `origin` is the page's. */
export function placeOfUrl(prepared: FaultProject, url: string, origin: string): NamedPlace | undefined {
  const wanted = remoteUrl(url, origin);
  return findPlace(prepared, (_, reference) => wanted !== undefined && remoteUrl(reference, origin) === wanted);
}

/** `reference` as an absolute URL without fragment, if it leads to another host by http or https. */
export function remoteUrl(reference: string, origin: string): string | undefined {
  if (!URL.canParse(reference, origin)) return undefined;
  const url = new URL(reference, origin);
  url.hash = '';
  return /^https?:$/.test(url.protocol) && url.origin !== origin ? url.href : undefined;
}

function findPlace(prepared: FaultProject, isMeant: IsMeant): NamedPlace | undefined {
  const { graph } = prepared;
  for (const [file, { assetReferences, text }] of graph.files) {
    const found = assetReferences.find(({ url }) => isMeant(file, url));
    if (found) return placeIn(file, text, found.span.start, found.url, found.element);
  }
  return findBinding(prepared, isMeant) ?? findInSheets(prepared, isMeant);
}

function placeIn(
  file: string,
  text: string,
  offset: number,
  reference: string,
  element: HtmlElement | null,
): NamedPlace {
  const id = element?.attributes.get('id')?.value;
  const shown = element && `<${element.tag}${id ? ` id="${id}"` : ''}>`;
  return { place: { file, ...lineAndColumn(text, offset) }, element: shown, reference };
}

/** Elements whose source is a variable: by the values that it has anywhere. */
function findBinding({ graph, draft }: FaultProject, isMeant: IsMeant): NamedPlace | undefined {
  for (const [file, { bindings, declarations, text }] of graph.files) {
    const values = [
      ...(file === graph.entry ? [draft.variables] : []),
      ...graph.mounts.flatMap(({ host, target }) => (target === file && host.values ? [host.values.values] : [])),
      Object.fromEntries(declarations.map((declaration) => [declaration.id, declaration.default])),
    ];
    for (const { kind, id, element } of bindings) {
      const named = kind === 'src' ? values.map((layer) => layer[id.text]) : [];
      const value = named.find((one): one is string => typeof one === 'string' && isMeant(file, one));
      if (value !== undefined) return placeIn(file, text, id.span.start, value, element);
    }
  }
  return undefined;
}

/** Style sheets of the project, also those that are imported by others. */
function findInSheets({ graph, files }: FaultProject, isMeant: IsMeant): NamedPlace | undefined {
  const sheets = sheetsOf(graph, files);
  // The list grows while it is walked.
  for (const path of sheets) {
    const css = files.read(path);
    for (const { url, span } of css === undefined ? [] : findCssUrls(css)) {
      if (isMeant(path, url)) return placeIn(path, css ?? '', span.start, url, null);
      for (const imported of localSheets(path, url, files)) sheets.add(imported);
    }
  }
  return undefined;
}

function sheetsOf(graph: ProjectGraph, files: FaultProject['files']): Set<string> {
  const sheets = new Set<string>();
  for (const [file, { assetReferences }] of graph.files) {
    for (const { url } of assetReferences) for (const path of localSheets(file, url, files)) sheets.add(path);
  }
  return sheets;
}

const localSheets = (file: string, reference: string, files: FaultProject['files']): string[] =>
  referenceCandidates(file, reference).filter((path) => path.endsWith('.css') && files.exists(path));
