// Completion of file paths in JSON: values of the variables that `data-var-src` makes into a `src`.
import type { CompletionItem } from 'vscode-languageserver-types';
import { toFileSpan } from '../../renderer-core/model/attributeText.ts';
import { jsonAt, jsonValue, readJson } from '../../renderer-core/model/jsonText.ts';
import { pathOffers } from './completePath.ts';
import { tokenEnd, valueItem } from './completionItems.ts';
import type { SourceFile } from './file.ts';
import { declaringFile } from './instanceTarget.ts';
import type { Place } from './place.ts';
import { snippetText } from './schemaParts.ts';

const mediaFiles: Record<string, RegExp> = {
  img: /\.(?:png|jpe?g|gif|webp|avif|svg)$/i,
  video: /\.(?:mp4|webm|mov|mkv|m4v)$/i,
  audio: /\.(?:mp3|wav|m4a|aac|ogg|opus|flac|webm|mp4)$/i,
};

/** Files that fit the elements which the variable fills; paths begin at the file that declares it. */
export function completeAsset(file: SourceFile, place: Place & { kind: 'json' }, offset: number): CompletionItem[] {
  const { json, text, at } = place;
  const source = json && sourceVariable(file, place);
  if (!source) return [];
  const token = json.token;
  if (token && typeof token.value !== 'string') return [];
  const front = token ? text.text.slice(token.start + 1, at) : '';
  const typed = front.slice(0, front.lastIndexOf('/') + 1);
  const span = token
    ? toFileSpan(text, token.start, tokenEnd(text.text, token.start, token.end, at))
    : { start: offset, end: offset };
  const files = file.project
    .assets()
    .filter((path) => source.tags.some((tag) => (mediaFiles[tag] ?? anyMedia).test(path)));
  return pathOffers(source.from, front, files, () => ({})).map((offer, sort) => {
    const written = JSON.stringify(typed + (offer.text ?? offer.label));
    const inside = snippetText(written.slice(0, -1));
    const ending = offer.opensList ? '$0"' : '"$0';
    return valueItem(
      file,
      place,
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

/** The file that declares the variable whose value stands here, and the tags that it fills; undefined for other variables. */
function sourceVariable(
  file: SourceFile,
  { json, of: kind, element, text }: Place & { kind: 'json' },
): { from: string; tags: string[] } | undefined {
  if (!json || json.isKey) return undefined;
  const [first, second] = json.path;
  if (kind === 'declarations' && second === 'default' && first !== undefined) {
    const { root } = readJson(text);
    const id = root && jsonAt(root, [first, 'id']);
    return id && filled(file.path, file.composition, jsonValue(id));
  }
  const declaring = kind === 'values' && json.path.length === 1 ? declaringFile(file, element) : undefined;
  return declaring && filled(declaring.path, declaring.composition, first);
}

function filled(from: string, { bindings }: SourceFile['composition'], id: unknown) {
  const sources = bindings.filter((binding) => binding.kind === 'src' && binding.id.text === id);
  return sources.length > 0 ? { from, tags: [...new Set(sources.map(({ element }) => element.tag))] } : undefined;
}
