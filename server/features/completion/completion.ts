// Completion: selects the items by the cursor's context.
import type { CompletionItem, CompletionList } from 'vscode-languageserver-types';
import { toFileOffset } from '../../../renderer-core/model/text/attributeText.ts';
import { contextAt } from '../cursorContext.ts';
import type { SourceFile } from '../sourceFile.ts';
import { completeFontFamily } from './completeFontFamily.ts';
import { completeJson } from './completeJson.ts';
import { completeNames } from './completeNames.ts';
import { completePath } from './completePath.ts';
import { completeStart } from './completeStart.ts';
import { completeBinding, completeCondition, completeValue } from './completeValue.ts';
import { completeCustomProperty, completeScript } from './completeVariables.ts';

/** Characters after which editors request completion automatically. */
export const completionTriggers: readonly string[] = ['"', "'", '$', '{', '/', '-', ':', ',', ' ', '=', '+', '.', ';'];

/** Offers nothing that an HTML language server offers already. Never throws. */
export async function complete(file: SourceFile, offset: number): Promise<CompletionList> {
  return { isIncomplete: false, items: await itemsAt(file, offset) };
}

function itemsAt(file: SourceFile, offset: number): CompletionItem[] | Promise<CompletionItem[]> {
  const context = contextAt(file, offset);
  // Nothing can be completed inside a character reference.
  if ('at' in context && toFileOffset(context.text, context.at) !== offset) return [];
  switch (context.kind) {
    case 'name':
      return completeNames(file, context);
    case 'json':
      return completeJson(file, context, offset);
    case 'start':
      return completeStart(file, context, offset);
    case 'path':
      return completePath(file, context, offset);
    case 'binding':
      return completeBinding(file, context, offset);
    case 'condition':
      return completeCondition(file, context, offset);
    case 'value':
      return completeValue(file, context, offset);
    case 'script':
      return completeScript(file, context);
    case 'customProperty':
      return completeCustomProperty(file, context.span);
    case 'fontFamily':
      return completeFontFamily(file, context);
    case 'none':
      return [];
  }
}
