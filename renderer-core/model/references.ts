// References to variables, `$name` and `${name}`, in values such as color gradings. Bundled into the page.

/** A reference to a variable that does not exist: its name and its path in the value. */
export type UnresolvedReference = { name: string; path: readonly (string | number)[] };

const bareName = /^[A-Za-z_][\w.-]*$/;

/** The variable name if the trimmed text is exactly one reference, otherwise undefined. */
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

/** A reference to a variable: `$name` or `${name}`; undefined if neither can contain the name. */
export function referenceTo(name: string): string | undefined {
  return [`$${name}`, `\${${name}}`].find((reference) => parseReference(reference) === name);
}

/**
 * Replaces every string that is exactly one reference with the value of the variable, recursively; the value keeps its
 * type. A reference to an unknown variable stays and is listed. The input is not modified.
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

/** Deeper than any JSON that is read (see jsonText.ts). It ends the walk through a value that contains itself. */
const deepest = 250;
