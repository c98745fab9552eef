// Completion of font families in `font-family`: those that are declared, those that are included, and generic ones.
import { type CompletionItem, CompletionItemKind } from 'vscode-languageserver-types';
import { fontSources } from '../../../renderer-core/lint/fontSources.ts';
import { genericFamilies, pinnedFamilies, replacedNames } from '../../../renderer-core/model/fonts/pinnedFamilies.ts';
import type { CursorContext } from '../cursorContext.ts';
import { fontDetail, shownName, sourceText } from '../fonts.ts';
import type { SourceFile } from '../sourceFile.ts';
import { itemAt } from './completionItems.ts';

export function completeFontFamily(
  file: SourceFile,
  { span, quote }: CursorContext & { kind: 'fontFamily' },
): CompletionItem[] {
  const { fonts } = fontSources(file.project, file.path, file.composition);
  const declared = [...fonts.values()].map((font) => ({ name: font.name, detail: sourceText(file, font) }));
  const included = [...pinnedFamilies.map(({ name }) => name), ...replacedNames.map(shownName)];
  const others = [...new Set(included)].filter((name) => !fonts.has(name.toLowerCase()));
  const offers = [
    ...[...declared, ...others.map((name) => ({ name, detail: fontDetail(name, false) }))].map((offer) => ({
      ...offer,
      text: spelled(offer.name, quote),
    })),
    ...Object.keys(genericFamilies).map((name) => ({ name, detail: fontDetail(name, true), text: name })),
  ];
  // If a quote is typed already, the list is filtered by the text with it.
  const typed = /["']/.exec(file.composition.text[span.start] ?? '')?.[0] ?? '';
  return offers.map(({ name, detail, text }, sort) => {
    const filter = `${typed}${name}${typed}`;
    return itemAt(file, span, { label: name, text, detail, kind: CompletionItemKind.Value, sort, filter });
  });
}

/** One word needs no quotes, except a name that is also a generic one. */
function spelled(name: string, quote: string): string {
  const isWord = /^-?[a-z][\w-]*$/i.test(name) && !Object.hasOwn(genericFamilies, name.toLowerCase());
  return isWord ? name : `${quote}${name.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`)}${quote}`;
}
