// Reports changes of files in a project folder.
import { watch } from 'node:fs';

/** Editors write a file in several steps. Changes are reported after this time without another change, in milliseconds. */
const debounceMs = 30;

/** Calls `onChange` with paths relative to `root`, with slashes. Folders that cannot be watched are ignored. */
export function watchFolder(
  root: string,
  onChange: (path: string) => void,
  signal: AbortSignal,
  recursive = true,
): void {
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const watcher = watch(root, { recursive, signal }, (_, name) => {
    const path = name?.replaceAll('\\', '/');
    if (path === undefined || /(?:^|\/)(?:\.|(?:node_modules|renders)(?:\/|$))/.test(path)) return;
    changed.add(path);
    clearTimeout(timer);
    timer = setTimeout(() => {
      const paths = [...changed];
      changed.clear();
      for (const one of paths) onChange(one);
    }, debounceMs);
  });
  // The caller works without watching; it only does not follow changes.
  watcher.on('error', () => undefined);
}
