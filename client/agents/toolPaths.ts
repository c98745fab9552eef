// The paths that a language model tool may use: those in the folders of the workspace.

/**
 * Returns the absolute path, or the reason why it is not allowed. `folders` are absolute, with slashes but without a final
 * one. Relative paths start from the first folder.
 */
export function insideWorkspace(
  path: string | undefined,
  { folders }: { folders: readonly string[] },
): { path: string } | { reason: 'empty' | 'outside' } {
  const [first] = folders;
  if (first === undefined) return { reason: 'empty' };
  if (path === undefined || path === '') return { path: first };
  const given = path.replaceAll('\\', '/');
  const isAbsolute = given.startsWith('/') || /^[a-z]:\//i.test(given);
  const full = withoutDots(isAbsolute ? given : `${first}/${given}`);
  const isInside = folders.some((folder) => full === folder || full.startsWith(`${folder}/`));
  return isInside && !path.includes('\0') ? { path: full } : { reason: 'outside' };
}

function withoutDots(path: string): string {
  const names: string[] = [];
  for (const [index, name] of path.split('/').entries()) {
    if (name === '..') names.pop();
    else if (name !== '.' && (name !== '' || index === 0)) names.push(name);
  }
  return names.join('/');
}
