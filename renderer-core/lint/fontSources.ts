// Finds which font families the pages of a composition file declare, and where.
import type { Composition, Script } from '../model/composition.ts';
import { importsIn, remoteFaces } from '../model/fonts/fontSheets.ts';
import { type DeclaredFace, facesDeclared, familiesDeclared } from '../model/fonts/fontUses.ts';
import { googleFontFamilies, isFontService, remoteHost } from '../model/fonts/googleFonts.ts';
import { replacementFor } from '../model/fonts/pinnedFamilies.ts';
import { referenceBase, referenceCandidates } from '../model/graph.ts';
import { isPlaceholder } from '../model/variables/placeholders.ts';
import type { Project } from './project.ts';

/** A declared family. `source` is the file that declares it, or the host of a remote style sheet. */
export type DeclaredFont = { name: string; source: string; isRemote: boolean };

/** A face of a style sheet, which is the file `from`. Its URLs are relative to that file. */
export type FoundFace = DeclaredFace & { from: string };

export type FontSources = {
  /** By name in lower case. */
  fonts: ReadonlyMap<string, DeclaredFont>;
  /** Those of style sheets in the project. */
  faces: readonly FoundFace[];
  /** Whether web font services or scripts may add faces. Their characters are not known. */
  hasOtherFaces: boolean;
  /** Whether all style sheets are known. Others can declare any family. */
  isComplete: boolean;
};

/** The families that a file declares, with its style sheets and those that declare fonts for every composition. */
export function fontSources(project: Project, path: string, composition: Composition): FontSources {
  const walk: Walk = {
    project,
    fonts: new Map(),
    faces: [],
    seen: new Set(),
    hasOtherFaces: composition.scripts.some(mayAddFaces),
    isComplete: true,
  };
  for (const { text, span } of composition.styles)
    addSheet(walk, path, text, referenceBase(path, composition, span.start));
  for (const { href } of composition.stylesheets)
    addReference(walk, referenceBase(path, composition, href.span.start), href.text);
  for (const { text } of composition.scripts) addScript(walk, path, text);
  const shared = project.fontSheets();
  for (const sheet of shared ?? []) addLocal(walk, [sheet]);
  const { fonts, faces, hasOtherFaces, isComplete } = walk;
  return { fonts, faces, hasOtherFaces, isComplete: isComplete && shared !== undefined };
}

/** The families of all files whose pages contain this file: those that embed it, directly or indirectly. */
export function embedderSources(project: Project, path: string): FontSources[] {
  const found = new Set(project.embeddersOf(path));
  // The set grows during iteration.
  for (const each of found) for (const embedder of project.embeddersOf(each)) found.add(embedder);
  return [...found].flatMap((each) => {
    const composition = project.composition(each);
    return composition ? [fontSources(project, each, composition)] : [];
  });
}

/** The fonts of all files of the pages that contain this file. */
export function pageSources(project: Project, path: string): FontSources[] {
  const found = new Set([path]);
  // The set grows during both iterations.
  for (const each of found) for (const embedder of project.embeddersOf(each)) found.add(embedder);
  for (const each of found) {
    for (const { src } of project.composition(each)?.hosts ?? []) {
      const target = project.target(each, src.text);
      if (target !== null) found.add(target);
    }
  }
  return [...found].flatMap((each) => {
    const composition = project.composition(each);
    return composition ? [fontSources(project, each, composition)] : [];
  });
}

/** Whether every machine has a family without the network: a pinned one or one that is declared in the project. */
export function isInProject(name: string, { fonts }: FontSources): boolean {
  return replacementFor(name) !== undefined || fonts.get(name.toLowerCase())?.isRemote === false;
}

/** The texts of the style sheets in the project that a style sheet loads, including itself. */
export function localSheets(project: Project, path: string, reference: string): { path: string; css: string }[] {
  const found: { path: string; css: string }[] = [];
  const seen = new Set<string>();
  const queue = [{ from: path, url: reference }];
  // The loop adds to the queue.
  for (const { from, url } of queue) {
    const sheet = referenceCandidates(from, url).find((each) => project.styleSheet(each) !== undefined);
    const css = sheet === undefined ? undefined : project.styleSheet(sheet);
    if (sheet === undefined || css === undefined || seen.has(sheet)) continue;
    seen.add(sheet);
    found.push({ path: sheet, css });
    for (const imported of importsIn(css)) queue.push({ from: sheet, url: imported.url });
  }
  return found;
}

type Walk = {
  project: Project;
  fonts: Map<string, DeclaredFont>;
  faces: FoundFace[];
  seen: Set<string>;
  hasOtherFaces: boolean;
  isComplete: boolean;
};

/** `base`: what the references of the sheet are relative to. */
function addSheet(walk: Walk, path: string, css: string, base = path): void {
  const remote = new Set(remoteFaces(css).map(({ family }) => family));
  for (const name of familiesDeclared(css)) add(walk, { name, source: path, isRemote: remote.has(name) });
  for (const face of facesDeclared(css)) walk.faces.push({ ...face, from: base });
  for (const { url } of importsIn(css)) addReference(walk, base, url);
}

function add({ fonts }: Walk, font: DeclaredFont): void {
  const known = fonts.get(font.name.toLowerCase());
  // A declaration in the project is better than one that needs the network.
  if (!known || (known.isRemote && !font.isRemote)) fonts.set(font.name.toLowerCase(), font);
}

function addReference(walk: Walk, from: string, url: string): void {
  const host = remoteHost(url);
  const requested = googleFontFamilies(url);
  for (const { name } of requested) add(walk, { name, source: host ?? url, isRemote: true });
  if (requested.length > 0) {
    walk.hasOtherFaces = true;
    return;
  }
  if (host !== undefined || isPlaceholder(url) || isFontService(url)) walk.isComplete = false;
  else addLocal(walk, referenceCandidates(from, url));
}

function addLocal(walk: Walk, candidates: readonly string[]): void {
  const path = candidates.find((each) => walk.project.styleSheet(each) !== undefined);
  const css = path === undefined ? undefined : walk.project.styleSheet(path);
  if (path === undefined || css === undefined) walk.isComplete = false;
  else if (!walk.seen.has(path)) {
    walk.seen.add(path);
    addSheet(walk, path, css);
  }
}

/** Whether a script is or uses a font loader, or adds style sheets. */
const mayAddFaces = ({ text, src }: Script): boolean =>
  /font-?face|webfont|stylesheet/i.test(text) || /font/i.test(src?.text ?? '');

/** `new FontFace("DM Sans", …)` declares a family too. */
function addScript(walk: Walk, path: string, text: string): void {
  if (!text.includes('FontFace')) return;
  for (const [, name] of text.matchAll(/new\s+FontFace\(\s*["'`]([^"'`]+)/g)) {
    if (name !== undefined) add(walk, { name, source: path, isRemote: false });
  }
}
