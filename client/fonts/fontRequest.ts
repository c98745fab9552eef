// The argument of the command that adds a font, and its arguments for the command line.

export type FontRequest = { uri?: string; font?: string };

/** A keybinding can pass anything. */
export function requestIn(given: unknown): FontRequest {
  if (typeof given !== 'object' || given === null) return {};
  const { uri, font } = given as { uri?: unknown; font?: unknown };
  return {
    ...(typeof uri === 'string' && uri !== '' ? { uri } : {}),
    ...(typeof font === 'string' && font !== '' ? { font } : {}),
  };
}

/** Undefined for a text that the command line would not read as a name: names come from files of others. */
export function fontArguments(font: string): string[] | undefined {
  return /^[\p{L}\p{N}][\p{L}\p{N}\p{M} .'&+_-]*$/u.test(font) ? ['fonts', 'add', font] : undefined;
}
