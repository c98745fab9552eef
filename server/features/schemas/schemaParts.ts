// Pieces that several JSON schemas are made of.

/** `examples` of a schema, each once; nothing without any. */
export function examples(values: readonly unknown[]): { examples?: unknown[] } {
  return values.length > 0 ? { examples: [...new Set(values)] } : {};
}

/** A tab stop with a text in it. */
export const stop = (index: number, text: string): string => `\${${index}:${text}}`;

/** Text as it is written in a snippet. */
export function snippetText(text: string): string {
  return text.replace(/[\\$}]/g, '\\$&');
}

/** A colour as the contract takes it. */
export const colorPattern = '^#[0-9a-fA-F]{6}$';
