// `$name` and `${name}` references to variables, in values such as color grading. Small: it is also bundled into the page.

/** A reference that no variable answers: its name and where it stands in the value. */
export type UnresolvedReference = { name: string; path: readonly (string | number)[] };

const bareName = /^[A-Za-z_][\w.-]*$/;

/** The name in a text that is, trimmed, exactly one reference; undefined for any other text. */
export function parseReference(text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed[0] !== '$') return undefined;
  if (trimmed[1] === '{' && trimmed.endsWith('}')) {
    const name = trimmed.slice(2, -1).trim();
    return name === '' || /[{}]/.test(name) ? undefined : name;
  }
  const name = trimmed.slice(1);
  return bareName.test(name) ? name : undefined;
}

/**
 * Replaces every string that is wholly a reference by its variable's value, through objects and arrays; the value
 * keeps its type. A reference without a variable stays literal and is listed. The given value is not changed.
 */
export function resolveReferences(
  value: unknown,
  variables: Readonly<Record<string, unknown>>,
): { value: unknown; unresolved: UnresolvedReference[] } {
  const unresolved: UnresolvedReference[] = [];
  const resolve = (current: unknown, path: readonly (string | number)[]): unknown => {
    if (typeof current === 'string') {
      const name = parseReference(current);
      if (name === undefined) return current;
      if (Object.hasOwn(variables, name) && variables[name] !== undefined) return variables[name];
      unresolved.push({ name, path });
      return current;
    }
    if (path.length >= deepest || typeof current !== 'object' || current === null) return current;
    if (Array.isArray(current)) return current.map((item, index) => resolve(item, [...path, index]));
    return Object.fromEntries(Object.entries(current).map(([key, item]) => [key, resolve(item, [...path, key])]));
  };
  return { value: resolve(value, []), unresolved };
}

/** Deeper than any JSON that is read (see jsonText.ts); it ends the walk through a value that contains itself. */
const deepest = 250;
