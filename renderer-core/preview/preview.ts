// The live preview's process: serves a project's compositions as the render assembles them, and tells pages what changes.
import { randomBytes } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import mime from 'mime';
import { previewFiles, runtimeFile, videoFileFile } from '../capture/pageScripts.ts';
import { readableMediaPath, videoFileScript } from '../capture/protocol.ts';
import { UserError } from '../errors.ts';
import { runtimePath } from '../plan/assemble.ts';
import { readInside } from '../project/readInside.ts';
import { startProjectServer, type VirtualFile } from '../project/server.ts';
import { missingFault } from '../render/assetFaults.ts';
import { editionFolder, type PreviewStatus, previewRoutes } from './facts.ts';
import { createFileStates } from './fileStates.ts';
import { openMediaFiles } from './mediaFiles.ts';
import type { FromProcess, PreviewProblem } from './messages.ts';
import { overlayFiles, projectPath } from './overlay.ts';
import { previewHtml } from './pageHtml.ts';
import { takePicture } from './picture.ts';
import { versionedScript } from './scriptVersion.ts';
import { type AssembledPreview, problemOf, readPreview } from './shownComposition.ts';

export type PreviewOptions = {
  /** Absolute path of the project folder. */
  root: string;
  /** 0 or absent: a free one. */
  port?: number;
  signal: AbortSignal;
  /** Told what the editor is told. */
  say?: (message: FromProcess) => void;
};

export type Preview = {
  /** Of the page, without a composition: add `?composition=`. Holds the secret. */
  url: string;
  origin: string;
  /** Shows a composition with values over its defaults; pages that show it follow. */
  show(composition: string, values: Record<string, unknown>): void;
  /** The text of a file that is not saved; null: as on disk again. */
  text(path: string, text: string | null): void;
  /** A file has changed on disk. */
  changed(path: string): void;
  close(): Promise<void>;
};

type Shown = {
  composition: string;
  values: Record<string, unknown>;
  turn: number;
  version: number;
  page: AssembledPreview | undefined;
  problems: PreviewProblem[];
  /** Of pages that wait for news. */
  waiting: (() => void)[];
};

/** A forwarded connection that says nothing for a minute may be cut. */
const longestWaitMs = 25_000;

const javascript = 'text/javascript; charset=utf-8';
const json = (value: unknown): VirtualFile => ({ body: JSON.stringify(value), type: 'application/json' });

export async function startPreview({ root: named, port, signal, say }: PreviewOptions): Promise<Preview> {
  const root = await realpath(named);
  const secret = randomBytes(18).toString('base64url');
  /** Pages are made from what HTML files say at the moment; what else is there, browsers keep until it changes. */
  let edition = 1;
  const serverOptions = {
    secret,
    edition: { folder: editionFolder, number: () => edition },
    ...(port === undefined ? {} : { port }),
  };
  const server = await startProjectServer(root, serverOptions);
  const files = overlayFiles(readInside(root));
  const isNews = createFileStates(root, files);
  const media = openMediaFiles(server, signal);
  const shown = new Map<string, Shown>();

  const tell = (one: Shown): void => {
    one.turn++;
    for (const answer of one.waiting.splice(0)) answer();
  };
  /** Reads everything again; pages load it only if it has become something else. */
  const read = (one: Shown, isOther: boolean): void => {
    const { composition, values } = one;
    const { page, problems } = readPreview(root, composition, values, files);
    const areSame = JSON.stringify(problems) === JSON.stringify(one.problems);
    one.problems = problems;
    if (page && (isOther || page.content !== one.page?.content)) {
      one.version++;
      one.page = page;
      for (const [path, body] of page.scripts) server.setVirtual(path, versionedScript(body));
      say?.({ type: 'ready', composition });
    } else if (areSame && one.turn > 0) return;
    if (!areSame) say?.({ type: 'problems', composition, problems });
    tell(one);
  };
  const begin = (composition: string, values: Record<string, unknown>): Shown => {
    const one: Shown = { composition, values, turn: 0, version: 0, page: undefined, problems: [], waiting: [] };
    shown.set(composition, one);
    server.setVirtual(`/${composition}`, async () => {
      // What pages before this one asked for in vain is not its fault.
      server.missing.length = 0;
      return { body: one.page?.html(one.version) ?? '<!doctype html>', type: 'text/html; charset=utf-8' };
    });
    read(one, false);
    return one;
  };
  const shownAs = (query: URLSearchParams): Shown => {
    const composition = projectPath(query.get('composition')) ?? 'index.html';
    return shown.get(composition) ?? begin(composition, {});
  };
  const follow = (path: string, isText: boolean): void => {
    const isOther = !/\.html?$/i.test(path);
    if (isOther && !isNews(path, isText)) return;
    if (isOther) edition++;
    for (const one of shown.values()) read(one, isOther);
  };

  const place = (path: string, file: Parameters<typeof server.setVirtual>[1]) => server.setVirtual(`/${path}`, file);
  place(previewRoutes.page, { body: previewHtml, type: 'text/html; charset=utf-8' });
  for (const [path, file] of previewFiles) place(previewRoutes.page + path, file);
  server.setVirtual(runtimePath, { file: runtimeFile, type: javascript, stays: true });
  server.setVirtual(videoFileScript, { file: videoFileFile, type: javascript, stays: true });
  server.setVirtual(readableMediaPath, media.readable);
  place(previewRoutes.sound, media.sound);
  place(previewRoutes.status, async (query) => {
    const one = shownAs(query);
    if (one.turn <= Number(query.get('after') ?? 0)) await news(one, signal);
    const { turn, version, composition, problems } = one;
    return json({ turn, version, edition, composition, problems, origin: server.origin } satisfies PreviewStatus);
  });
  place(previewRoutes.missing, async (query) => {
    const { page } = shownAs(query);
    const missed = server.missing.filter(({ url }) => !/\/favicon\.ico$|^\/__framework\//.test(url));
    const faults = page ? missed.map((one) => problemOf(missingFault(one, server, page.project))) : [];
    return json([...new Map(faults.map((fault) => [fault.message, fault])).values()]);
  });
  place(previewRoutes.picture, async (query) => {
    const { composition, values } = shownAs(query);
    const frame = Number(query.get('frame') ?? 0);
    try {
      const unsaved = files.unsaved();
      const body = await takePicture({ root, composition, values, frame, unsaved, signal });
      return { body, type: 'image/png' };
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      return json({ problem: error.hint === undefined ? error.message : `${error.message} ${error.hint}` });
    }
  });

  const url = `${server.origin}/${secret}/${previewRoutes.page}`;
  say?.({ type: 'listening', url, origin: server.origin });
  return {
    url,
    origin: server.origin,
    show(given, values) {
      const composition = projectPath(given);
      if (composition === undefined) return;
      const one = shown.get(composition);
      if (!one) return void begin(composition, values);
      one.values = values;
      read(one, false);
    },
    text(given, text) {
      const path = projectPath(given);
      if (path === undefined) return;
      files.set(path, text);
      if (files.unsaved().includes(path) && !shown.has(path)) {
        server.setVirtual(`/${path}`, {
          body: text ?? '',
          type: `${mime.getType(path) ?? 'text/plain'}; charset=utf-8`,
        });
      } else if (!shown.has(path)) server.clearVirtual(`/${path}`);
      follow(path, true);
    },
    changed(given) {
      const path = projectPath(given);
      if (path !== undefined) follow(path, false);
    },
    async close() {
      for (const one of shown.values()) tell(one);
      await server.close();
      await media.close();
    },
  };
}

/** Until the composition has changed, or a while has passed. */
function news(one: Shown, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const answer = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', answer);
      one.waiting = one.waiting.filter((other) => other !== answer);
      resolve();
    };
    const timer = setTimeout(answer, longestWaitMs);
    signal.addEventListener('abort', answer, { once: true });
    one.waiting.push(answer);
  });
}
