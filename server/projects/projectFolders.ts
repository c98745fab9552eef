// Finds the project folder of a file: a workspace can contain one project or several.

/** The file that marks a folder as a project and contains its settings. */
export const manifestName = 'framework.json';

/** The name of a project's entry composition. */
export const entryName = 'index.html';

/**
 * The project folder of a file, relative to the workspace folder (`''` for the workspace folder itself): the nearest parent
 * with a manifest, otherwise the outermost parent with an entry composition, otherwise the workspace folder.
 */
export function projectFolderOf(
  path: string,
  hasManifest: (folder: string) => boolean,
  hasEntry: (folder: string) => boolean,
): string {
  const folders = foldersAround(path);
  return folders.findLast(hasManifest) ?? folders.find(hasEntry) ?? '';
}

/** All folders that contain the file, starting with the workspace folder. */
function foldersAround(path: string): string[] {
  const folders = [''];
  for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1))
    folders.push(path.slice(0, slash));
  return folders;
}

export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** Joins a folder, which may be `''`, and a name. */
export function inFolder(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

/** The part of a path below a project folder. */
export function belowFolder(folder: string, path: string): string {
  return folder === '' ? path : path.slice(folder.length + 1);
}
