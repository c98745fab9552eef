// Which files of a project a preview depends on, and their paths.
import { Uri } from 'vscode';

/** The path relative to the project folder, with slashes; undefined for a file outside it. */
export function pathInProject(projectUri: string, uri: Uri): string | undefined {
  const project = Uri.parse(projectUri);
  if (project.scheme !== uri.scheme || project.authority !== uri.authority) return undefined;
  const folder = project.path.endsWith('/') ? project.path : `${project.path}/`;
  return uri.path.startsWith(folder) ? uri.path.slice(folder.length) : undefined;
}

/** Whether the preview shows unsaved edits of this file. */
export function isTextFile(path: string): boolean {
  return /\.(?:html?|css|[cm]?js|svg|json|txt|vtt|srt|glsl)$/i.test(path);
}

/** Whether a composition can use this file. Excludes hidden folders, node_modules and the output folder of renders. */
export function isProjectFile(path: string): boolean {
  return !/(?:^|\/)(?:\.[^/]*|node_modules)(?:\/|$)|^renders\//.test(path) && /\.[a-z0-9]+$/i.test(path);
}
