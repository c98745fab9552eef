// Completion of file paths in JSON: values of variables that `data-var-src` binds to `src`.
import type { CompletionItem } from 'vscode-languageserver-types';
import { attr } from '../../../renderer-core/model/attributes.ts';
import { referenceBase } from '../../../renderer-core/model/graph.ts';
import { toFileSpan } from '../../../renderer-core/model/text/attributeText.ts';
import type { HtmlElement } from '../../../renderer-core/model/text/html.ts';
import { jsonAt, jsonValue, readJson } from '../../../renderer-core/model/text/jsonText.ts';
import type { CursorContext } from '../cursorContext.ts';
import { declaringFile } from '../declaringFile.ts';
import { snippetText } from '../schemas/schemaParts.ts';
import type { SourceFile } from '../sourceFile.ts';
import { pathOffers } from './completePath.ts';
import { tokenEnd, valueItem } from './completionItems.ts';

const mediaFiles: Record<string, RegExp> = {
  img: /\.(?:png|jpe?g|gif|webp|avif|svg)$/i,
  video: /\.(?:mp4|webm|mov|mkv|m4v)$/i,
  audio: /\.(?:mp3|wav|m4a|aac|ogg|opus|flac|webm|mp4)$/i,
};
const captionFiles = /\.(?:vtt|srt)$/i;

/** Offers media files of the types that fit the bound elements, relative to the file that declares the variable. */
export function completeAsset(
  file: SourceFile,
  context: CursorContext & { kind: 'json' },
  offset: number,
): CompletionItem[] {
  const { json, text, at } = context;
  const source = json && sourceVariable(file, context);
  if (!source) return [];
  const token = json.token;
  if (token && typeof token.value !== 'string') return [];
  const front = token ? text.text.slice(token.start + 1, at) : '';
  const typed = front.slice(0, front.lastIndexOf('/') + 1);
  const span = token
    ? toFileSpan(text, token.start, tokenEnd(text.text, token.start, token.end, at))
    : { start: offset, end: offset };
  const files = file.project.assets().filter((path) => source.kinds.some((kind) => kind.test(path)));
  return pathOffers(source.from, front, files, () => ({})).map((offer, sort) => {
    const written = JSON.stringify(typed + (offer.text ?? offer.label));
    const inside = snippetText(written.slice(0, -1));
    const ending = offer.opensList ? '$0"' : '"$0';
    return valueItem(
      file,
      context,
      offset,
      { ...offer, text: inside + ending, filter: written, isSnippet: true, sort },
      span,
    );
  });
}

const anyMedia = new RegExp(
  Object.values(mediaFiles)
    .map(({ source }) => source)
    .join('|'),
  'i',
);

/** The file that declares the variable at the cursor, and the files that fit; undefined if it is not bound to `src`. */
function sourceVariable(
  file: SourceFile,
  { json, of: kind, element, text }: CursorContext & { kind: 'json' },
): { from: string; kinds: RegExp[] } | undefined {
  if (!json || json.isKey) return undefined;
  const [first, second] = json.path;
  if (kind === 'declarations' && second === 'default' && first !== undefined) {
    const { root } = readJson(text);
    const id = root && jsonAt(root, [first, 'id']);
    return id && boundTags(file.path, file.composition, jsonValue(id));
  }
  const declaring = kind === 'values' && json.path.length === 1 ? declaringFile(file, element) : undefined;
  return declaring && boundTags(declaring.path, declaring.composition, first);
}

function boundTags(path: string, composition: SourceFile['composition'], id: unknown) {
  const from = referenceBase(path, composition);
  const sources = composition.bindings.filter((binding) => binding.kind === 'src' && binding.id.text === id);
  const kindOf = ({ tag, attributes }: HtmlElement) =>
    attributes.has(attr.captionsSrc) ? captionFiles : (mediaFiles[tag] ?? anyMedia);
  return sources.length > 0 ? { from, kinds: [...new Set(sources.map(({ element }) => kindOf(element)))] } : undefined;
}
