// Modal dialogs, popovers and view transitions. The browser crashes when it paints some of them into a canvas, so such videos
// are taken by screenshots, which is decided before anything is painted.
import { describe, expect, test } from 'vitest';
import { captureProject, green, page, readCell, red } from '../../../support/renders/frames.ts';

const box =
  '<style>#a{position:absolute;left:0;top:0;width:8px;height:8px;background:red}#a.on{left:32px;background:lime}</style><div id="a"></div>';
const dialog = '<dialog id="d">Text</dialog>';
const change = `document.startViewTransition(() => { a.className = 'on' })`;

const opened = 'a modal dialog or a popover is open';
const transition = 'the page starts a view transition';

describe('takes screenshots from the start', () => {
  test.each([
    ['of a modal dialog', opened, `${dialog}<script>d.showModal()</script>`],
    ['of a modal dialog in a later frame', opened, `${dialog}<script>setTimeout(() => d.showModal(), 400)</script>`],
    ['of a popover', opened, '<p id="p" popover>Text</p><script>p.showPopover()</script>'],
    ['of a view transition', transition, `${box}<script>${change}</script>`],
    ['of a view transition in a later frame', transition, `${box}<script>setTimeout(() => ${change}, 400)</script>`],
  ])('%s', async (_, reason, body) => {
    const { capture, warnings } = await captureProject(page(body, { duration: 0.5 }));
    expect(capture).toMatchObject({ path: 'screenshot', reason });
    expect(warnings).toEqual([]);
  });
});

test.each([1, 2])('begins and ends a view transition in the right frames, with %i pages', async (workers) => {
  const html = page(
    `${box}<style>::view-transition-group(*){animation-duration:0.4s}</style><script>setTimeout(async () => {
      await ${change}.finished;
      number(1, performance.now());
    }, 200)</script>`,
    { duration: 1 },
  );
  const { frames } = await captureProject(html, { workers, chunkFrames: 5 });
  expect([0, 1].map((frame) => readCell(frames[frame], 0, 'color'))).toEqual([red, red]);
  expect([8, 9].map((frame) => readCell(frames[frame], 1, 'number'))).toEqual([600, 600]);
  expect(readCell(frames[9], 4, 'color')).toBe(green);
});
