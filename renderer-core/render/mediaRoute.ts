// Route for media files that the browser cannot read: describes them, and converts their frames to another codec.

import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReadableMedia } from '../capture/protocol.ts';
import { UserError } from '../errors.ts';
import type { Ffmpeg } from '../media/ffmpeg.ts';
import { probeMedia } from '../media/probeMedia.ts';
import { canKeepLight, makeReadable, readableExtension } from '../media/readable.ts';
import type { RemoteAssets } from '../project/remote/remoteAssets.ts';
import type { ProjectServer, VirtualFileHandler } from '../project/serve/projectServer.ts';

export type MediaRoute = {
  server: ProjectServer;
  remote: RemoteAssets;
  ffmpeg: Ffmpeg;
  /** Folder for converted files. */
  folder: string;
  signal: AbortSignal;
};

/** Responds with a `ReadableMedia`. Converts each file only once for all pages. */
export function readableMediaRoute(route: MediaRoute): VirtualFileHandler {
  const known = new Map<string, Promise<ReadableMedia>>();
  return async (query) => {
    const url = query.get('url') ?? '';
    const key = query.toString();
    const described = known.get(key) ?? describe(route, url, known.size, query.has('hdr'));
    known.set(key, described);
    return { body: JSON.stringify(await described), type: 'application/json' };
  };
}

async function describe(route: MediaRoute, url: string, index: number, keepsLight: boolean): Promise<ReadableMedia> {
  const { server, remote, ffmpeg, folder, signal } = route;
  try {
    const input = await mediaFile(url, server, remote);
    const { duration, audio, video } = await probeMedia(ffmpeg, input, signal);
    if (duration === null) return { problem: `${url} does not declare its duration` };
    if (!video) return { duration, hasAudio: audio !== null, isHdr: false, video: null };
    const extension = readableExtension(video);
    const name = `readable-${index}.${extension}`;
    const path = `/__framework/${name}`;
    const file = join(folder, name);
    await makeReadable(ffmpeg, input, file, { ...video, keepsLight }, signal);
    server.setVirtual(path, { file, type: `video/${extension}` });
    return { duration, hasAudio: audio !== null, isHdr: video.isHdr && canKeepLight(video), video: path };
  } catch (error) {
    if (error instanceof UserError) return { problem: error.message };
    throw error;
  }
}

/** Absolute path of the file at a URL of the page: a file of the project, or the copy of a remote file. Throws UserError. */
export async function mediaFile(url: string, server: ProjectServer, remote: RemoteAssets): Promise<string> {
  const { origin, pathname, protocol } = new URL(url);
  if (origin !== server.origin && /^https?:$/.test(protocol)) return (await remote.get(url)).path;
  const file = origin === server.origin ? await server.resolveFile(pathname) : undefined;
  if (file !== undefined) return file;
  throw new UserError('media_unreadable', `${url.slice(0, 80)} is not the URL of a media file`);
}

/** Writes the content of a `data:` URL to `folder`. The same content is written once. */
export async function dataFile(url: string, folder: string): Promise<string> {
  const name = createHash('sha256').update(url).digest('hex').slice(0, 16);
  const path = join(folder, `data-${name}`);
  await writeFile(path, Buffer.from(await (await fetch(url)).arrayBuffer()));
  return path;
}
