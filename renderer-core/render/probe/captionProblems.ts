// Problems of files of captions: the page does not request them, because the assembly has read them.
import { UserError } from '../../errors.ts';
import { readCues } from '../../model/captions/readCues.ts';
import { captionFiles } from '../../plan/captionFiles.ts';
import { missingPathError } from './assetErrors.ts';
import type { ReferencingProject } from './assetReferences.ts';

/** Warnings about files whose captions are not shown. Throws UserError `asset_missing` for a file that cannot be read. */
export function captionWarnings(project: ReferencingProject): string[] {
  const { graph, files, draft } = project;
  return captionFiles(graph, draft.variables, files).flatMap(({ source, path }) => {
    if (path === undefined)
      throw new UserError('asset_missing', `Captions must be a file in the project folder (got ${source})`, {
        hint: 'Copy the file into the project folder.',
      });
    const text = files.read(path);
    if (text === undefined) throw missingPathError(path, 'missing', project);
    const { cues, isDamaged } = readCues(text);
    if (isDamaged) return [`${path} has characters that cannot be read; save it as UTF-8`];
    return cues.length === 0 ? [`${path} has no captions; it must be a WebVTT or SRT file`] : [];
  });
}
