// The steps of a probe, each by itself: lease a page, open it, decide how its frames are captured.
import { expect, test } from 'vitest';
import { prepare } from '../../../../renderer-core/render/prepare.ts';
import { leasePage } from '../../../../renderer-core/render/probe/leasePage.ts';
import { openFirstPage } from '../../../../renderer-core/render/probe/openPage.ts';
import { decidePath } from '../../../../renderer-core/render/probe/probe.ts';
import { composition, project } from '../../../support/project.ts';
import { surroundings } from '../../../support/renders/surroundings.ts';
import { launchShared, useSharedBrowser } from '../../../support/renders/warmRender.ts';
import { core } from '../../../support/suites.ts';

useSharedBrowser();
const ignore = () => undefined;

/** The kinds of the first page and of the page that captures, and the obstacle. */
async function probeSteps(body: string, capture: 'auto' | 'paint' | 'screenshot') {
  const projectDir = project(composition(body));
  const prepared = await prepare({ projectDir });
  return launchShared({ ...surroundings, root: projectDir }, async (place) => {
    const lease = await leasePage(prepared, place, { emit: ignore });
    try {
      const first = await openFirstPage(lease.page, { capture });
      const decided = await decidePath(lease.page, first, { capture });
      await decided.page.close();
      return { first: first.kind, captures: decided.kind, obstacle: decided.obstacle };
    } finally {
      await lease.release();
    }
  });
}

const popover = '<p popover>x</p><script>document.querySelector("p").showPopover()</script>';
const obstacle = 'a modal dialog or a popover is open';

test.each([
  ['a paragraph', '<p>x</p>', 'auto', { first: 'paint', captures: 'paint', obstacle: null }],
  ['an open popover', popover, 'auto', { first: 'paint', captures: 'plain', obstacle }],
  ['an open popover that must be painted', popover, 'paint', { first: 'paint', captures: 'paint', obstacle }],
  ['a paragraph as screenshots', '<p>x</p>', 'screenshot', { first: 'plain', captures: 'plain', obstacle: null }],
] as const)('opens the page that captures %s', core, async (_, body, capture, expected) =>
  expect(await probeSteps(body, capture)).toEqual(expected),
);
