// Opens media files for the runtime, in the page around a composition. Files that the browser cannot read are converted.
import type { MediaFile, OpenMedia } from '../runtime/control.ts';
import type { ReadableMedia } from './protocol.ts';

export type MediaSource = {
  /** URL of the demultiplexer script; loaded only if there is media. */
  script: string;
  /** Describes a file that the browser cannot read, and converts it. */
  convert(url: string): Promise<ReadableMedia>;
};

/** A file without video and sound. */
export const noMedia: MediaFile = {
  duration: 0,
  size: null,
  hasAudio: false,
  isOpaque: false,
  frameAt: async () => null,
};

/** A missing file opens without video and sound: the project server has recorded it, and reports a better error. */
export function mediaOpener({ script, convert }: MediaSource): OpenMedia {
  return async (url: string, wantsVideo: boolean): Promise<MediaFile> => {
    const { openMediaFile } = (await import(script)) as typeof import('./videoFile.ts');
    const found = await fetch(url, { headers: { range: 'bytes=0-0' } }).then(
      ({ status }) => status !== 403 && status !== 404,
      () => true,
    );
    if (!found) return noMedia;
    const direct = await openMediaFile(url, wantsVideo).catch(() => undefined);
    if (direct) return direct;
    const readable = await convert(url);
    if ('problem' in readable) throw new Error(readable.problem);
    const { duration, hasAudio } = readable;
    const converted = readable.video === null ? undefined : await openMediaFile(readable.video, wantsVideo);
    return {
      duration,
      size: converted?.size ?? null,
      hasAudio,
      isOpaque: converted?.isOpaque ?? false,
      frameAt: async (seconds, again) => converted?.frameAt(seconds, again) ?? null,
    };
  };
}
