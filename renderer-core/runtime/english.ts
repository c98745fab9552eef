// Replaces @vscode/l10n in scripts of pages: their messages are English.

/** Returns the text of a template, or of a sentence without placeholders. */
export function t(text: string | TemplateStringsArray, ...values: readonly (string | number | boolean)[]): string {
  return typeof text === 'string' ? text : String.raw({ raw: text }, ...values);
}
