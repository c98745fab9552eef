// Pages that are functions of time show only the frames that are captured. All others show every frame on the way.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Player } from '../../../../renderer-core/page/runtime/control.ts';
import { takeSnapshot } from '../../../../sdk/renders.ts';
import { composition, project, temporaryFolder } from '../../../support/project.ts';
import { inReadyPage } from '../../../support/renders/openPage.ts';
import { core } from '../../../support/suites.ts';

const styles = `<style>@keyframes go { to { translate: 40px 20px; background: #0a7 } }
  p { width: 20px; height: 20px; margin: 0; background: #c06; animation: go 1s linear 0.3s both }
  p:nth-of-type(2) { animation: go 0.4s ease-in-out infinite alternate } p:nth-of-type(3) { animation-fill-mode: none; animation-delay: 0s }
  p:nth-of-type(4) { animation-play-state: paused; animation-delay: -0.5s } p:nth-of-type(5) { animation-iteration-count: 1.5 }</style>`;
const deck = `${styles}<p></p><p></p><p data-start="0.4" data-duration="1"></p><p></p><p data-start="0.2"></p>`;

/** Runs in the composition: counts the seeks from now on. */
function countSeeks(): void {
  const player = (window as unknown as Record<symbol, Player>)[Symbol.for('framework.player')] as Player;
  const { seek } = player;
  Object.assign(window, { seeks: 0 });
  player.seek = (...args) => {
    (window as unknown as { seeks: number }).seeks++;
    seek(...args);
  };
}

const seeksTo = (body: string, ...frames: number[]): Promise<number> =>
  inReadyPage(composition(body, { duration: 2 }), async (inner, page) => {
    await inner.evaluate(countSeeks);
    for (const frame of frames) await page.call('show', frame);
    return inner.evaluate(() => (window as unknown as { seeks: number }).seeks);
  });

test('seeks once to each captured frame of a page without scripts', core, async () => {
  expect(await seeksTo(deck, 12)).toBe(1);
  expect(await seeksTo(deck, 3, 4, 15)).toBe(3);
});

// Which pages are functions of time is tested in pureTime.test.ts.
test('shows every frame of a page with a script', async () => {
  expect(await seeksTo(`${deck}<script></script>`, 3)).toBe(4);
});

test('takes the same snapshot with and without skipped frames', async () => {
  const projectDir = project(composition(deck, { duration: 2 }));
  const take = async (features: string) => {
    const output = join(temporaryFolder(), 'frame.png');
    const { capture } = await takeSnapshot({
      projectDir,
      at: ['5f', '9f', '17f'],
      sheet: true,
      fps: '10',
      output,
      features,
    });
    return { path: capture.path, image: readFileSync(output) };
  };
  const [on, off] = [await take(''), await take('-skippedFrames')];
  expect(on.path).toBe('paint');
  expect(on.image.equals(off.image)).toBe(true);
});
