// Names of videos: the project, and what makes this video different. `launch-card-halo-two.mp4`, then `launch-card-halo-two-2.mp4`.
import type { Values } from '../../compositions/draftValues.ts';
import type { RenderEntry } from '../history.ts';

/** `project`: the name of the project folder. `path`: the path of the composition in it. */
export type NamedComposition = { project: string; path: string };

/** `set`: the name of the set that the values come from. `values`: only those that differ from the defaults. */
export type OutputSubject = NamedComposition & { set?: string | undefined; values: Values };

const maxLength = 60;
const maxValueLength = 24;
/** More values would not make a name clearer. */
const maxValues = 3;

/** The name without an extension, such as `launch-card-halo-two`. */
export function outputName({ project, path, set, values }: OutputSubject): string {
  const parts = [compositionPart({ project, path }), set === undefined ? valuesPart(values) : slug(set, maxLength)];
  return shortened(parts.filter((part) => part !== '').join('-'), maxLength) || 'video';
}

/**
 * `name.mp4`, or the first of `name-2.mp4`, `name-3.mp4` … that is free. `extension` is empty for a folder of frames. Letters are
 * compared as on file systems that ignore case.
 */
export function freeName(name: string, extension: string, taken: Iterable<string>): string {
  const used = new Set([...taken].map((one) => one.toLowerCase()));
  const ending = extension === '' ? '' : `.${extension}`;
  let candidate = `${name}${ending}`;
  for (let count = 2; used.has(candidate.toLowerCase()); count += 1) candidate = `${name}-${count}${ending}`;
  return candidate;
}

/** The paths of the videos in the history. A render that failed or was cancelled has none, so its name is free. */
export function videosOf(entries: readonly Pick<RenderEntry, 'state' | 'output'>[]): string[] {
  return entries.flatMap(({ state, output }) => (state === 'completed' && output !== undefined ? output : []));
}

/** Whether an output path stays in the project folder. Paths have slashes or backslashes. */
export function isInProject(path: string, folder: string): boolean {
  const base = segmentsOf(folder);
  const isAbsolute = /^(?:[\\/]|[a-z]:)/i.test(path);
  const target = segmentsOf(isAbsolute ? path : `${folder}/${path}`);
  return target.length > base.length && base.every((name, index) => target[index] === name);
}

/** The names in an absolute path, without `.` and `..`. Drives are the same in both cases. */
function segmentsOf(path: string): string[] {
  const names: string[] = [];
  const normal = path.replace(/^[a-z]:/i, (drive) => drive.toUpperCase());
  for (const name of normal.split(/[\\/]+/).filter((part) => part !== '' && part !== '.'))
    if (name === '..') names.pop();
    else names.push(name);
  return names;
}

/** The display name of a render: the file name of its video without the extension. */
export function outputLabel(path: string): string {
  return path.replace(/^.*[\\/]/, '').replace(/(?<=.)\.\w+$/, '');
}

/** `index.html` is the project itself; another file is added to the name of the project. */
function compositionPart({ project, path }: NamedComposition): string {
  const name = slug(project, maxLength);
  const file = slug(path.replace(/\.html?$/i, '').replace(/(?:^|\/)index$/i, ''), maxLength);
  return file === '' || file === name ? name : [name, file].filter((part) => part !== '').join('-');
}

/** Texts stand for themselves; `true` and numbers say nothing without the name of their variable. */
function valuesPart(values: Values): string {
  const parts = Object.entries(values).map(([id, value]) => {
    const text = slug(typeof value === 'string' ? value : String(value), maxValueLength);
    const isText = typeof value === 'string' && /\p{L}/u.test(value) && !value.startsWith('#');
    return isText || text === '' ? text : `${slug(id, maxValueLength)}-${text}`;
  });
  return parts
    .filter((part) => part !== '')
    .slice(0, maxValues)
    .join('-');
}

/** Letters and digits in lower case, separated by hyphens. Valid in file names and readable in addresses. */
function slug(text: string, length: number): string {
  const plain = text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/['’]/g, '')
    .replaceAll(/(?<=\d)\.(?=\d)/g, '_')
    .replaceAll(/[^\p{L}\p{M}\p{N}_]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '');
  return shortened(plain, length);
}

/** Cuts at the last hyphen, so that no word is cut in the middle. */
function shortened(text: string, length: number): string {
  const characters = [...text];
  if (characters.length <= length) return text;
  const cut = characters.slice(0, length + 1).join('');
  const end = cut.lastIndexOf('-');
  return end > length / 3 ? cut.slice(0, end) : characters.slice(0, length).join('');
}
