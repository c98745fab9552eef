// Turns the scripts of an embedded file into scripts that run in the scope of one mount (page/runtime/mounts/).
import type { Composition, Script } from '../../model/composition.ts';
import { referenceBase } from '../../model/graph.ts';
import { runs } from '../../model/script/runs.ts';
import { scriptGlobals } from '../../model/script/scriptGlobals.ts';
import type { HtmlAttribute, HtmlElement } from '../../model/text/html.ts';
import { encodePath } from '../../model/text/percentText.ts';
import { lineAndColumn } from '../../model/text/spans.ts';
import { localPath, type ProjectFiles, rebase } from '../../plan/projectPaths.ts';
import { features } from '../features/features.ts';
import { mountFunction } from '../runtime/page.ts';
import { mountPrefix } from './sourceFiles.ts';
import { trackImports } from './trackImports.ts';

/**
 * A script that the page loads: `path` and `text` of a generated script, or the `url` of a library. `isScoped`: it runs in
 * the scope of the mount.
 */
export type MountScript = ({ path: string; text: string } | { url: string }) & { isScoped: boolean };

/** The scripts of one mount in execution order. */
export function mountScripts(id: string, file: string, composition: Composition, files: ProjectFiles): MountScript[] {
  const scripts = composition.scripts.map((script, index) => ({ script, index })).filter(({ script }) => runs(script));
  const [deferred, others] = [true, false].map((wanted) =>
    scripts.filter(({ script }) => isDeferred(script) === wanted),
  );
  return [...(others ?? []), ...(deferred ?? [])].map(({ script, index }) =>
    mountScript({ id, file, composition, files }, script, index),
  );
}

/** Scripts with `async` run in document order: the standard does not define when they run. */
function isDeferred({ src, element: { attributes } }: Script): boolean {
  return src !== null && attributes.has('defer') && !attributes.has('async');
}

type Mounting = { id: string; file: string; composition: Composition; files: ProjectFiles };

function mountScript({ id, file, composition, files }: Mounting, script: Script, index: number): MountScript {
  const base = referenceBase(file, composition, script.element.span.start);
  const path = script.src ? servedPath(script.src.text, base, files) : undefined;
  const code = script.src ? path && files.read(path) : script.text;
  const offset = script.src ? '' : lineOffset(composition.text, script.span.start);
  const library = (): MountScript => ({ url: rebase(script.src?.text ?? '', base, files), isScoped: false });
  // Files of other hosts are libraries. The request of a missing file is reported as an error.
  if (code === undefined) return library();
  if (isLibrary(path, code)) {
    if (script.src) return library();
    return {
      path: `${mountPrefix}library.${index}/${encodePath(file)}.js`,
      text: `\n${offset}${code}`,
      isScoped: false,
    };
  }
  const text = scopedScript(id, index, offset + trackImports(code), scriptGlobals(code));
  return { path: `${mountPrefix}${id}.${index}/${encodePath(path ?? file)}.js`, text, isScoped: true };
}

/** The project file that the server would serve for a reference. Files with a leading dot in their path are not served. */
function servedPath(reference: string, file: string, files: ProjectFiles): string | undefined {
  const path = localPath(reference, file, files);
  return path === undefined || /(?:^|\/)\./.test(path) || !files.exists(path) ? undefined : path;
}

/** Bundles that define a library as a global: `var THREE = (() => …)()`. */
const libraryBundle = new RegExp(
  `^\\s*(?:var|let|const)\\s+(?:${features.flatMap(({ globals }) => globals ?? []).join('|')})\\s*=\\s*\\(\\s*(?:function|\\()`,
  'm',
);

/**
 * Whether a script is a library, which runs once per page: the page's runtime finds libraries by their globals, and one
 * copy of an animation engine per mount would be slow. Code that uses the framework is never a library.
 */
export function isLibrary(path: string | undefined, code: string): boolean {
  if (/\b__(?:framework|timelines)\b/.test(code)) return false;
  return /\.min\.js$/i.test(path ?? '') || code.includes('define.amd') || libraryBundle.test(code);
}

/** Line breaks and spaces that move code to its line and column in the file. */
function lineOffset(text: string, start: number): string {
  const { line, column } = lineAndColumn(text, start);
  return '\n'.repeat(line - 1) + ' '.repeat(column - 1);
}

/** Names that are looked up often and cannot change. As parameters they are faster than properties of the scope. */
const fastNames = 'Array,Infinity,JSON,Math,NaN,Number,Object,String,document,undefined,window';

/**
 * The code as a function that shares its globals with the other scripts of the mount, as scripts of a page do: `with` finds
 * theirs, and `__share` makes its own available. The code starts on the second line, see `sourceLocation`.
 */
export function scopedScript(
  id: string,
  index: number,
  code: string,
  { declared, vars, assigned, isStrict }: ReturnType<typeof scriptGlobals>,
): string {
  const accessors = declared.map((name) => `get ${name}(){return ${name}},set ${name}(__value){${name}=__value}`);
  const isSharing = declared.length + assigned.length > 0;
  const share = `__share({${accessors.join()}},${JSON.stringify(vars)},${JSON.stringify(assigned)});`;
  const start = `${isStrict ? '"use strict";' : ''}${isSharing ? share : ''}`;
  const scope = `function(__share){with(this)return function(${fastNames}){return function(){${start}\n${code}\n}}(${fastNames})}`;
  return `${mountFunction}(${JSON.stringify(id)},${index},${scope});`;
}

/** Whether the name of an attribute is that of an event handler. The browser decides which of these names have an event. */
export const isHandler = ({ name }: Pick<HtmlAttribute, 'name'>): boolean => name.startsWith('on');

/**
 * For an element with handlers such as `onclick`: where their code is, for the runtime. Its first word is a path of the page
 * that stands for the file, the others are the line and column of each handler.
 */
export function handlerLocations(
  id: string,
  file: string,
  text: string,
  { attributes }: HtmlElement,
): string | undefined {
  const handlers = [...attributes.values()].filter(isHandler);
  if (handlers.length === 0) return undefined;
  const positions = handlers.map(({ valueSpan, span }) => lineAndColumn(text, (valueSpan ?? span).start));
  return [handlerPath(id, file), ...positions.map(({ line, column }) => `${line}:${column}`)].join(' ');
}

const handlerPath = (id: string, file: string): string => `${mountPrefix}${id}/${encodePath(file)}.js`;
