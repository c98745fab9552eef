// Opens media files for the runtime, in the page around a composition. Files that the browser cannot read are converted.
import { given } from '../../model/variables/given.ts';
import type { MediaFile, OpenMedia } from '../../page/runtime/control.ts';
import type { Sound } from '../../page/runtime/page.ts';
import type { ReadableMedia } from '../protocol.ts';

export type HdrUse = 'painted' | 'shown';

export type MediaSource = {
  /** URL of the demultiplexer script; loaded only if there is media. */
  script: string;
  /** Describes a file that the browser cannot read, and converts it. */
  convert(url: string): Promise<ReadableMedia>;
  /** What happens to frames in an HDR video: they are painted, or shown on a screen. Undefined in SDR, for which HDR files are converted. */
  hdr?: HdrUse | undefined;
};

/** A file without video and sound. */
export const noMedia: MediaFile = {
  duration: 0,
  size: null,
  hasAudio: false,
  isOpaque: false,
  isHdr: false,
  frameAt: async () => null,
};

/** A missing file opens without video and sound: the project server has recorded it, and reports a better error. */
export function mediaOpener({ script, convert, hdr }: MediaSource): OpenMedia {
  const read = async (url: string, wantsVideo: boolean): Promise<MediaFile | undefined> => {
    const { openMediaFile } = (await import(script)) as typeof import('./videoFile.ts');
    if (await isMissing(url)) return noMedia;
    // The caller tries the next source, or converts the file, whose error says more.
    return openMediaFile(url, wantsVideo, hdr === 'painted').catch(() => undefined);
  };
  // Many elements may play one sound.
  const readSound = onceAtATime((url) => read(url, false));
  const openConverted = async (url: string, wantsVideo: boolean): Promise<MediaFile & { url: string }> => {
    const readable = await convert(url);
    if ('problem' in readable) throw new Error(readable.problem);
    const { duration, hasAudio, isHdr, video } = readable;
    const converted = video === null ? undefined : await read(video, wantsVideo);
    return {
      url,
      duration,
      size: converted?.size ?? null,
      hasAudio,
      isOpaque: converted?.isOpaque ?? false,
      isHdr,
      frameAt: async (seconds, again) => converted?.frameAt(seconds, again) ?? null,
      ...given({ decoded: converted?.decoded }),
    };
  };
  return async (urls, wantsVideo) => {
    for (const url of urls) {
      const file = await (wantsVideo ? read(url, true) : readSound(url));
      // The browser would map it to SDR in another way than a file that it cannot read, and darker.
      if (file?.isHdr && wantsVideo && !hdr && !isInline(url)) return openConverted(url, wantsVideo);
      if (file) return { ...file, url };
    }
    const [url = ''] = urls;
    if (!isInline(url)) return openConverted(url, wantsVideo);
    throw new Error(
      `the browser cannot read the media in ${url.slice(0, 40)}…; save it as a file in the project folder, which is converted`,
    );
  };
}

/** Whether the URL contains its file, or names one in the memory of the page. */
const isInline = (url: string): boolean => /^(?:data|blob):/i.test(url);

function isMissing(url: string): Promise<boolean> {
  if (isInline(url)) return Promise.resolve(false);
  return fetch(url, { headers: { range: 'bytes=0-0' } }).then(
    ({ status }) => status === 403 || status === 404,
    () => false,
  );
}

/** Calls with the same key share a result until they have ended. */
function onceAtATime<T>(work: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const running = new Map<string, Promise<T>>();
  return (key) => {
    const known = running.get(key) ?? work(key).finally(() => running.delete(key));
    running.set(key, known);
    return known;
  };
}

/** The sound with a `data:` URL if its file is in the memory of the page, which ends before the sounds are mixed. */
export async function withContent(sound: Sound): Promise<Sound> {
  if (!/^blob:/i.test(sound.url)) return sound;
  const content = await (await fetch(sound.url)).blob();
  const reader = new FileReader();
  const loaded = new Promise((resolve) => reader.addEventListener('loadend', resolve));
  reader.readAsDataURL(content);
  await loaded;
  return { ...sound, url: String(reader.result) };
}
