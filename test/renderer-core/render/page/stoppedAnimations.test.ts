// The browser's own animation time is stopped in captured pages. The runtime seeks animations, but only when it knows them:
// until then, one that ran in real time would be shown somewhere on its way.
import { expect, test } from 'vitest';
import { page } from '../../../support/renders/frames.ts';
import { inReadyPage } from '../../../support/renders/openPage.ts';
import { core } from '../../../support/suites.ts';

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
  const times = await inReadyPage(html, async (frame, opened) => {
    await opened.call('show', 0);
    return frame.evaluate(startAnimations, 10);
  });
  expect(times).toEqual([
    ['CSSTransition', 0],
    ['CSSAnimation', 0],
  ]);
});
