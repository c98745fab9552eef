// Paths of files in a project folder, by their URIs.
import { Uri } from 'vscode';

/** The path below the folder, with slashes; undefined for what is elsewhere. */
export function pathInProject(projectUri: string, uri: Uri): string | undefined {
  const project = Uri.parse(projectUri);
  if (project.scheme !== uri.scheme || project.authority !== uri.authority) return undefined;
  const folder = project.path.endsWith('/') ? project.path : `${project.path}/`;
  return uri.path.startsWith(folder) ? uri.path.slice(folder.length) : undefined;
}
