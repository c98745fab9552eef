// Which folder is the project of a file: a workspace may hold one project, or many side by side.

/** The file that makes a folder a project, and holds its settings. */
export const manifestName = 'framework.json';

/** The composition that a project begins with. */
export const entryName = 'index.html';

/**
 * The project folder of a file, as a path below the workspace folder (`''` for that itself): the nearest folder around it
 * with a manifest, else the outermost with an entry composition, else the workspace folder.
 */
export function projectFolderOf(
  path: string,
  hasManifest: (folder: string) => boolean,
  hasEntry: (folder: string) => boolean,
): string {
  const folders = foldersAround(path);
  return folders.findLast(hasManifest) ?? folders.find(hasEntry) ?? '';
}

/** From the workspace folder inwards. */
function foldersAround(path: string): string[] {
  const folders = [''];
  for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1))
    folders.push(path.slice(0, slash));
  return folders;
}

/** The folder that a path is in. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** `folder/name`, where the folder may be the topmost. */
export function inFolder(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

/** A path below a project folder, as the project calls it. */
export function belowFolder(folder: string, path: string): string {
  return folder === '' ? path : path.slice(folder.length + 1);
}
