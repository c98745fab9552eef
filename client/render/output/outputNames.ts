// Chooses the paths of videos, so that no render overwrites the file of another one.
import { l10n, Uri, window, workspace } from 'vscode';
import type { CompositionInfo } from '../../../server/protocol.ts';
import { projectName } from '../../compositions/compositionName.ts';
import type { Values } from '../../compositions/draftValues.ts';
import { exists } from '../../storedFiles.ts';
import type { RenderHistory } from '../history.ts';
import type { VideoChoice } from '../jobArguments.ts';
import { freeName, outputName, videosOf } from './outputName.ts';

/** Paths are relative to the project folder. `release` must be called when the render has ended. */
export type ReservedOutput = {
  path: string;
  /** The path without the number that makes it unique, for rendering again. */
  wanted: string;
  release(): void;
};

/** Without `output` and `wanted`, the name comes from the project and the values. */
export type OutputOptions = {
  /** A path in the project folder, or an absolute path. Asks before an existing file is replaced. */
  output?: string | undefined;
  /** Like `output`, but a number is added to the name if it is taken. */
  wanted?: string | undefined;
  /** The set that the values come from. */
  set?: string | undefined;
  /** The extension has no dot, and is empty for a folder of frames. Default: `mp4`. */
  extension?: string | undefined;
};

/** What is rendered, and where it is written. */
export type VideoOptions = OutputOptions & {
  /** By default, the size of the workspace. */
  video?: VideoChoice | undefined;
};

export type OutputNames = {
  /** Undefined when the user does not want to replace a file. */
  reserve(composition: CompositionInfo, values: Values, options?: OutputOptions): Promise<ReservedOutput | undefined>;
};

export function createOutputNames(history: Pick<RenderHistory, 'entries'>): OutputNames {
  /** The URIs of files that running renders will write. */
  const reserved = new Set<string>();

  /** `path` without its extension is the wish. A name stays taken while the history lists its video, even without the file. */
  async function reserveFree({ projectUri }: CompositionInfo, path: string, extension: string) {
    const project = Uri.parse(projectUri);
    const slash = path.lastIndexOf('/');
    const folder = Uri.joinPath(project, path.slice(0, Math.max(0, slash)));
    const files = await namesIn(folder);
    const owned = [...reserved, ...videosOf(history.entries()).map((output) => Uri.file(output).toString())].flatMap(
      (uri) => nameIn(folder, uri) ?? [],
    );
    const name = freeName(path.slice(slash + 1), extension, [...files, ...owned]);
    const wanted = extension === '' ? path : `${path}.${extension}`;
    return keep(project, slash < 0 ? name : `${path.slice(0, slash)}/${name}`, wanted);
  }
  async function keep(project: Uri, path: string, wanted = path): Promise<ReservedOutput> {
    const file = fileUri(project, path);
    const folder = Uri.joinPath(file, '..');
    reserved.add(file.toString());
    const isNew = !(await exists(folder));
    return {
      path,
      wanted,
      release() {
        reserved.delete(file.toString());
        const isUsed = [...reserved].some((uri) => nameIn(folder, uri) !== undefined);
        if (isNew && !isUsed) void removeIfEmpty(folder);
      },
    };
  }
  function reserveLike(composition: CompositionInfo, path: string): Promise<ReservedOutput> {
    const [, name = path, extension = ''] = /^(.*?[^/\\])\.([^./\\]+)$/.exec(path) ?? [];
    return reserveFree(composition, name.replaceAll('\\', '/'), extension);
  }
  /** Asks when the file exists. */
  async function confirm(composition: CompositionInfo, path: string): Promise<ReservedOutput | undefined> {
    const project = Uri.parse(composition.projectUri);
    const file = fileUri(project, path);
    const isRendering = reserved.has(file.toString());
    if (!isRendering && !(await exists(file))) return keep(project, path);
    const [replace, both] = [l10n.t('Replace'), l10n.t('Keep Both')];
    const chosen = await window.showWarningMessage(
      l10n.t('{0} already exists. Replace it?', path),
      { modal: true, detail: l10n.t('"Keep Both" adds a number to the name of the new video.') },
      ...(isRendering ? [both] : [replace, both]),
    );
    if (chosen === both) return reserveLike(composition, path);
    return chosen === replace ? keep(project, path) : undefined;
  }
  return {
    async reserve(composition, values, { output, wanted, set, extension = 'mp4' } = {}) {
      if (output !== undefined) return confirm(composition, output);
      if (wanted !== undefined) return reserveLike(composition, wanted);
      const name = outputName({ project: projectName(composition), path: composition.path, values, set });
      return reserveFree(composition, `renders/${name}`, extension);
    },
  };
}

/** Resolves a path against the project folder, unless it is absolute. */
function fileUri(project: Uri, path: string): Uri {
  const slashes = path.replaceAll('\\', '/');
  return /^(?:\/|[a-z]:)/i.test(slashes) ? Uri.file(slashes) : Uri.joinPath(project, slashes);
}

async function namesIn(folder: Uri): Promise<string[]> {
  try {
    return (await workspace.fs.readDirectory(folder)).map(([name]) => name);
  } catch {
    // The folder does not exist yet.
    return [];
  }
}

/** The name of a file that is directly in the folder. */
function nameIn(folder: Uri, uri: string): string | undefined {
  const { path } = Uri.parse(uri);
  const start = `${folder.path.replace(/\/$/, '')}/`;
  return path.startsWith(start) && !path.slice(start.length).includes('/') ? path.slice(start.length) : undefined;
}

/** A render that failed leaves the folder that it has created. */
async function removeIfEmpty(folder: Uri): Promise<void> {
  if (!(await exists(folder)) || (await namesIn(folder)).length > 0) return;
  await workspace.fs.delete(folder).then(undefined, () => undefined);
}
