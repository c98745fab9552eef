// A project in memory, from one string with a line `=== path` before each file.
import { createProject, type ProjectFiles } from '../../../renderer-core/lint/project.ts';
import { filesOf } from './markup.ts';

/** Text without such a line is `index.html`. Files other than `.html` and `.css` only exist, without content. */
export function memoryProject(source: string): ProjectFiles {
  const files = source.startsWith('=== ') ? filesOf(source) : new Map([['index.html', source]]);
  const project = createProject();
  project.setAssets(files.keys());
  for (const [path, text] of files) if (/\.(?:html|css)$/.test(path)) project.set(path, text);
  return project;
}
