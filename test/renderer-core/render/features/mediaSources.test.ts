// Which file a media element plays: sources as the browser chooses them, empty ones, and files in URLs.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isPlayableType } from '../../../../renderer-core/model/sourceElements.ts';
import { composition, project, temporaryFolder } from '../../../support/project.ts';
import { referenceFfmpeg } from '../../../support/renders/ffmpeg.ts';
import { footage, footageHeight, footageWidth, readNumber } from '../../../support/renders/footage.ts';
import { renderFrames } from '../../../support/renders/frames.ts';
import { makeSound, tenths } from '../../../support/renders/sound.ts';
import { sharedBrowser, warmRenderer } from '../../../support/renders/warmRender.ts';

const renderVideo = warmRenderer();
const browser = sharedBrowser();

const tone = (level: number) =>
  readFileSync(makeSound(referenceFfmpeg, join(temporaryFolder(), 'a.wav'), `${level}*sin(2*PI*440*t)`, 0.1));

test('plays the sources that the browser would choose, files in URLs, and nothing for empty sources', async () => {
  const [loud, quiet] = [tone(0.5), tone(0.2)];
  const data = `data:audio/wav;base64,${Buffer.from(loud).toString('base64')}`;
  const audio = [
    '<audio><source src="quiet.wav"><source src="loud.wav"></audio>',
    '<audio><source src="quiet.wav" type="audio/amr"><source src="loud.wav" type="audio/wav"></audio>',
    '<audio><source src="quiet.wav" media="(max-width: 10px)"><source src="loud.wav" media="all"></audio>',
    '<audio><source src="text.wav"><source src="loud.wav"></audio>',
    '<audio src=" "><source src="loud.wav"></audio>',
    '<audio src="#"></audio>',
    `<audio src="${data}"></audio>`,
    '<audio id="blob"></audio>',
    '<audio id="later"></audio>',
    '<audio id="optional"></audio>',
  ].map((tag, index) => tag.replace('>', ` data-start="${index / 10}" data-duration="0.1">`));
  const script = `<script>
    optional.src = undefined;
    optional.setAttribute('src', null);
    later.append(Object.assign(document.createElement('source'), { src: 'loud.wav' }));
    fetch('loud.wav').then((response) => response.blob()).then((content) => {
      blob.src = URL.createObjectURL(content);
      blob.onloadeddata = () => URL.revokeObjectURL(blob.src);
    });
  </script>`;
  const files = { 'loud.wav': loud, 'quiet.wav': quiet, 'text.wav': 'no sound' };
  const projectDir = project({ 'index.html': composition(audio.join('') + script), ...files });
  const output = join(temporaryFolder(), 'out.mov');
  await renderVideo({ projectDir, output, fps: '10', capture: 'paint' });
  expect(tenths(output)).toEqual([2, 5, 5, 5, 0, 0, 5, 5, 5, 0]);
});

test.each([
  ['a blob: URL', 'video.src = URL.createObjectURL(content)'],
  ['a data: URL', 'reader.onload = () => { video.src = reader.result }; reader.readAsDataURL(content)'],
])('shows the frames of a video from %s', async (_, use) => {
  const script = `<script>
    const reader = new FileReader();
    fetch('clip.mp4').then((response) => response.blob()).then((content) => { ${use} });
  </script>`;
  const video = '<video id="video" data-start="0" style="position:absolute;left:0;top:0"></video>';
  const page = composition(video + script, { width: footageWidth, height: footageHeight, duration: 0.3 });
  const frames = await renderFrames({ 'index.html': page, 'clip.mp4': footage() });
  expect(frames.map((frame) => readNumber(frame))).toEqual([0, 3, 6]);
});

test.each([
  ['a chosen source that is missing', '<video><source src="none.mp4"><source src="clip.mp4"></video>', 'none.mp4'],
  ['a URL with a file that cannot be read', '<audio src="data:audio/wav;base64,AAAA"></audio>', 'save it as a file'],
])('rejects %s', async (_, markup, message) => {
  const files = { 'index.html': composition(markup, { duration: 0.1 }), 'clip.mp4': footage() };
  await expect(renderFrames(files)).rejects.toThrow(message);
});

test('knows which types the browser plays', async () => {
  const codecs =
    'avc1.42E01E|avc1.42E01E, mp4a.40.2|hvc1.1.6.L93.B0|mp4v.20.8|vp8|vp8, vorbis|vp09.00.10.08|av01.0.04M.08|opus|flac|ac-3|theora|1';
  const containers =
    'video/mp4 VIDEO/MP4 audio/mp4 video/webm audio/webm video/ogg audio/ogg application/ogg audio/mpeg audio/mp3 audio/wav audio/x-wav audio/wave audio/flac audio/x-flac audio/aac audio/x-m4a video/x-m4v video/x-matroska video/3gpp video/quicktime video/x-msvideo audio/amr audio/aiff application/octet-stream text/plain';
  const types = containers
    .split(' ')
    .flatMap((type) => [type, `${type};`, ...codecs.split('|').map((codec) => `${type}; codecs="${codec}"`)]);
  const page = await browser().browser.newPage();
  const played = await page.evaluate((all) => all.filter((type) => new Audio().canPlayType(type) !== ''), types);
  await page.close();
  expect(types.filter(isPlayableType)).toEqual(played);
});
