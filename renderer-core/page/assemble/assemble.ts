// Assembles the page that is captured: the entry composition with the runtime and all embedded files.
// Preview, local, batch and distributed renders all use this page.
import { attr } from '../../model/attributes.ts';
import type { Composition } from '../../model/composition.ts';
import { isSameSize, type Size } from '../../model/declaredSizes.ts';
import type { FrameRate } from '../../model/frameGrid.ts';
import { type Mount, type ProjectGraph, referenceBase, referenceCandidates } from '../../model/graph.ts';
import type { Host } from '../../model/instances.ts';
import { runs } from '../../model/script/runs.ts';
import { isCode } from '../../model/script/scriptSyntax.ts';
import type { HtmlElement } from '../../model/text/html.ts';
import { innerSpan } from '../../model/text/html.ts';
import { encodePath } from '../../model/text/percentText.ts';
import { lineAndColumn, type Span } from '../../model/text/spans.ts';
import { withoutUnmet } from '../../model/unmetParts.ts';
import { instanceValues } from '../../model/variables/passedValues.ts';
import { invalidIds } from '../../model/variables/readDeclarations.ts';
import { mergeValues } from '../../model/variables/values.ts';
import { fontSheetPath, loadedFontsPath } from '../../plan/fonts/fontSheet.ts';
import { choosePageFonts, type PageFonts } from '../../plan/fonts/pageFonts.ts';
import { localPath, type ProjectFiles, pageBase, rebase } from '../../plan/projectPaths.ts';
import {
  type HostConfig,
  handlersAttribute,
  type InstanceConfig,
  instanceAttribute,
  type PageConfig,
  pinnedSheets,
  scriptAttribute,
  topInstance,
} from '../runtime/page.ts';
import { boundElementEdits, boundHostEdits } from './boundElements.ts';
import { captionEdits } from './captionEdits.ts';
import { afterTagName, at, escapeAttribute, markEdits, policyEdits } from './markup.ts';
import { clashingIds, groupEdits, idEdits } from './mountIds.ts';
import { handlerLocations, type MountScript, mountScripts } from './mountScripts.ts';
import { animationEdits, clashingNames, mountStyles, nameInMount, pageLanguage } from './mountStyles.ts';
import { bodyEnd, contentSpan, headEnd, headStart, templateContent } from './pagePlaces.ts';
import { applyTextEdits, type TextEdit, type TextShift, textShifts } from './textEdits.ts';
import { importEdits } from './trackImports.ts';

export type AssembledPage = {
  html: string;
  config: PageConfig;
  /** Scripts of mounted files by URL path. Their line numbers match those of the file in the URL. */
  scripts: Map<string, string>;
  /** How embedded files shift the lines of the entry's text. */
  shifts: TextShift[];
  /** The pinned fonts of the page; null if it uses the fonts of the machine. */
  fonts: PageFonts | null;
};

export const runtimePath = '/__framework/page.js';

/** The start state of the page; `seed`, `epochMs` and `fps` come from the plan. */
export type PageStart = Pick<PageConfig, 'seed' | 'epochMs' | 'fps' | 'environment' | 'featuresOff'> & {
  /** Markup before the runtime. */
  head?: string;
  /** Whether the page uses the fonts of the machine. */
  systemFonts?: boolean;
  /** The size that the page is laid out in. Default: its own. */
  page?: Size;
  /** Whether elements get an attribute with their source location; files are numbered in the order of the graph. */
  marks?: boolean;
};

type Assembly = {
  graph: ProjectGraph;
  files: ProjectFiles;
  fps: FrameRate;
  mountOf: Map<HtmlElement, Mount>;
  instances: InstanceConfig[];
  scripts: Map<string, string>;
  /** Script elements of mounts in execution order. They come after the content of the entry. */
  tail: string[];
  /** URLs of library scripts that the page already loads. */
  loaded: Set<string>;
  /** For each file: the names of its keyframes that get another name in a mount. */
  clashing: Map<string, Set<string>>;
  /** The ids of the elements so far, and the names that group elements. */
  ids: Set<string>;
  groups: Set<string>;
  /** The number of each file whose elements get source locations. */
  marked: Map<string, number>;
};

/** Assembles the page of `graph.entry`; `variables` override its declared defaults. The graph must have no errors. */
export function assemblePage(
  graph: ProjectGraph,
  variables: Record<string, unknown>,
  files: ProjectFiles,
  { seed, epochMs, fps, environment, page, featuresOff = [], head = '', marks = false, systemFonts = false }: PageStart,
): AssembledPage {
  const whole = graph.files.get(graph.entry);
  if (!whole) throw new Error(`the graph has no ${graph.entry}`);
  const values = mergeValues(whole.declarations, variables);
  const { composition: entry, left } = withoutUnmet(whole, values);
  // Markup after the author's `<base>` is relative to it, the runtime in front of it is not.
  const after = { ...files, base: pageBase(graph.entry, entry, files) };
  const top = instanceOf(topInstance, graph.entry, entry, values, after);
  const assembly: Assembly = {
    graph,
    files: after,
    fps,
    mountOf: new Map(graph.mounts.map((mount) => [mount.host.element, mount])),
    instances: [top],
    scripts: new Map(),
    tail: [],
    loaded: new Set(
      entry.scripts.flatMap(({ src }) =>
        src ? [rebase(src.text, referenceBase(graph.entry, entry, src.span.start), after)] : [],
      ),
    ),
    clashing: clashingNames(graph, files),
    ids: new Set(),
    groups: new Set(),
    marked: new Map(marks ? [...graph.files.keys()].map((file, index) => [file, index]) : []),
  };
  clashingIds(entry, [], assembly.ids);
  groupEdits(entry, [], assembly.groups, '');
  const edits = [
    ...left.map(removed),
    ...marksOf(assembly, graph.entry, entry),
    ...sizeEdits(entry, page),
    ...boundElementEdits(entry, top, mountedHosts(assembly, entry)),
    ...captionEdits(graph.entry, entry, values, after, fps),
    ...hostEdits(assembly, graph.entry, entry, top),
    ...rebaseAssets(graph.entry, entry, after),
    ...policyEdits(entry),
    ...entry.scripts.filter(isCode).flatMap(({ text, span }) => importEdits(text, span.start)),
  ];
  const fonts = systemFonts ? null : choosePageFonts(graph, variables, files);
  const sheets = fontSheets(fonts, graph.entry, entry, after);
  const config: PageConfig = {
    ...{ seed, epochMs, fps, instances: assembly.instances, pinsFonts: fonts !== null, sheets },
    ...(environment ? { environment } : {}),
    ...(featuresOff.length > 0 ? { featuresOff } : {}),
  };
  const measures = (fonts?.neededAtOnce ?? []).length > 0;
  if (measures) edits.push(...pinEdits(entry));
  const tail = (measures && assembly.tail.length > 0 ? pinScript : '') + assembly.tail.join('');
  edits.push({ span: at(bodyEnd(entry)), text: tail });
  const script = (path: string, version = '') => `<script src="${pageUrl(path, files)}${version}"></script>`;
  const faces = fonts && measures ? script(loadedFontsPath, fontsVersion(fonts, files)) : '';
  const runtime = `${head}<script>${configScript(config)}</script>${script(runtimePath)}${faces}`;
  const isDocument = entry.kind === 'document';
  if (isDocument) {
    edits.unshift({ span: at(headStart(entry)), text: runtime });
    edits.push({ span: at(headEnd(entry)), text: renderBlock });
  }
  const prefix = isDocument ? '' : `<!doctype html><html><head>${runtime}${renderBlock}</head><body style="margin:0">`;
  const content = isDocument ? undefined : templateContent(entry);
  const markupOfEntry = applyTextEdits(entry.text, edits, content);
  const html = `${prefix}${markupOfEntry}${isDocument ? '' : `${entry.kind === 'template' ? tail : ''}</body></html>`}`;
  const shifts = textShifts(entry.text, edits, content, prefix);
  return { html, config, scripts: assembly.scripts, shifts, fonts };
}

/**
 * The browser does not render the page before it has parsed all of it. Otherwise a pause of the parser would start transitions
 * and call observers of sizes. No browser renders a page before its body; the runtime removes the element.
 */
const renderBlock = '<link rel="expect" blocking="render" href="#framework-end">';

/**
 * Tells scripts and selectors the size of a layout other than the composition's own. The first of two attributes with the same
 * name counts.
 */
function sizeEdits({ root, width, height, sizes }: Composition, page: Size | undefined): TextEdit[] {
  if (!root || !page || !sizes.some((size) => isSameSize(size, page))) return [];
  if (width?.value === page.width && height?.value === page.height) return [];
  const text = ` ${attr.width}="${page.width}" ${attr.height}="${page.height}"`;
  return [{ span: at(afterTagName(root)), text }];
}

/** The query of the URLs that declare the fonts of a page, on servers with several pages. */
export const fontsVersion = (fonts: PageFonts, { versionOf }: ProjectFiles): string =>
  versionOf?.(JSON.stringify(fonts)) ?? '';

/** The fonts of the page, and of the project in sheets that the entry does not load itself. They come before the page's styles. */
function fontSheets(fonts: PageFonts | null, file: string, composition: Composition, files: ProjectFiles): string[] {
  const { stylesheets } = composition;
  const baseOf = ({ href }: (typeof stylesheets)[number]) => referenceBase(file, composition, href.span.start);
  const own = new Set(stylesheets.map((sheet) => localPath(sheet.href.text, baseOf(sheet), files)));
  const ofProject = (files.fontSheets ?? []).filter((sheet) => !own.has(sheet));
  return [
    ...(fonts ? [pageUrl(fontSheetPath, files) + fontsVersion(fonts, files)] : []),
    ...ofProject.map((sheet) => pageUrl(`/${encodePath(sheet)}`, files)),
  ];
}

/** A path of the page's origin as a URL for the page. */
const pageUrl = (path: string, { base = '/' }: ProjectFiles): string => base + path.slice(1);

/**
 * Replaces the generic families of style sheets before the scripts that measure text run. Scripts wait for the style sheets
 * before them, but the browser reports a loaded sheet only later.
 */
const pinScript = `<script>window[Symbol.for("${pinnedSheets}")]()</script>`;

/** Inserts the script before each script of the page. */
const pinEdits = ({ scripts }: Composition): TextEdit[] =>
  scripts.filter(runs).map(({ element }) => ({ span: at(element.span.start), text: pinScript }));

function marksOf({ marked }: Assembly, file: string, composition: Composition): TextEdit[] {
  const index = marked.get(file);
  return index === undefined ? [] : markEdits(index, composition);
}

/** Uses JSON.parse, because a literal with the key `__proto__` would set the prototype. `<` is escaped, so the script cannot end. */
function configScript(config: PageConfig): string {
  const text = JSON.stringify(JSON.stringify(config)).replaceAll('<', '\\u003c');
  return `document.currentScript.remove();window.__frameworkConfig=JSON.parse(${text})`;
}

/** An instance of `file`. Source paths in its variables are resolved like those in its attributes. */
function instanceOf(
  id: string,
  file: string,
  composition: Composition,
  values: Record<string, unknown>,
  files: ProjectFiles,
): InstanceConfig {
  const base = referenceBase(file, composition);
  const sources = composition.bindings.flatMap(({ kind, id: { text: variable } }): [string, string][] => {
    const value = values[variable];
    if (kind !== 'src' || typeof value !== 'string') return [];
    const path = localPath(value, base, files);
    const isKnown = path === undefined ? files.fetched?.(value) !== undefined : files.exists(path);
    return isKnown ? [[variable, rebase(value, base, files)]] : [];
  });
  return sources.length === 0 ? { id, values } : { id, values, sources: Object.fromEntries(sources) };
}

/**
 * Rewrites references that the browser cannot resolve. It resolves paths only relative to the entry, but they may also be
 * relative to the project folder. Remote images have a local path.
 */
function rebaseAssets(file: string, composition: Composition, files: ProjectFiles): TextEdit[] {
  return composition.assetReferences.flatMap(({ url, span }) => {
    const base = referenceBase(file, composition, span.start);
    const [fromFile, fromProject] = referenceCandidates(base, url);
    const isResolved = fromFile === undefined || fromProject === undefined || files.exists(fromFile);
    if (files.fetched?.(url) === undefined && (isResolved || !files.exists(fromProject))) return [];
    return [{ span, text: escapeAttribute(rebase(url, base, files)) }];
  });
}

const mountedHosts = ({ graph, mountOf }: Assembly, { hosts }: Composition): Set<HtmlElement> =>
  new Set(hosts.flatMap(({ element }) => (graph.files.has(mountOf.get(element)?.target ?? '') ? [element] : [])));

/** Inserts the embedded content into each host of `embedding`, an instance of a file. */
function hostEdits(
  assembly: Assembly,
  file: string,
  composition: Composition,
  embedding: Pick<InstanceConfig, 'id' | 'values'>,
): TextEdit[] {
  return composition.hosts.flatMap((host) => {
    const { element, values: given } = host;
    const target = assembly.mountOf.get(element)?.target;
    const whole = target ? assembly.graph.files.get(target) : undefined;
    if (!target || !whole) return [];
    const id = `m${assembly.instances.length}`;
    const { values } = instanceValues(whole.declarations, given?.values ?? {}, embedding.values);
    const { composition: embedded, left } = withoutUnmet(whole, values);
    const scripts = mountScripts(id, target, embedded, assembly.files);
    const scoped = scripts.filter(({ isScoped }) => isScoped).length;
    const instance = instanceOf(id, target, embedded, values, assembly.files);
    const config = hostConfig(host, target, embedded, embedding.id, {
      file,
      ...lineAndColumn(composition.text, element.span.start),
    });
    assembly.instances.push({ ...instance, scripts: scoped, host: config });
    const inside = element.endTag ? innerSpan(element) : at(element.startTag.end);
    return [
      { span: at(afterTagName(element)), text: ` ${instanceAttribute}="${id}"${pageLanguage(embedded, element)}` },
      ...boundHostEdits(element, values),
      { span: inside, text: mountContent(assembly, target, instance, embedded, scripts, left) },
    ];
  });
}

function hostConfig(
  { element }: Host,
  target: string,
  { declarations, variables }: Composition,
  embedding: string,
  place: HostConfig['place'],
): HostConfig {
  const given = element.attributes.get(attr.variableValues)?.value ?? '';
  return { embedding, target, declarations, invalid: invalidIds(variables), given, place };
}

/** The markup of one mount: its scoped styles and its content. Scripts are moved to the end of the page. */
function mountContent(
  assembly: Assembly,
  file: string,
  instance: InstanceConfig,
  composition: Composition,
  scripts: readonly MountScript[],
  left: readonly Span[],
): string {
  const { id } = instance;
  const { root, text } = composition;
  if (!root) return '';
  const moved = [
    ...composition.styles.map(({ element }) => element),
    ...composition.stylesheets.map(({ element }) => element),
    // It would change the references of the page.
    ...composition.html.elements.filter(({ tag }) => tag === 'base'),
  ];
  const edits: TextEdit[] = [...left, ...moved.map(({ span }) => span)].map(removed);
  edits.push(...boundElementEdits(composition, instance, mountedHosts(assembly, composition)));
  edits.push(...captionEdits(file, composition, instance.values, assembly.files, assembly.fps));
  for (const { url, span, tag } of composition.assetReferences) {
    const base = referenceBase(file, composition, span.start);
    if (tag !== 'style') edits.push({ span, text: escapeAttribute(rebase(url, base, assembly.files)) });
  }
  addScripts(assembly, scripts);
  const code = scripts.flatMap((script) => (script.isScoped && 'text' in script ? [script.text] : []));
  const ids = clashingIds(composition, code, assembly.ids);
  edits.push(...idEdits(composition, ids, nameInMount('', id)));
  edits.push(...groupEdits(composition, code, assembly.groups, nameInMount('', id)));
  edits.push(...animationEdits(assembly, id, file, composition));
  edits.push(...scriptEdits(id, composition), ...handlerEdits(assembly, id, file, composition));
  edits.push(...marksOf(assembly, file, composition), ...hostEdits(assembly, file, composition, instance));
  return (
    mountStyles(assembly, id, file, composition, ids) + applyTextEdits(text, edits, contentSpan(composition, root))
  );
}

/** Edits inside of it have no effect. */
const removed = (span: Span): TextEdit => ({ span, text: '' });

/** Adds the scripts of a mount to the page, and the libraries that it has not loaded yet. */
function addScripts({ scripts, loaded, tail, files }: Assembly, loads: readonly MountScript[]): void {
  for (const load of loads) {
    const url = 'url' in load ? load.url : pageUrl(load.path, files) + (files.versionOf?.(load.text) ?? '');
    if (!load.isScoped && loaded.has(url)) continue;
    loaded.add(url);
    if ('path' in load) scripts.set(load.path, load.text);
    tail.push(`<script src="${escapeAttribute(url)}"></script>`);
  }
}

/** Leaves script elements in place, because scripts find their position by them, but without code. */
function scriptEdits(id: string, { scripts }: Composition): TextEdit[] {
  return scripts.flatMap((script, index) => {
    const { element } = script;
    if (!runs(script)) return [];
    if (!element.endTag) return [{ span: element.span, text: '' }];
    // The first of two attributes with the same name counts.
    const mark = ` type="text/plain" ${scriptAttribute}="${id}.${index}"`;
    return [
      { span: at(afterTagName(element)), text: mark },
      { span: innerSpan(element), text: '' },
    ];
  });
}

function handlerEdits({ files }: Assembly, id: string, file: string, { html, text }: Composition): TextEdit[] {
  return html.elements.flatMap((element) => {
    const locations = handlerLocations(id, file, text, element);
    if (locations === undefined) return [];
    const value = escapeAttribute(pageUrl(locations, files));
    return [{ span: at(afterTagName(element)), text: ` ${handlersAttribute}="${value}"` }];
  });
}
