// Serves the page of a composition with its values: its HTML, its scripts and fonts, and the capture page.
import { captureFiles, runtimeFile } from '../../capture/pageScripts.ts';
import { isDownloadError, missingFonts, serveFonts, withoutFontsMessage } from '../../fonts/serveFonts.ts';
import { type AssembledPage, assemblePage, runtimePath } from '../../page/assemble/assemble.ts';
import type { PageFonts } from '../../plan/fonts/pageFonts.ts';
import type { ProjectServer } from '../../project/serve/projectServer.ts';
import type { Session } from '../session.ts';
import type { PreparedRender, ProgressReporter } from '../types.ts';
import type { RemoteImages } from './remoteFiles.ts';

const javascript = 'text/javascript; charset=utf-8';

/** `marks`: whether elements get an attribute with their source location. */
export type PageOptions = Pick<ProgressReporter, 'emit'> & { marks?: boolean };

/** `shifts`: how embedded files have moved the entry's lines. */
export async function servePage(
  server: ProjectServer,
  prepared: PreparedRender,
  images: RemoteImages,
  { env, featuresOff }: Pick<Session, 'env' | 'featuresOff'>,
  { emit, marks = false }: PageOptions,
): Promise<Pick<AssembledPage, 'shifts' | 'fonts'>> {
  const { graph, draft, files } = prepared;
  const { timezone, locale } = draft;
  const environment = readsEnvironment ? {} : { environment: { timezone, locale } };
  const pageFiles = { ...files, fetched: images.pathOf };
  const assemble = (systemFonts: boolean) =>
    assemblePage(graph, draft.variables, pageFiles, { ...draft, ...environment, featuresOff, systemFonts, marks });
  let page = assemble(draft.systemFonts);
  if (page.fonts && !(await servedFonts(server, page.fonts, env, emit))) page = assemble(true);
  if (files.encodings) server.setEncodings(files.encodings);
  server.setVirtual(`/${draft.composition}`, { body: page.html, type: 'text/html; charset=utf-8' });
  server.setVirtual(runtimePath, { file: runtimeFile, type: javascript, immutable: true });
  for (const [path, body] of page.scripts) server.setVirtual(path, { body, type: javascript });
  for (const [path, file] of captureFiles) server.setVirtual(path, file);
  return page;
}

/** Whether browsers take their time zone and language from it (`capture/launch.ts`). */
const readsEnvironment = process.platform === 'linux';

/** False if the fonts are not on this machine and cannot be downloaded; a warning says so. */
async function servedFonts(
  server: ProjectServer,
  fonts: PageFonts,
  env: NodeJS.ProcessEnv,
  emit: ProgressReporter['emit'],
): Promise<boolean> {
  const { length } = await missingFonts(fonts, env);
  if (length > 0) {
    const packages = length === 1 ? 'one font package' : `${length} font packages`;
    emit({ type: 'stage', stage: 'probe', message: `Downloading ${packages}` });
  }
  try {
    await serveFonts(server, fonts, env);
    return true;
  } catch (error) {
    if (!isDownloadError(error)) throw error;
    emit({ type: 'warning', message: withoutFontsMessage(error) });
    return false;
  }
}
