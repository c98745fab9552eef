// The browser's own screenshots of sample frames: a screenshot that differs is taken again before frames are discarded.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { expect, test } from 'vitest';
import type { CapturePage } from '../../../../renderer-core/capture/capturePage.ts';
import { settledScreenshot } from '../../../../renderer-core/capture/screenshotSource.ts';
import { videoOptions } from '../../../../renderer-core/render/captureOptions.ts';
import { capture } from '../../../../renderer-core/render/captureStage.ts';
import { reportProgress } from '../../../../renderer-core/render/progress.ts';
import type { CaptureDecision, RenderRequest } from '../../../../renderer-core/render/types.ts';
import { composition, project, temporaryFolder } from '../../../support/project.ts';
import { footage } from '../../../support/renders/footage.ts';
import { captureProject } from '../../../support/renders/frames.ts';
import { withProbed } from '../../../support/renders/openPage.ts';
import { surroundings } from '../../../support/renders/surroundings.ts';
import { launchShared, warmRenderer } from '../../../support/renders/warmRender.ts';
import { core } from '../../../support/suites.ts';

const render = warmRenderer();
const white = PNG.sync.write(
  Object.assign(new PNG({ width: 64, height: 48 }), { data: Buffer.alloc(64 * 48 * 4, 255) }),
);

/** Captures a red box. `wrong`: the server has white screenshots until they are taken again. */
function captureSamples(wrong: boolean): Promise<{ path: string; retaken: number[] }> {
  const projectDir = project(
    composition('<div style="width:30px;height:30px;background:red"></div>', { duration: 0.5 }),
  );
  const request: RenderRequest = { projectDir, fps: '10' };
  const progress = reportProgress(undefined, () => performance.now());
  return launchShared({ ...surroundings, root: projectDir }, (place) =>
    withProbed(request, place, async (probed) => {
      const { samples, page, encoding } = probed;
      page.services.server.setVirtual('/white.png', { body: white, type: 'image/png' });
      const retaken: number[] = [];
      const faked = {
        ...samples,
        of: (frame: number) => (wrong ? Promise.resolve('/white.png') : samples.of(frame)),
        retake(frame: number, isNarrow?: boolean) {
          retaken.push(frame);
          return samples.retake(frame, isNarrow);
        },
      };
      const options = videoOptions(request, probed.plan, { temporary: encoding.folder }, progress.emit);
      const { capture: found, encoded, closed } = await capture({ ...probed, samples: faked }, options, progress);
      await Promise.all([encoded, closed]);
      return { path: found.path, retaken: retaken.sort() };
    }),
  );
}

test('paints if a screenshot is wrong only once', core, async () => {
  expect(await captureSamples(true)).toEqual({ path: 'paint', retaken: [3] });
});

test('takes screenshots once if they agree', core, async () => {
  expect(await captureSamples(false)).toEqual({ path: 'paint', retaken: [] });
});

/** How a video of the page is captured. */
async function decisionOf(html: string, request: Partial<RenderRequest> = {}): Promise<CaptureDecision> {
  const output = join(temporaryFolder(), 'out.mp4');
  return (await render({ projectDir: project(html), output, fps: '10', ...request })).capture;
}

const painted = { path: 'paint', reason: "3 sample frames agree with the browser's own screenshots" };

test('paints a plane in 3D that is seen almost from its side, which the browser shows coarsely', async () => {
  const plane = composition(
    `<style>
        section { position: absolute; left: 20px; top: 40px; perspective: 700px; transform-style: preserve-3d }
        p { width: 280px; margin: 0; background: #23395d; color: white; font: 600 24px/30px sans-serif; transform: rotateY(82deg) }
      </style><section><p>The quick brown fox jumps over the lazy dog</p></section>`,
    { width: 320, height: 180, duration: 0.5 },
  );
  expect(await decisionOf(plane)).toMatchObject(painted);
});

test('paints a card that turns, with text that the browser shows coarsely when it is seen from its side', async () => {
  const turning = composition(
    `<style>
      #stage { position: absolute; left: 110px; top: 40px; width: 300px; height: 300px; perspective: 600px }
      #card { position: absolute; inset: 0; transform-style: preserve-3d; animation: turn 2s linear }
      p { position: absolute; inset: 0; margin: 0; padding: 20px; background: #23395d; color: white; font: 600 26px/32px sans-serif }
      @keyframes turn { from { transform: rotateY(86deg) } to { transform: rotateY(89deg) } }
    </style><div id="stage"><div id="card"><p>The quick brown fox jumps over the lazy dog, and the dog sleeps.</p></div></div>`,
    { width: 520, height: 380, duration: 2 },
  );
  expect(await decisionOf(turning)).toMatchObject(painted);
});

/** Faces with translucent borders: what is below a border shows at its outer edge, in screenshots and painted frames differently. */
const cube = composition(
  `<style>
    #stage { position: absolute; left: 40px; top: 12px; width: 360px; height: 360px; scale: 0.8; perspective: 1060px }
    .cube { position: absolute; inset: 0; transform-style: preserve-3d; animation: turn 2s linear }
    .cube div { position: absolute; inset: 46px; border: 7px solid rgb(255 255 255 / 0.85); background: var(--c); transform: var(--t) translateZ(133px) }
    @keyframes turn { from { transform: rotateX(-12deg) rotateY(90deg) } to { transform: rotateX(12deg) rotateY(270deg) } }
  </style><div id="stage"><div class="cube">${['#e4572e', '#1f9d6b', '#2e6be4', '#8c44c7']
    .map((color, side) => `<div style="--c:${color};--t:rotateY(${side * 90}deg)"></div>`)
    .join('')}</div></div>`,
  { width: 440, height: 380, duration: 2 },
);

test.each([
  ['', {}],
  [' in another size and aspect ratio', { aspectRatio: '1:1', width: 600 }],
])('paints a cube whose edges look different in screenshots%s', async (_, size) => {
  expect(await decisionOf(cube, size)).toMatchObject(painted);
});

/** Counts the compositions that browsers load, with a script of the page that reports each of them. */
async function countLoads(body: string, files: Record<string, Uint8Array> = {}, duration = 0.5): Promise<number> {
  let loads = 0;
  const counter = createServer((_, response) => {
    loads++;
    response.setHeader('cache-control', 'no-store').setHeader('access-control-allow-origin', '*').end();
  });
  await new Promise<void>((resolve) => counter.listen(0, '127.0.0.1', resolve));
  const { port } = counter.address() as AddressInfo;
  // With a text, no sample shows only one color.
  const report = `<p style="color:white">Hello</p><script>fetch('http://127.0.0.1:${port}/', { method: 'POST' })</script>`;
  const html = composition(`${report}${body}`, { duration });
  try {
    expect((await captureProject({ ...files, 'index.html': html })).capture.path).toBe('paint');
  } finally {
    await new Promise((resolve) => counter.close(resolve));
  }
  return loads;
}

test('loads a composition once, and a second time for screenshots if it has videos', async () => {
  expect(await countLoads('')).toBe(1);
  expect(await countLoads('<video src="a.mp4"></video>', { 'a.mp4': footage({ seconds: 0.5 }) })).toBe(2);
});

test('loads a composition whose elements are sorted by depth once', async () => {
  const scene = '<div style="transform-style:preserve-3d"><i style="transform:translateZ(9px)">3D</i></div>';
  expect(await countLoads(scene, {}, 4)).toBe(1);
});

const animated = (css: string) =>
  `<style>p { color: white; animation: a 1s } @keyframes a { to { ${css} } }</style><p>Hello</p>`;
test.each([
  [1, 'boxes and 2D transforms', animated('transform: translateX(9px) rotate(9deg); box-shadow: 0 0 4px red')],
  [3, 'filters that begin later', animated('filter: blur(2px)')],
  [3, 'graphics', '<svg><circle r="9" fill="red" /></svg>'],
  [3, 'scripts', `${animated('opacity: 0')}<script>document.title = 'a'</script>`],
])('compares %d sample frames of a page with text and %s', core, async (count, _, body) => {
  expect((await decisionOf(composition(body, { duration: 0.5 }))).reason).toMatch(new RegExp(`^${count} sample frame`));
});

test('writes the same file whether samples are compared or not', async () => {
  const projectDir = project(
    composition(
      `<style>
        div { position: absolute; width: 20px; height: 10px }
        #moving { background: red; animation: move 0.3s both; transform-origin: 0 0 }
        @keyframes move { to { transform: translate(30.5px, 20px) rotate(20deg) } }
        #scrolled { left: 40px; overflow: scroll; background: linear-gradient(red, blue) }
      </style>
      <div id="moving">a</div><div id="scrolled"><p>scrolled</p></div>
      <iframe srcdoc="<p>nested" style="position:absolute;top:24px;width:30px;height:20px"></iframe>
      <script>scrolled.scrollTop = 12; scrolled.firstChild.animate({ opacity: [0, 1] }, 200)</script>`,
      { duration: 2 },
    ),
  );
  const files = await Promise.all(
    (['auto', 'paint'] as const).map(async (capture) => {
      const output = join(temporaryFolder(), `${capture}.mp4`);
      const report = await render({ projectDir, output, fps: '10', capture });
      return { path: report.capture.path, bytes: readFileSync(output) };
    }),
  );
  expect(files.map(({ path }) => path)).toEqual(['paint', 'paint']);
  expect(files[0]?.bytes.equals(files[1]?.bytes as Buffer)).toBe(true);
});

test.each([
  [['a', 'a'], 'a', 2],
  [['blurry', 'a', 'a'], 'a', 3],
  [['a', 'b', 'c', 'd', 'e', 'e'], 'd', 4],
])('takes screenshots %j until two are equal, at most four: %s after %d', async (shown, expected, expectedCount) => {
  let taken = 0;
  const page = {
    call: async () => undefined,
    guard: (answer: Promise<unknown>) => answer,
    tab: { session: { send: async () => ({ data: Buffer.from(shown[taken++] ?? '').toString('base64') }) } },
  } as unknown as CapturePage;
  expect((await settledScreenshot(page, 0, { width: 64, height: 48 })).toString()).toBe(expected);
  expect(taken).toBe(expectedCount);
});

test.each([
  ['mp4', '1s'],
  ['png', '1s'],
  // Nothing changes in the first chunks.
  ['mp4', '1.5s 1.5s'],
] as const)('takes screenshots if a frame changes without a paint event (%s, %s)', async (format, times) => {
  // The page keeps the events of the capture page's canvas from their listener.
  const script = `window[Symbol.for('framework.parent')].addEventListener('paint', (event) => event.stopImmediatePropagation(), true)`;
  const style = `@keyframes go { to { translate: 30px } } i { animation: go ${times}; position: absolute; background: red }`;
  const projectDir = project(composition(`<style>${style}</style><i>x</i><script>${script}</script>`, { duration: 3 }));
  const options = { format, fps: '10', chunkFrames: 5, workers: 1, gpu: 'off' } as const;
  const { capture } = await render({ projectDir, output: join(temporaryFolder(), 'out'), ...options });
  expect(capture).toMatchObject({ path: 'screenshot', reason: 'a frame changed without a paint event' });
});
