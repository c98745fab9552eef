// The texts of the preview's page, translated to VS Code's language.
import { l10n } from 'vscode';
import { previewTexts } from '../../preview/page/texts.ts';

/** The page fills in `{0}`. `npm run strings` collects the texts where they are written. */
export const translatedTexts = (): Record<string, string> =>
  Object.fromEntries(Object.entries(previewTexts).map(([key, text]) => [key, l10n.t(text)]));
