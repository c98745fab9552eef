// Tells which files of a project have changed on disk, where no editor does.
import { watch } from 'node:fs';

/** Editors write a file in several steps. Milliseconds. */
const restMs = 30;

/** `onChange` gets paths relative to `root`, with slashes. What cannot be watched is not followed. */
export function watchFolder(root: string, onChange: (path: string) => void, signal: AbortSignal): void {
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const watcher = watch(root, { recursive: true, signal }, (_, name) => {
    const path = name?.replaceAll('\\', '/');
    if (path === undefined || /(?:^|\/)(?:\.|node_modules\/|renders\/)/.test(path)) return;
    changed.add(path);
    clearTimeout(timer);
    timer = setTimeout(() => {
      const paths = [...changed];
      changed.clear();
      for (const one of paths) onChange(one);
    }, restMs);
  });
  watcher.on('error', () => undefined);
}
