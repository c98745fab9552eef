// Parts that several JSON schemas share.

/** The `examples` of a schema without duplicates; nothing if there are none. */
export function examples(values: readonly unknown[]): { examples?: unknown[] } {
  return values.length > 0 ? { examples: [...new Set(values)] } : {};
}

/** A snippet's tab stop with a placeholder. */
export const stop = (index: number, text: string): string => `\${${index}:${text}}`;

/** Escapes text for a snippet. */
export function snippetText(text: string): string {
  return text.replace(/[\\$}]/g, '\\$&');
}

/** The pattern of a color value. */
export const colorPattern = '^#[0-9a-fA-F]{6}$';
