// A project in memory, from one string with a line `=== path` in front of each file.
import { createProject, type ProjectFiles } from '../../renderer-core/lint/project.ts';
import { filesOf } from './markup.ts';

/** Text without such a line is `index.html`. A file whose name is not `.html` is only there. */
export function memoryProject(source: string): ProjectFiles {
  const files = source.startsWith('=== ') ? filesOf(source) : new Map([['index.html', source]]);
  const project = createProject();
  project.setAssets(files.keys());
  for (const [path, text] of files) if (path.endsWith('.html')) project.set(path, text);
  return project;
}
