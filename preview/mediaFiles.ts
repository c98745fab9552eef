// Converts media files that the browser cannot read with ffmpeg, when the page requests them.
import { join } from 'node:path';
import { UserError } from '../renderer-core/errors.ts';
import { cacheRoot } from '../renderer-core/project/cacheFolder.ts';
import { openRemoteAssets } from '../renderer-core/project/remote/remoteAssets.ts';
import type { ProjectServer, VirtualFileHandler } from '../renderer-core/project/serve/projectServer.ts';

export type MediaFiles = {
  /** Responds with a `ReadableMedia`. */
  readable: VirtualFileHandler;
  /** Responds with `{path}` or `{problem}`. */
  sound: VirtualFileHandler;
  close(): Promise<void>;
};

/** Searches for ffmpeg and loads modules only at the first request. */
export function openMediaFiles(server: ProjectServer, env: NodeJS.ProcessEnv, signal: AbortSignal): MediaFiles {
  let opened: ReturnType<typeof open> | undefined;
  const sounds = new Map<string, Promise<{ path: string } | { problem: string }>>();

  const open = async () => {
    const [{ findFfmpeg }, { readableMediaRoute, mediaFile }, { createWorkspace }, { mediaInput, runFfmpeg }] =
      await Promise.all([
        import('../renderer-core/media/findFfmpeg.ts'),
        import('../renderer-core/render/mediaRoute.ts'),
        import('../renderer-core/project/output/workspace.ts'),
        import('../renderer-core/media/ffmpeg.ts'),
      ]);
    const ffmpeg = await findFfmpeg({ env, signal });
    const workspace = await createWorkspace();
    const remote = openRemoteAssets({ cache: cacheRoot(env), origin: server.origin, signal });
    const readable = readableMediaRoute({ server, remote, ffmpeg, folder: workspace.folder, signal });
    /** FLAC is lossless, in every build of ffmpeg, and played by every browser. */
    const makeSound = async (url: string, index: number): Promise<{ path: string }> => {
      const name = `sound-${index}.flac`;
      const file = join(workspace.folder, name);
      const input = mediaInput(await mediaFile(url, server, remote));
      const quiet = ['-hide_banner', '-nostdin', '-loglevel', 'error', '-y'];
      await runFfmpeg(ffmpeg, [...quiet, ...input, '-map', '0:a:0', '-ac', '2', '-c:a', 'flac', file], signal);
      server.setVirtual(`/__framework/${name}`, { file, type: 'audio/flac', immutable: true });
      return { path: `__framework/${name}` };
    };
    return { readable, makeSound, close: () => Promise.all([remote.close(), workspace.remove()]) };
  };
  const tools = () => {
    opened ??= open();
    return opened;
  };
  const toProblem = (error: unknown): { problem: string } => {
    if (error instanceof UserError) return { problem: error.message };
    throw error;
  };
  const respond = (value: object) => ({ body: JSON.stringify(value), type: 'application/json' });

  return {
    async readable(query) {
      return tools().then(
        ({ readable }) => readable(query),
        (error) => respond(toProblem(error)),
      );
    },
    async sound(query) {
      const url = query.get('url') ?? '';
      const made =
        sounds.get(url) ??
        tools()
          .then(({ makeSound }) => makeSound(url, sounds.size))
          .catch(toProblem);
      sounds.set(url, made);
      return respond(await made);
    },
    async close() {
      // If opening has failed, there is nothing to close.
      await (await opened?.catch(() => undefined))?.close();
    },
  };
}
