// One composition as it is being shown: read and assembled again at every change, with its faults as problems.
import { UserError } from '../errors.ts';
import { assemblePage } from '../plan/assemble.ts';
import type { FaultProject } from '../render/places.ts';
import { prepareIn, readProject } from '../render/prepare.ts';
import type { PreviewProblem } from './messages.ts';
import type { Overlay } from './overlay.ts';
import { watcherScript } from './pageHtml.ts';
import { versionOf } from './scriptVersion.ts';

export type AssembledPreview = {
  /** Everything that decides what is shown: equal for equal pages. */
  content: string;
  /** The page's own text, as its given version. */
  html(version: number): string;
  scripts: Map<string, string>;
  project: FaultProject;
};

/** `page` is absent where the composition cannot be shown; `problems` then say why. */
export type ReadPreview = { page?: AssembledPreview; problems: PreviewProblem[] };

/** Stands where the version is written in, once it is known whether there is a new one. */
const headMark = '<script data-head></script>';

/** Never throws for what the author wrote. */
export function readPreview(
  root: string,
  composition: string,
  values: Record<string, unknown>,
  files: Overlay,
): ReadPreview {
  try {
    if (!files.exists(composition)) {
      throw new UserError('composition_not_found', `The composition ${composition} does not exist`, {
        hint: 'Save the file in the project folder, or show another one.',
      });
    }
    const project = readProject(root, composition, files);
    const { draft, issues, warnings } = prepareIn(project, { composition, variables: values });
    const { graph } = project;
    const facts = {
      composition,
      files: [...graph.files.keys()],
      width: draft.page.width,
      height: draft.page.height,
      rate: draft.fps,
      duration: draft.duration,
    };
    // From the composition's page to the root, so that the page works wherever it is reached.
    const base = '../'.repeat(composition.split('/').length - 1) || './';
    const start = { seed: draft.seed, epochMs: draft.epochMs, marks: true, head: headMark };
    const { html, scripts, shifts } = assemblePage(graph, values, { ...files, base, versionOf }, start);
    const page: AssembledPreview = {
      content: JSON.stringify([html, facts, [...scripts]]),
      html: (version) => html.replace(headMark, () => watcherScript({ ...facts, shifts, version })),
      scripts,
      project: { graph, files, draft },
    };
    const said = [...issues.map(({ message }) => message), ...warnings];
    return { page, problems: said.map((message) => ({ severity: 'warning', message })) };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { problems: [problemOf(error)] };
  }
}

export function problemOf({ message, hint, place }: UserError): PreviewProblem {
  return {
    severity: 'error',
    message,
    ...(hint === undefined ? {} : { hint }),
    ...(place === undefined ? {} : { place }),
  };
}
