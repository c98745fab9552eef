// What a page asks about media files that the browser cannot read: what is in them, and their pictures in another codec.
import { join } from 'node:path';
import type { ReadableMedia } from '../capture/protocol.ts';
import { UserError } from '../errors.ts';
import { probeMedia } from '../media/probe.ts';
import { makeReadable, readableExtension } from '../media/readable.ts';
import type { RemoteAssets } from '../project/remoteAssets.ts';
import type { ProjectServer, VirtualAnswer } from '../project/server.ts';

export type MediaRoute = {
  server: ProjectServer;
  remote: RemoteAssets;
  ffmpeg: string;
  /** Where converted files are kept while the render runs. */
  folder: string;
  signal: AbortSignal;
};

/** Answers with a `ReadableMedia`. Each file is converted once, however many pages ask for it. */
export function answerMedia(route: MediaRoute): VirtualAnswer {
  const known = new Map<string, Promise<ReadableMedia>>();
  return async (query) => {
    const url = query.get('url') ?? '';
    const answer = known.get(url) ?? describe(route, url, known.size);
    known.set(url, answer);
    return { body: JSON.stringify(await answer), type: 'application/json' };
  };
}

async function describe(route: MediaRoute, url: string, index: number): Promise<ReadableMedia> {
  const { server, remote, ffmpeg, folder, signal } = route;
  try {
    const input = await mediaFile(url, server, remote);
    const { duration, audio, video } = await probeMedia(ffmpeg, input, signal);
    if (duration === null) return { problem: `${url} does not say how long it is` };
    if (!video) return { duration, hasAudio: audio !== null, video: null };
    const extension = readableExtension(video);
    const name = `readable-${index}.${extension}`;
    const path = `/__framework/${name}`;
    const file = join(folder, name);
    await makeReadable(ffmpeg, input, file, video, signal);
    server.setVirtual(path, { file, type: `video/${extension}` });
    return { duration, hasAudio: audio !== null, video: path };
  } catch (error) {
    if (error instanceof UserError) return { problem: error.message };
    throw error;
  }
}

/** Absolute path of the file at a URL of the page: one of the project, or a copy of a remote one. */
export async function mediaFile(url: string, server: ProjectServer, remote: RemoteAssets): Promise<string> {
  const { origin, pathname, protocol } = new URL(url);
  if (origin !== server.origin && /^https?:$/.test(protocol)) return (await remote.get(url)).path;
  const file = origin === server.origin ? await server.fileAt(pathname) : undefined;
  if (file !== undefined) return file;
  throw new UserError('media_unreadable', `${url.slice(0, 80)} is not the address of a media file`);
}
