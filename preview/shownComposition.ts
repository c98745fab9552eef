// Reads and assembles one composition for the preview, and converts errors to problems.

import { UserError } from '../renderer-core/errors.ts';
import { allSizes, type Size, sizeText } from '../renderer-core/model/declaredSizes.ts';
import { replacementFor } from '../renderer-core/model/fonts/pinnedFamilies.ts';
import { given } from '../renderer-core/model/variables/given.ts';
import { assemblePage, fontsVersion } from '../renderer-core/page/assemble/assemble.ts';
import { lineShifts } from '../renderer-core/page/assemble/textEdits.ts';
import type { PageFonts } from '../renderer-core/plan/fonts/pageFonts.ts';
import { checkOptions, type LocaleOptions } from '../renderer-core/plan/options.ts';
import { knownSize, type PlanDraft } from '../renderer-core/plan/plan.ts';
import { aspectRatioName, type SizeOptions } from '../renderer-core/plan/resolution.ts';
import type { ValuesSource } from '../renderer-core/plan/valueProblems.ts';
import { prepareIn, readProject } from '../renderer-core/render/prepare.ts';
import type { ReferencingProject } from '../renderer-core/render/probe/assetReferences.ts';
import { editorHint, editorMessage } from '../renderer-core/reports/editorText.ts';
import type { PageFacts, VideoBox } from './facts.ts';
import type { PreviewProblem } from './messages.ts';
import type { Overlay } from './overlay.ts';
import { watcherScript } from './pageHtml.ts';
import { versionOf } from './scriptVersion.ts';

/** A composition to show, and the values that override its defaults. */
export type ShownValues = {
  composition: string;
  values: Record<string, unknown>;
  source: ValuesSource | undefined;
  /** One of the composition's sizes, such as `1080x1920`. Any other text: the size of the options. */
  size: string;
};

export type AssembledPreview = {
  /** Everything that determines what is shown. Equal for equal pages. */
  content: string;
  /** The HTML of the page with a version number. */
  html(version: number): string;
  scripts: Map<string, string>;
  /** The pinned fonts of the page, and the query of the URLs that declare them. */
  fonts: { version: string; fonts: PageFonts } | null;
  project: ReferencingProject;
  options: PageOptions;
};

/** How a page is shown, apart from its values. */
export type PageOptions = SizeOptions & LocaleOptions;

/** `page` is absent if the composition cannot be shown; `problems` contains the reason. */
export type ReadPreview = { page?: AssembledPreview; problems: PreviewProblem[] };

/** Replaced by a script with the version, which is not known before the page is compared with the previous one. */
const headMark = '<script data-head></script>';

/** Reads a composition. Errors of the author become problems and are not thrown. */
export function readPreview(
  root: string,
  { composition, values, source, size }: ShownValues,
  files: Overlay,
  { systemFonts, ...pageOptions }: PageOptions & { systemFonts: boolean },
): ReadPreview {
  try {
    if (!files.exists(composition)) {
      throw new UserError('composition_not_found', `the composition ${composition} does not exist`, {
        hint: 'Save the file in the project folder, or preview another composition.',
      });
    }
    const project = readProject(root, composition, files);
    const sizes = sizesOf(project);
    const options = optionsFor(
      pageOptions,
      sizes.find((one) => sizeText(one) === size),
    );
    // Bars may be transparent.
    const checked = checkOptions({ ...options, systemFonts, format: 'png' });
    const { draft, valueProblems, warnings } = prepareIn(project, checked, {
      variables: values,
      ...(source ? { variablesSource: source } : {}),
    });
    const { graph } = project;
    const facts = {
      composition,
      files: [...graph.files.keys()],
      width: draft.page.width,
      height: draft.page.height,
      sizes,
      video: videoBox(draft),
      rate: draft.fps,
      posterTime: graph.files.get(graph.entry)?.posterTime?.value ?? null,
      duration: draft.duration,
    };
    // Relative to the composition's page, because the port may be forwarded.
    const base = '../'.repeat(composition.split('/').length - 1) || './';
    const { seed, epochMs, fps, timezone, locale } = draft;
    const environment = { timezone, locale };
    const start = { seed, epochMs, fps, systemFonts, environment, page: draft.page, marks: true, head: headMark };
    const pageFiles = { ...project.files, base, versionOf };
    const { html, scripts, shifts, fonts } = assemblePage(graph, values, pageFiles, start);
    const allFacts = { ...facts, shifts: lineShifts(shifts), fonts: fonts && fontFacts(fonts) };
    const page: AssembledPreview = {
      content: JSON.stringify([html, allFacts, [...scripts]]),
      html: (version) => html.replace(headMark, () => watcherScript({ ...allFacts, version })),
      scripts,
      fonts: fonts && { version: fontsVersion(fonts, pageFiles), fonts },
      project: { graph, files: project.files, draft },
      options,
    };
    const problems = [
      ...valueProblems.map(({ message, place }) => ({ message, place })),
      ...warnings.map((message) => ({ message })),
    ];
    return { page, problems: problems.map((problem) => ({ severity: 'warning', ...problem })) };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { problems: [problemOf(error)] };
  }
}

function sizesOf({ entry, size, graph }: ReturnType<typeof readProject>): PageFacts['sizes'] {
  if (entry.sizes.length === 0) return [];
  const sizes = allSizes(knownSize(size, graph.entry), entry.sizes);
  return sizes.map((one) => ({ ...one, name: aspectRatioName(one) }));
}

/** A page in one of the composition's sizes has no other size. */
function optionsFor({ timezone, locale, ...size }: PageOptions, chosen: Size | undefined): PageOptions {
  const shown = chosen ? { width: chosen.width, height: chosen.height } : size;
  return { ...given({ timezone, locale }), ...shown };
}

const fontFacts = ({ names, ofProject }: PageFonts): PageFacts['fonts'] => ({
  substitutes: Object.fromEntries(names.map((name) => [name, replacementFor(name)?.family ?? name])),
  project: ofProject,
});

function videoBox({ width, height, page }: PlanDraft): VideoBox | null {
  if (!page.placement) return null;
  const { x, y, stretch, background } = page.placement;
  const [across, down] = [page.zoom, page.zoom * stretch];
  return { left: -x / across, top: -y / down, width: width / across, height: height / down, stretch, background };
}

/** A problem as the editor words it. */
export function editorProblem({ message, hint, ...rest }: PreviewProblem): PreviewProblem {
  const advice = hint === undefined ? '' : editorHint(hint);
  return { ...rest, message: editorMessage(message), ...(advice === '' ? {} : { hint: advice }) };
}

export function problemOf({ message, hint, place }: UserError): PreviewProblem {
  return {
    severity: 'error',
    message,
    ...given({ hint, place }),
  };
}
