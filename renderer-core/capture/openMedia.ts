// Opens media files for the runtime in the page around a composition: what the browser cannot read, somebody converts.
import type { MediaFile, OpenMedia } from '../runtime/control.ts';
import type { ReadableMedia } from './protocol.ts';

export type MediaSource = {
  /** URL of the demultiplexer's script; only loaded where there is media. */
  script: string;
  /** What is known of a file that the browser cannot read, and where it is in a form that it can. */
  ask(url: string): Promise<ReadableMedia>;
};

/** A file that is missing opens as one without pictures and sound: the server has noted it, and where it is named. */
export function mediaOpener({ script, ask }: MediaSource): OpenMedia {
  return async (url: string, pictures: boolean): Promise<MediaFile> => {
    const { openMediaFile } = (await import(script)) as typeof import('./videoFile.ts');
    const found = await fetch(url, { headers: { range: 'bytes=0-0' } }).then(
      ({ status }) => status !== 403 && status !== 404,
      () => true,
    );
    if (!found) return { duration: 0, hasAudio: false, isOpaque: false, pictureAt: async () => null };
    const direct = await openMediaFile(url, pictures).catch(() => undefined);
    if (direct) return direct;
    const readable = await ask(url);
    if ('problem' in readable) throw new Error(readable.problem);
    const { duration, hasAudio } = readable;
    const converted = readable.video === null ? undefined : await openMediaFile(readable.video, pictures);
    return {
      duration,
      hasAudio,
      isOpaque: converted?.isOpaque ?? false,
      pictureAt: async (seconds, again) => converted?.pictureAt(seconds, again) ?? null,
    };
  };
}
