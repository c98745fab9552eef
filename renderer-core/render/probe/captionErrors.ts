// Errors for files of captions: the page does not request them, because the assembly has read them.
import { UserError } from '../../errors.ts';
import { encodePath } from '../../model/text/percentText.ts';
import { captionFiles } from '../../plan/captionFiles.ts';
import { missingFileError } from './assetErrors.ts';
import type { ReferencingProject } from './assetReferences.ts';

const origin = 'http://project';

/** Throws UserError `asset_missing` for a file that cannot be read. */
export function assertCaptionFiles(project: ReferencingProject): void {
  const { graph, files, draft } = project;
  for (const { source, path } of captionFiles(graph, draft.variables, files)) {
    if (path === undefined)
      throw new UserError('asset_missing', `Captions must be a file in the project folder (got ${source})`, {
        hint: 'Copy the file into the project folder.',
      });
    if (files.exists(path)) continue;
    throw missingFileError(
      { url: `${origin}/${encodePath(path)}`, reason: 'missing', referer: '' },
      { origin },
      project,
    );
  }
}
