// Analysers of sound: their values at the time of a frame are those of the browser's own analysers.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../support/project.ts';
import { referenceFfmpeg } from '../../../support/renders/ffmpeg.ts';
import { checkCuts, page, readCell, renderFrames } from '../../../support/renders/frames.ts';
import { makeSound } from '../../../support/renders/sound.ts';
import { core } from '../../../support/suites.ts';

/** 500 Hz that become quieter, and a quiet 3,000 Hz. */
const tones = (seconds: number) => {
  const wave = '0.5*sin(2*PI*500*t)*(1-t/4)+0.1*sin(2*PI*3000*t)';
  return readFileSync(makeSound(referenceFfmpeg, join(temporaryFolder(), 'tones.wav'), wave, seconds));
};

/** With this rate, a frame is 10 of the blocks in which browsers calculate sound. */
const context = 'const context = new AudioContext({ sampleRate: 12800 });';
const ofElement = "context.createMediaElementSource(document.getElementById('tones'))";
const eachFrame = (code: string) => `(function draw() { ${code}; requestAnimationFrame(draw) })();`;

/** The first number of each frame of one second. */
async function numbers(body: string): Promise<(string | number)[]> {
  const frames = await renderFrames({ 'index.html': page(body, { duration: 1 }), 'tones.wav': tones(1) });
  return frames.map((frame) => readCell(frame, 0, 'number'));
}

test('has the values of the browser at the time of each frame', core, async () => {
  const script = `
    const methods = ['getByteFrequencyData', 'getByteTimeDomainData', 'getFloatFrequencyData', 'getFloatTimeDomainData'];
    const read = (analyser) => methods.map((method) => {
      const values = method.includes('Byte') ? new Uint8Array(512) : new Float32Array(512);
      analyser[method](values);
      return values;
    });
    ${context}
    const analyser = context.createAnalyser();
    analyser.fftSize = 1024;
    ${ofElement}.connect(analyser);
    const expected = [];
    (async () => {
      const offline = new OfflineAudioContext(1, 12800, 12800);
      const source = offline.createBufferSource();
      source.buffer = await offline.decodeAudioData(await (await fetch('tones.wav')).arrayBuffer());
      const own = new AnalyserNode(offline, { fftSize: 1024 });
      source.connect(own).connect(offline.destination);
      source.start();
      for (let frame = 1; frame < 10; frame++)
        offline.suspend(frame / 10).then(() => { expected[frame] = read(own); return offline.resume() });
      await offline.startRendering();
    })();
    ${eachFrame(`
      const found = read(analyser);
      const own = expected[Math.round(context.currentTime * 10)];
      // The quietest levels are noise.
      const heard = (value) => Math.max(-100, value);
      if (own) number(0, Math.max(...methods.map((_, at) => {
        const [scale, shown] = [[1, Number], [1, Number], [50, heard], [1000, Number]][at];
        return scale * Math.max(...found[at].map((value, index) => Math.abs(shown(value) - shown(own[at][index]))));
      })) + 100);
    `)}`;
  const found = await numbers(`<audio id="tones" src="tones.wav" data-start="0"></audio><script>${script}</script>`);
  // At most one step of a byte, 0.02 dB, or a thousandth.
  expect(found.slice(1).map((value) => value === 100 || value === 101)).toEqual(Array(9).fill(true));
});

/** The loudest sample, in hundredths, of what arrives at `analyser`. */
const loudest = eachFrame(
  'const wave = new Float32Array(256); analyser.getFloatTimeDomainData(wave); number(0, 100 * Math.max(...wave))',
);
const analyser = `${context} const analyser = new AnalyserNode(context, { fftSize: 256 });`;

/** In which frames something is heard, as `0110`. */
const heard = async (body: string) => (await numbers(body)).map((value) => (Number(value) > 5 ? 1 : 0)).join('');

test('hears a media element in the time of its clip', async () => {
  const body = `<audio id="tones" src="tones.wav" data-start="0.25" data-duration="0.5"></audio><script>${analyser} ${ofElement}.connect(analyser); ${loudest}</script>`;
  expect(await heard(body)).toBe('0001111100');
});

test('hears a media element in a page that replaces what loads its file', async () => {
  const replaced = 'window.fetch = () => Promise.reject(new Error()); window.OfflineAudioContext = undefined;';
  const body = `<audio id="tones" src="tones.wav" data-start="0"></audio><script>${replaced} ${analyser} ${ofElement}.connect(analyser); ${loudest}</script>`;
  expect(await heard(body)).toBe('0111111111');
});

test('hears a decoded sound from when a script plays it until it stops it', async () => {
  const body = `<script>${analyser}
    (async () => {
      const source = context.createBufferSource();
      source.buffer = await context.decodeAudioData(await (await fetch('tones.wav')).arrayBuffer());
      source.connect(analyser).connect(context.destination);
      setTimeout(() => source.start(context.currentTime + 0.15), 100);
      setTimeout(() => source.stop(), 650);
    })();
    ${loudest}</script>`;
  expect(await heard(body)).toBe('0001111000');
});

test('multiplies gains and adds sources, and hears nothing from nodes that are disconnected', async () => {
  const constant = `const one = context.createBuffer(1, 12800, 12800); one.getChannelData(0).fill(0.4);
    const play = (gain) => { const source = new AudioBufferSourceNode(context, { buffer: one }); source.start();
      const node = new GainNode(context, { gain }); source.connect(node).connect(analyser); return node };`;
  const body = `<script>${analyser} ${constant} play(0.5); play(1); const other = play(2); setTimeout(() => other.disconnect(), 550); ${loudest}</script>`;
  const found = await numbers(body);
  expect(found.slice(2)).toEqual([140, 140, 140, 140, 60, 60, 60, 60]);
});

test('follows automated gains in the time of the composition, as the browser does', async () => {
  const body = `<script>${analyser}
    const one = new AudioBuffer({ length: 12800, sampleRate: 12800 });
    one.getChannelData(0).fill(1);
    const play = (context, to) => {
      const node = new GainNode(context);
      const source = new AudioBufferSourceNode(context, { buffer: one });
      source.connect(node).connect(to);
      source.start();
      node.gain.value = '0.2';
      node.gain.linearRampToValueAtTime(1, 0.25);
      node.gain.exponentialRampToValueAtTime(0.1, 0.35);
      node.gain.setTargetAtTime('0.5', 0.45, 0.1);
      node.gain.setValueCurveAtTime([0.1, 0.9, 0.3], 0.65, 0.2);
      return node.gain;
    };
    const gain = play(context, analyser);
    const offline = new OfflineAudioContext(1, 12800, 12800);
    play(offline, offline.destination);
    let expected;
    offline.startRendering().then((rendered) => { expected = rendered.getChannelData(0) });
    ${eachFrame(`
      const wave = new Float32Array(256);
      analyser.getFloatTimeDomainData(wave);
      const own = expected?.[Math.round(context.currentTime * 12800)];
      number(0, own === undefined ? 999 : 100 + 100 * Math.abs(wave[255] - own) + 100 * Math.abs(gain.value - own));
    `)}</script>`;
  expect((await numbers(body)).slice(1)).toEqual(Array(9).fill(100));
});

test('hears the channels of a stereo file behind a splitter, and both together without one', async () => {
  const stereo = makeSound(referenceFfmpeg, join(temporaryFolder(), 'stereo.wav'), '0.8|0.2', 1, { layout: 'stereo' });
  const body = `<audio id="tones" src="stereo.wav" data-start="0"></audio><script>${context}
    const source = ${ofElement};
    const splitter = context.createChannelSplitter(2);
    source.connect(splitter);
    const analysers = Array.from({ length: 4 }, () => new AnalyserNode(context, { fftSize: 256 }));
    source.connect(analysers[0]);
    splitter.connect(analysers[1], 0);
    splitter.connect(analysers[2], 1);
    splitter.connect(analysers[3], 1).connect(context.destination);
    setTimeout(() => splitter.disconnect(analysers[3], 1), 250);
    setTimeout(() => splitter.disconnect(0), 350);
    ${eachFrame(`analysers.forEach((analyser, at) => {
      const wave = new Float32Array(256);
      analyser.getFloatTimeDomainData(wave);
      number(at, 100 * wave[255]);
    })`)}</script>`;
  const frames = await renderFrames({
    'index.html': page(body, { duration: 0.5 }),
    'stereo.wav': readFileSync(stereo),
  });
  const found = frames.map((frame) => [0, 1, 2, 3].map((at) => readCell(frame, at, 'number')).join(' '));
  expect(found.slice(1)).toEqual(['50 80 20 20', '50 80 20 20', '50 80 20 0', '50 0 20 0']);
});

test('has the same values when a page starts in the middle', async () => {
  const draw = `const bytes = new Uint8Array(64); analyser.getByteFrequencyData(bytes); for (let at = 0; at < 8; at++) number(at, bytes[at + 7] * 300)`;
  const body = `<audio id="tones" src="tones.wav" data-start="0"></audio><script>${analyser} ${ofElement}.connect(analyser); ${eachFrame(draw)}</script>`;
  await checkCuts({ 'index.html': page(body, { duration: 4 }), 'tones.wav': tones(4) }, 15);
});
