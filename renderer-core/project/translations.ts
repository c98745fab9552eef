// Loads the translation of findings and errors for a program. Without one, texts are English.
import { readFileSync } from 'node:fs';
import * as l10n from '@vscode/l10n';

const packaged = new URL(import.meta.url.endsWith('.ts') ? '../../l10n/' : '../l10n/', import.meta.url);

/** `locale` is a language tag such as `de` or `pt-BR`. For a tag without a translation, that of its language is used. */
export function loadTranslation(locale: string | undefined, folder: URL = packaged): void {
  l10n.config({ contents: translationFor(locale, folder) });
}

function translationFor(locale: string | undefined, folder: URL): l10n.l10nJsonFormat {
  // Other characters could name a file in another folder.
  const [tag, language] = /^([a-z]+)(?:-[a-z0-9]+)*$/i.exec(locale ?? '') ?? [];
  for (const name of [tag, language]) {
    if (name === undefined) continue;
    try {
      return JSON.parse(readFileSync(new URL(`bundle.l10n.${name.toLowerCase()}.json`, folder), 'utf8'));
    } catch {
      // There is no such translation, or it is damaged. English is better than no message.
    }
  }
  return {};
}
