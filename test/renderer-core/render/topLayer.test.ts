// Modal dialogs, popovers and view transitions. The browser crashes when it paints some of them into a canvas, so such videos
// are taken by screenshots, which is decided before anything is painted.
import { describe, expect, test } from 'vitest';
import type { RenderReport } from '../../../renderer-core/render/renderReport.ts';
import type { RenderRequest } from '../../../renderer-core/render/types.ts';
import { green, page, readCell, red } from '../../support/frames.ts';
import { project, temporaryFolder } from '../../support/project.ts';
import { core } from '../../support/suites.ts';
import { readFrames } from '../../support/video.ts';
import { warmRenderer } from '../../support/warmRender.ts';

const renderVideo = warmRenderer();

async function render(body: string, request: Partial<RenderRequest> = {}) {
  const output = `${temporaryFolder()}/frames`;
  const projectDir = project({ 'index.html': page(body, { duration: 1 }) });
  const report: RenderReport = await renderVideo({ projectDir, output, format: 'png', fps: '10', ...request });
  return { report, frames: readFrames(output) };
}

const box =
  '<style>#a{position:absolute;left:0;top:0;width:8px;height:8px;background:red}#a.on{left:32px;background:lime}</style><div id="a"></div>';
const dialog = '<dialog id="d">Text</dialog>';
const blurred = `<style>dialog::backdrop{backdrop-filter:blur(3px)}</style>${dialog}`;
const change = `document.startViewTransition(() => { a.className = 'on' })`;

const filter = 'a modal dialog or a popover has a backdrop-filter';
const transition = 'the page starts a view transition';

describe('takes screenshots from the start', () => {
  test.each([
    ['of a blurred backdrop', filter, `${blurred}<script>d.showModal()</script>`],
    [
      'of a blurred backdrop in a later frame',
      filter,
      `${blurred}<script>setTimeout(() => d.showModal(), 400)</script>`,
    ],
    [
      'of a backdrop that is blurred by a transition',
      filter,
      `<style>dialog::backdrop{transition:backdrop-filter 0.3s 0.1s}.on dialog::backdrop{backdrop-filter:blur(3px)}</style>
       <div id="e">${dialog}</div><script>d.showModal(); setTimeout(() => { e.className = 'on' }, 400)</script>`,
    ],
    [
      'of a popover',
      filter,
      '<style>#p{backdrop-filter:blur(3px)}</style><p id="p" popover>Text</p><script>p.showPopover()</script>',
    ],
    ['of a view transition', transition, `${box}<script>${change}</script>`],
    ['of a view transition in a later frame', transition, `${box}<script>setTimeout(() => ${change}, 400)</script>`],
  ])('%s', async (_, reason, body) => {
    const { report } = await render(body);
    expect(report.capture).toMatchObject({ path: 'screenshot', reason });
    expect(report.warnings).toEqual([]);
  });
});

test('takes screenshots of a dialog whose fade crashes the browser when it is painted', async () => {
  const { report } = await render(
    `<style>#d::backdrop{animation:fade 0.3s linear}@keyframes fade{from{opacity:0}}</style>${dialog}
     <script>setTimeout(() => d.showModal(), 300)</script>`,
  );
  expect(report.capture).toMatchObject({ path: 'screenshot', reason: 'the page crashes when it is painted' });
});

test('paints a modal dialog and its own transitions', core, async () => {
  const { report, frames } = await render(
    `${box}<style>dialog{position:fixed;left:8px;top:0;margin:0;padding:0;border:0;width:8px;height:8px;background:red;transition:background 0.4s step-end}
     dialog.on{background:lime}dialog::backdrop{background:none}</style><dialog id="d"></dialog>
     <script>d.showModal(); setTimeout(() => { d.className = 'on' }, 200)</script>`,
  );
  expect(report.capture.path).toBe('paint');
  expect([2, 5, 7].map((frame) => readCell(frames[frame], 1, 'color'))).toEqual([red, red, green]);
});

test.each([1, 2])('begins and ends a view transition in the right frames, with %i pages', async (workers) => {
  const { frames } = await render(
    `${box}<style>::view-transition-group(*){animation-duration:0.4s}</style><script>setTimeout(async () => {
      await ${change}.finished;
      number(1, performance.now());
    }, 200)</script>`,
    { workers, chunkFrames: 5 },
  );
  expect([0, 1].map((frame) => readCell(frames[frame], 0, 'color'))).toEqual([red, red]);
  expect([8, 9].map((frame) => readCell(frames[frame], 1, 'number'))).toEqual([600, 600]);
  expect(readCell(frames[9], 4, 'color')).toBe(green);
});
