// The browser's own animation time is stopped in captured pages. The runtime seeks animations, but only when it knows them:
// until then, one that ran in real time would be shown somewhere on its way.
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { prepare } from '../../../renderer-core/render/prepare.ts';
import { probe } from '../../../renderer-core/render/probe.ts';
import { openReadyPage } from '../../../renderer-core/render/readyPage.ts';
import type { RenderRequest } from '../../../renderer-core/render/types.ts';
import { page } from '../../support/frames.ts';
import { project } from '../../support/project.ts';
import { core } from '../../support/suites.ts';
import { inSession, openSession, type SharedSession } from '../../support/warmRender.ts';

let shared: SharedSession;
beforeAll(async () => {
  shared = await openSession(tmpdir());
});
afterAll(() => shared.close());

const html = page(`<style>
  @keyframes turn { to { rotate: 90deg } }
  p { transition: opacity 1s linear }
  p.on { opacity: 0.5; animation: turn 1s linear }
</style><p>Text</p>`);

/** Runs in the composition. Returns the times of its animations when the browser has rendered `renderings` times. */
async function startAnimations(renderings: number): Promise<unknown[]> {
  document.querySelector('p')?.classList.add('on');
  const animations = document.getAnimations();
  await Promise.all(animations.map(({ ready }) => ready));
  // The clock of the capture page around the composition is real.
  const around = (window as unknown as Record<symbol, Window>)[Symbol.for('framework.parent')];
  for (let at = 0; at < renderings; at++) await new Promise((resolve) => around?.requestAnimationFrame(resolve));
  return animations.map((animation) => [animation.constructor.name, animation.currentTime]);
}

test('keeps the times of a transition and an animation while real time passes', core, async () => {
  const projectDir = project({ 'index.html': html });
  const request: RenderRequest = { projectDir, format: 'png', fps: '10' };
  await inSession(shared, projectDir, async (place) => {
    const probed = await probe(request, await prepare(request), place);
    const { page: opened } = await openReadyPage(probed, 'plain');
    await opened.call('show', 0);
    const times = await opened.tab.page.frames()[1]?.evaluate(startAnimations, 10);
    expect(times).toEqual([
      ['CSSTransition', 0],
      ['CSSAnimation', 0],
    ]);
    await opened.close();
    await probed.close();
  });
});
