// The preview server: serves a project's compositions, assembled as for a render, and notifies pages of changes.
import { randomBytes } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import mime from 'mime';
import { mediaScripts, previewFiles, runtimeFile } from '../renderer-core/capture/pageScripts.ts';
import { readableMediaPath } from '../renderer-core/capture/protocol.ts';
import { UserError } from '../renderer-core/errors.ts';
import {
  isDownloadError,
  loadUsualFonts,
  serveFontsOf,
  withoutFontsMessage,
} from '../renderer-core/fonts/serveFonts.ts';
import { runtimePath } from '../renderer-core/page/assemble/assemble.ts';
import { trackImports } from '../renderer-core/page/assemble/trackImports.ts';
import { readInside } from '../renderer-core/project/readInside.ts';
import {
  type ProjectServer,
  startProjectServer,
  type VirtualFile,
} from '../renderer-core/project/serve/projectServer.ts';
import { missingFileError } from '../renderer-core/render/probe/assetErrors.ts';
import { Compositions, nextChange, type Project, type ShowOptions } from './compositions.ts';
import { editionFolder, type PreviewStatus, previewRoutes } from './facts.ts';
import { takeFrameImage } from './frameImage.ts';
import { openMediaFiles } from './mediaFiles.ts';
import type { FromProcess, PreviewProblem } from './messages.ts';
import { overlayFiles, projectPath } from './overlay.ts';
import { previewHtml } from './pageHtml.ts';
import { editorProblem, type PageOptions, problemOf } from './shownComposition.ts';

export type PreviewOptions = {
  /** Absolute path of the project folder. */
  root: string;
  /** 0 or absent: any free port. */
  port?: number;
  signal: AbortSignal;
  /** Determines where ffmpeg and the cache folder are. */
  env: NodeJS.ProcessEnv;
  /** Use the fonts of this machine. */
  systemFonts?: boolean;
  /** Receives the messages for the editor. */
  notify?: (message: FromProcess) => void;
};

export type Preview = {
  /** The page's URL, which contains the secret. Add `?composition=` to select a composition. */
  url: string;
  origin: string;
  /**
   * Shows a composition with values that override its defaults. Its open pages are updated; with a view, those with
   * `&view=` in their URL.
   */
  show(composition: string, values: Record<string, unknown>, options?: ShowOptions): void;
  /** Forgets a view, whose pages are closed. */
  hide(composition: string, view: string): void;
  /** Sets the size of the video and the settings of the page, for all compositions. */
  setOptions(options: PageOptions): void;
  /** Sets the unsaved text of a file; null: the file on disk is current again. */
  text(path: string, text: string | null): void;
  /** Call when a file has changed on disk. */
  changed(path: string): void;
  close(): Promise<void>;
};

const javascript = 'text/javascript; charset=utf-8';
const json = (value: unknown): VirtualFile => ({ body: JSON.stringify(value), type: 'application/json' });

export async function startPreview({
  root: folder,
  port,
  signal,
  env,
  systemFonts = false,
  notify,
}: PreviewOptions): Promise<Preview> {
  const root = await realpath(folder);
  const secret = randomBytes(18).toString('base64url');
  /** Increases when a file other than HTML changes. Browsers cache files per edition. */
  let edition = 1;
  const server = await startProjectServer(root, {
    rewriteScript: trackImports,
    secret,
    edition: { folder: editionFolder, number: () => edition },
    ...(port === undefined ? {} : { port }),
  });
  const files = overlayFiles(readInside(root));
  const media = openMediaFiles(server, env, signal);
  const fontsProblem = systemFonts ? undefined : await findFontsProblem(env);
  const project: Project = {
    ...{ root, files, server },
    systemFonts: systemFonts || fontsProblem !== undefined,
    ...(fontsProblem ? { fontsProblem } : {}),
    worded: notify ? editorProblem : (problem) => problem,
  };
  const compositions = new Compositions(
    project,
    (message) => notify?.(message),
    () => {
      edition++;
    },
  );
  serveScripts(server);
  serveFontsOf(server, (query) => compositions.fontsOf(`?${query}`), env);
  let options: PageOptions = {};
  serveRoutes(project, compositions, { edition: () => edition, options: () => options }, signal);
  server.setVirtual(readableMediaPath, media.readable);
  server.setVirtual(`/${previewRoutes.sound}`, media.sound);

  const url = `${server.origin}/${secret}/${previewRoutes.page}`;
  notify?.({ type: 'listening', url, origin: server.origin });
  return {
    url,
    origin: server.origin,
    show(given, values, options) {
      const composition = projectPath(given);
      if (composition !== undefined) compositions.show(composition, values, options);
    },
    hide(given, view) {
      const composition = projectPath(given);
      if (composition !== undefined) compositions.hide(composition, view);
    },
    setOptions(given) {
      options = given;
      compositions.setOptions(given);
    },
    text(given, text) {
      const path = projectPath(given);
      if (path === undefined) return;
      files.set(path, text);
      // Pages of compositions are assembled; other files with unsaved text are served as they are.
      if (!compositions.has(path)) {
        const type = `${mime.getType(path) ?? 'text/plain'}; charset=utf-8`;
        if (files.unsaved().includes(path)) server.setVirtual(`/${path}`, { body: text ?? '', type });
        else server.clearVirtual(`/${path}`);
      }
      compositions.fileChanged(path, true);
    },
    changed(given) {
      const path = projectPath(given);
      if (path !== undefined) compositions.fileChanged(path, false);
    },
    async close() {
      compositions.close();
      await server.close();
      await media.close();
    },
  };
}

/** Why the fonts of pages cannot be served; undefined if they can. */
async function findFontsProblem(env: NodeJS.ProcessEnv): Promise<PreviewProblem | undefined> {
  try {
    await loadUsualFonts(env);
    return undefined;
  } catch (error) {
    if (!isDownloadError(error)) throw error;
    return { severity: 'warning', message: withoutFontsMessage(error) };
  }
}

/** The preview page and the scripts of compositions. */
function serveScripts(server: ProjectServer): void {
  server.setVirtual(`/${previewRoutes.page}`, { body: previewHtml, type: 'text/html; charset=utf-8' });
  for (const [path, file] of previewFiles) server.setVirtual(`/${previewRoutes.page}${path}`, file);
  server.setVirtual(runtimePath, { file: runtimeFile, type: javascript, immutable: true });
  for (const [path, file] of mediaScripts) server.setVirtual(path, file);
}

/** The requests of the preview page; see `previewRoutes`. */
function serveRoutes(
  { root, files, server, systemFonts, worded }: Project,
  compositions: Compositions,
  { edition, options }: { edition(): number; options(): PageOptions },
  signal: AbortSignal,
): void {
  server.setVirtual(`/${previewRoutes.status}`, async (query) => {
    const one = compositions.of(query);
    if (one.turn <= Number(query.get('after') ?? 0)) await nextChange(one, signal);
    const { turn, version, composition, problems } = one;
    const { origin } = server;
    return json({ turn, version, edition: edition(), composition, problems, origin } satisfies PreviewStatus);
  });
  server.setVirtual(`/${previewRoutes.missing}`, async (query) => {
    const { page } = compositions.of(query);
    const missing = server.missing.filter(({ url }) => !/\/favicon\.ico$|^\/__framework\//.test(url));
    const problems = page ? missing.map((one) => worded(problemOf(missingFileError(one, server, page.project)))) : [];
    return json([...new Map(problems.map((problem) => [problem.message, problem])).values()]);
  });
  server.setVirtual(`/${previewRoutes.picture}`, async (query) => {
    const { composition, values, page: shown } = compositions.of(query);
    const frame = Number(query.get('frame') ?? 0);
    try {
      const unsaved = files.unsaved();
      const page = { composition, values, options: shown?.options ?? options(), systemFonts };
      const body = await takeFrameImage({ root, ...page, frame, unsaved, signal });
      return { body, type: 'image/png' };
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      return json({ problem: error.hint === undefined ? error.message : `${error.message} ${error.hint}` });
    }
  });
}
