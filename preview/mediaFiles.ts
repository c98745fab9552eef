// What the browser cannot read of a project's media files, made readable by ffmpeg when a page asks for it.
import { join } from 'node:path';
import { UserError } from '../errors.ts';
import { cacheRoot } from '../project/cacheFolder.ts';
import { openRemoteAssets } from '../project/remoteAssets.ts';
import type { ProjectServer, VirtualAnswer } from '../project/server.ts';

export type MediaFiles = {
  /** Answers with a `ReadableMedia`. */
  readable: VirtualAnswer;
  /** Answers with `{path}` or `{problem}`. */
  sound: VirtualAnswer;
  close(): Promise<void>;
};

/** Nothing is looked for or loaded before the first question. */
export function openMediaFiles(server: ProjectServer, signal: AbortSignal): MediaFiles {
  let opened: ReturnType<typeof open> | undefined;
  const sounds = new Map<string, Promise<{ path: string } | { problem: string }>>();

  const open = async () => {
    const [{ findFfmpeg }, { answerMedia, mediaFile }, { createWorkspace }, { mediaInput, runFfmpeg }] =
      await Promise.all([
        import('../media/findFfmpeg.ts'),
        import('../render/mediaRoute.ts'),
        import('../render/workspace.ts'),
        import('../media/ffmpeg.ts'),
      ]);
    const { path: ffmpeg } = await findFfmpeg({ signal });
    const workspace = await createWorkspace();
    const remote = openRemoteAssets({ cache: cacheRoot(), origin: server.origin, signal });
    const readable = answerMedia({ server, remote, ffmpeg, folder: workspace.folder, signal });
    /** FLAC: without loss, from every build of ffmpeg, and played by every browser. */
    const makeSound = async (url: string, index: number): Promise<{ path: string }> => {
      const name = `sound-${index}.flac`;
      const file = join(workspace.folder, name);
      const input = mediaInput(await mediaFile(url, server, remote));
      const quiet = ['-hide_banner', '-nostdin', '-loglevel', 'error', '-y'];
      await runFfmpeg(ffmpeg, [...quiet, ...input, '-map', '0:a:0', '-ac', '2', '-c:a', 'flac', file], signal);
      server.setVirtual(`/__framework/${name}`, { file, type: 'audio/flac', stays: true });
      return { path: `__framework/${name}` };
    };
    return { readable, makeSound, close: () => Promise.all([remote.close(), workspace.remove()]) };
  };
  const tools = () => {
    opened ??= open();
    return opened;
  };
  const problem = (error: unknown): { problem: string } => {
    if (error instanceof UserError) return { problem: error.message };
    throw error;
  };
  const answer = (value: object) => ({ body: JSON.stringify(value), type: 'application/json' });

  return {
    async readable(query) {
      return tools().then(
        ({ readable }) => readable(query),
        (error) => answer(problem(error)),
      );
    },
    async sound(query) {
      const url = query.get('url') ?? '';
      const made =
        sounds.get(url) ??
        tools()
          .then(({ makeSound }) => makeSound(url, sounds.size))
          .catch(problem);
      sounds.set(url, made);
      return answer(await made);
    },
    async close() {
      await (await opened?.catch(() => undefined))?.close();
    },
  };
}
