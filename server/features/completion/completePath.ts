// Completion of project paths, one folder level at a time.
import { type CompletionItem, CompletionItemKind } from 'vscode-languageserver-types';
import type { Project } from '../../../renderer-core/lint/project.ts';
import { referenceBase, resolveReference } from '../../../renderer-core/model/graph.ts';
import { toFileOffset } from '../../../renderer-core/model/text/attributeText.ts';
import type { ValueContext } from '../cursorContext.ts';
import { describeCues } from '../hover/describeCaptions.ts';
import { compositionDetail, variableMarkdown } from '../hover/descriptions.ts';
import type { SourceFile } from '../sourceFile.ts';
import { lineSpan, type Offer, valueItem } from './completionItems.ts';

/** Offers the composition files that this one can embed, or files of captions. */
export function completePath(file: SourceFile, context: ValueContext, offset: number): CompletionItem[] {
  const front = context.text.text.slice(0, context.at).trimStart();
  const { files, describe } = context.key === 'captionsSrc' ? captionFiles(file.project) : embeddable(file);
  const offers = pathOffers(referenceBase(file.path, file.composition), front, files, describe);
  // Only the part after the last slash is new.
  const lastSlash = context.text.text.lastIndexOf('/', context.at - 1);
  if (lastSlash < 0 || context.at === 0) return offers.map((offer) => valueItem(file, context, offset, offer));
  const span = { start: toFileOffset(context.text, lastSlash + 1), end: lineSpan(file, context.text.span, offset).end };
  return offers.map((offer) => valueItem(file, context, offset, offer, span));
}

type Offered = {
  files: readonly string[];
  describe(path: string): Pick<Offer, 'detail' | 'documentation'> | undefined;
};

function embeddable({ project, path: own }: SourceFile): Offered {
  const around = embeddersOf(project, own);
  return {
    files: project.files().filter((path) => !around.has(path)),
    describe(path) {
      const composition = project.composition(path);
      if (!composition?.root) return undefined;
      return {
        detail: compositionDetail({ path, project, composition }),
        documentation: composition.declarations.map(variableMarkdown).join('\n\n---\n\n'),
      };
    },
  };
}

const captionFiles = (project: Project): Offered => ({
  files: project.assets().filter((path) => /\.(?:vtt|srt)$/i.test(path)),
  describe: (path) => ({ detail: describeCues(project.captions(path)) }),
});

/** A file and all files that embed it, directly or indirectly. Embedding one of them would create a cycle. */
function embeddersOf(project: Project, path: string): ReadonlySet<string> {
  const found = new Set([path]);
  // The set grows during iteration.
  for (const each of found) for (const embedder of project.embeddersOf(each)) found.add(embedder);
  return found;
}

/**
 * Offers the files and folders that can follow the last slash of a path in the file `from`.
 * @param describe returns details of a file, or undefined to omit it
 */
export function pathOffers(
  from: string,
  front: string,
  files: readonly string[],
  describe: (path: string) => Pick<Offer, 'detail' | 'documentation'> | undefined,
): Offer[] {
  const typed = front.slice(0, front.lastIndexOf('/') + 1);
  // A path is relative to its own file; if that does not lead to a file, to the project folder.
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
      detail: count === 0 ? 'parent folder' : `${count} ${count === 1 ? 'file' : 'files'}`,
      sort: 1000 + offers.length,
      opensList: true,
    });
  }
  return offers;
}

/** The project path of a folder in a reference, `''` for the project folder; null outside the project. */
function folderOf(from: string, typed: string): string | null {
  // Resolve a file inside the folder, because the project folder itself has an empty path.
  const inside = resolveReference(from, `${typed}x`);
  return inside === null ? null : inside.slice(0, -1);
}

/** These characters end the path of a URL or start an escape. */
function urlPart(name: string): string {
  return name.replace(/[%#?]/g, (sign) => encodeURIComponent(sign));
}
