// Where a tool may work: folders of the workspace, and what is in them.

export type Places = {
  /** Absolute paths of the workspace's folders, with slashes, without one at the end. */
  folders: readonly string[];
};

/** The absolute path that an agent means, or why there is none. Relative paths begin in the first folder. */
export function insideWorkspace(
  path: string | undefined,
  { folders }: Places,
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
