// Completion of paths of the project's files, folder by folder, as they are written in one file.
import { type CompletionItem, CompletionItemKind } from 'vscode-languageserver-types';
import type { Project } from '../../renderer-core/lint/project.ts';
import { toFileOffset } from '../../renderer-core/model/attributeText.ts';
import { resolveReference } from '../../renderer-core/model/graph.ts';
import { lineSpan, type Offer, valueItem } from './completionItems.ts';
import { compositionDetail, variableMarkdown } from './describe.ts';
import type { SourceFile } from './file.ts';
import type { ValuePlace } from './place.ts';

/** Composition files that this one can embed. */
export function completePath(file: SourceFile, place: ValuePlace, offset: number): CompletionItem[] {
  const front = place.text.text.slice(0, place.at).trimStart();
  const around = embeddersOf(file.project, file.path);
  const files = file.project.files().filter((path) => !around.has(path));
  const offers = pathOffers(file.path, front, files, (path) => {
    const composition = file.project.composition(path);
    if (!composition?.root) return undefined;
    return {
      detail: compositionDetail(composition),
      documentation: composition.declarations.map(variableMarkdown).join('\n\n---\n\n'),
    };
  });
  // Only the part behind the last slash is new.
  const lastSlash = place.text.text.lastIndexOf('/', place.at - 1);
  if (lastSlash < 0 || place.at === 0) return offers.map((offer) => valueItem(file, place, offset, offer));
  const span = { start: toFileOffset(place.text, lastSlash + 1), end: lineSpan(file, place.text.span, offset).end };
  return offers.map((offer) => valueItem(file, place, offset, offer, span));
}

/** A file and all files that embed it, directly or not: to embed one of those would close a circle. */
function embeddersOf(project: Project, path: string): ReadonlySet<string> {
  const found = new Set([path]);
  // The set grows while it is walked.
  for (const each of found) for (const embedder of project.embeddersOf(each)) found.add(embedder);
  return found;
}

/**
 * What can follow the last slash of a path that is being written in the file `from`: files, and folders that hold some.
 * `describe` says more about a file, or undefined to leave it out.
 */
export function pathOffers(
  from: string,
  front: string,
  files: readonly string[],
  describe: (path: string) => Pick<Offer, 'detail' | 'documentation'> | undefined,
): Offer[] {
  const typed = front.slice(0, front.lastIndexOf('/') + 1);
  // A path begins at its own file; where that leads nowhere, at the project folder.
  const folders = [folderOf(from, typed), ...(typed === '' || typed.startsWith('.') ? [] : [folderOf('', typed)])];
  const folder = folders.find((each) => each !== null && files.some((path) => path.startsWith(each)));
  if (folder === null || folder === undefined) return [];
  const subfolders = new Map<string, number>();
  const offers: Offer[] = [];
  for (const path of files) {
    if (!path.startsWith(folder)) continue;
    const rest = path.slice(folder.length);
    const slash = rest.indexOf('/');
    if (slash >= 0) {
      const name = rest.slice(0, slash + 1);
      subfolders.set(name, (subfolders.get(name) ?? 0) + 1);
      continue;
    }
    const more = describe(path);
    if (more)
      offers.push({ label: rest, text: urlPart(rest), kind: CompletionItemKind.File, sort: offers.length, ...more });
  }
  const isUpwards = /^(?:\.\.\/)*$/.test(typed);
  if (isUpwards && folder !== '' && files.some((path) => !path.startsWith(folder))) subfolders.set('../', 0);
  for (const [name, count] of subfolders) {
    offers.push({
      label: name,
      text: urlPart(name),
      kind: CompletionItemKind.Folder,
      detail: count === 0 ? 'the folder above' : `${count} ${count === 1 ? 'file' : 'files'}`,
      sort: 1000 + offers.length,
      opensList: true,
    });
  }
  return offers;
}

/** The project path of a folder as it is written in a file, `''` for the project folder; null outside the project. */
function folderOf(from: string, typed: string): string | null {
  // The name of a file in the folder: the folder itself has none when it is the project's.
  const inside = resolveReference(from, `${typed}x`);
  return inside === null ? null : inside.slice(0, -1);
}

/** In a URL these end the path or begin an escape. */
function urlPart(name: string): string {
  return name.replace(/[%#?]/g, (sign) => encodeURIComponent(sign));
}
