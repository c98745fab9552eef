// Describes the compositions of a folder: sizes, variables, and which embeds which.

import { posix } from 'node:path';
import { createProject, type Project } from './lint/project.ts';
import { compositionSize } from './model/compositionSize.ts';
import { lineAndColumn } from './model/text/spans.ts';
import { isHtmlPath, listProjectFiles, readProjectTexts } from './project/projectFiles.ts';
import { findProject, groupByProject, noComposition } from './project/projectRoots.ts';
import type { DescribedComposition, ProjectDescription } from './reports/projectDescription.ts';

/**
 * Describes the compositions of a project folder, of a folder of projects, or of one HTML file. Throws UserError
 * `project_not_found`, or `composition_not_found` if there is none.
 */
export async function describeProject(dir: string, signal?: AbortSignal): Promise<ProjectDescription> {
  const { root, file } = await findProject(dir);
  const paths = (await listProjectFiles(root, signal)).filter(isHtmlPath);
  const texts = await readProjectTexts(root, paths, signal);
  const folders = file === undefined ? groupByProject(paths) : [{ folder: '', files: paths }];
  const compositions = folders.flatMap(({ folder, files }) => {
    const project = createProject();
    for (const path of files) project.set(path, texts.get(posix.join(folder, path)) ?? '');
    const own = project.files().filter((path) => file === undefined || path === file);
    return own.flatMap((path) => describe(project, folder, path));
  });
  if (compositions.length > 0) return { root, compositions };
  throw noComposition(dir, file);
}

function describe(project: Project, folder: string, path: string): DescribedComposition[] {
  const composition = project.composition(path);
  if (!composition) return [];
  const { text, id, duration, fps, declarations, variables, hosts } = composition;
  const problems = [...variables.rejected, ...(variables.problem ? [variables.problem] : [])];
  const rooted = (file: string): string => posix.join(folder, file);
  return [
    {
      file: rooted(path),
      project: folder === '' ? '.' : folder,
      composition: path,
      id: id?.text ?? null,
      ...compositionSize(path, project),
      duration: duration?.value ?? null,
      fps: fps?.value ?? null,
      variables: declarations,
      rejected: problems.map(({ message, span }) => ({ message, ...lineAndColumn(text, span.start) })),
      embeds: hosts.map(({ src, values }) => {
        const target = project.target(path, src.text);
        return {
          file: target === null ? null : rooted(target),
          source: src.text,
          ...lineAndColumn(text, src.span.start),
          values: values?.values ?? {},
        };
      }),
      embeddedBy: project.embeddersOf(path).map(rooted),
    },
  ];
}
