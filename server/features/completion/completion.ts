// Completion: what can stand at an offset, by the kind of place.
import type { CompletionItem, CompletionList } from 'vscode-languageserver-types';
import { toFileOffset } from '../../renderer-core/model/attributeText.ts';
import { completeJson } from './completeJson.ts';
import { completeNames } from './completeNames.ts';
import { completePath } from './completePath.ts';
import { completeProperty, completeScript } from './completeReads.ts';
import { completeStart } from './completeStart.ts';
import { completeBinding, completeValue } from './completeValue.ts';
import type { SourceFile } from './file.ts';
import { placeAt } from './place.ts';

/** Characters behind which an editor should ask without being told to. */
export const completionTriggers: readonly string[] = ['"', "'", '$', '{', '/', '-', ':', ',', ' ', '=', '+', '.', ';'];

/** What can stand at an offset. Offers nothing that an HTML server offers already. Never throws. */
export async function complete(file: SourceFile, offset: number): Promise<CompletionList> {
  return { isIncomplete: false, items: await itemsAt(file, offset) };
}

function itemsAt(file: SourceFile, offset: number): CompletionItem[] | Promise<CompletionItem[]> {
  const place = placeAt(file, offset);
  // Inside a character reference there is nothing to complete.
  if ('at' in place && toFileOffset(place.text, place.at) !== offset) return [];
  switch (place.kind) {
    case 'name':
      return completeNames(file, place);
    case 'json':
      return completeJson(file, place, offset);
    case 'start':
      return completeStart(file, place, offset);
    case 'path':
      return completePath(file, place, offset);
    case 'binding':
      return completeBinding(file, place, offset);
    case 'value':
      return completeValue(file, place, offset);
    case 'script':
      return completeScript(file, place);
    case 'customProperty':
      return completeProperty(file, place.span);
    case 'none':
      return [];
  }
}
