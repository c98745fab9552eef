// The videos that are rendered: most take a second or two, some are long enough to be continued from finished segments.
import { makeZip } from '../support/makeZip.ts';

export type Video = {
  name: string;
  html: string;
  fps: number;
  seconds: number;
};

const page = (seconds: number, body: string): string => `<!doctype html>
<html><head><style>
  html, body { margin: 0; background: #000 }
  .box { position: absolute; width: 32px; height: 36px; background: #f80 }
  .moving { animation: go 30s linear both }
  @keyframes go { to { transform: translate(500px, 200px) rotate(90deg) } }
</style></head><body>
<div data-composition-id="main" data-width="64" data-height="36" data-duration="${seconds}"
  style="position:relative;width:64px;height:36px;overflow:hidden">${body}</div>
</body></html>`;

const video = (name: string, fps: number, seconds: number, style: string): Video => ({
  name,
  html: page(seconds, `<div class="box ${style}"></div>`),
  fps,
  seconds,
});

export const shortVideos: readonly Video[] = [
  video('still', 10, 0.2, ''),
  video('step', 10, 1, 'moving'),
  video('motion', 30, 0.6, 'moving'),
];

/** 900 frames, which are four segments. */
export const longVideo: Video = video('long', 60, 15, 'moving');

export const videos: readonly Video[] = [...shortVideos, longVideo];

export const archiveOf = ({ html }: Video): Buffer => makeZip([{ name: 'index.html', data: html }]);
