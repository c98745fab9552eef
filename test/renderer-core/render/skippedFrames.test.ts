// Pages that are functions of time show only the frames that are captured. All others show every frame on the way.
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { prepare } from '../../../renderer-core/render/prepare.ts';
import { probe } from '../../../renderer-core/render/probe.ts';
import { openReadyPage } from '../../../renderer-core/render/readyPage.ts';
import type { RenderRequest } from '../../../renderer-core/render/types.ts';
import type { Player } from '../../../renderer-core/runtime/control.ts';
import { takeSnapshot } from '../../../sdk/renders.ts';
import { composition, project, temporaryFolder } from '../../support/project.ts';
import { core } from '../../support/suites.ts';
import { inSession, openSession, type SharedSession } from '../../support/warmRender.ts';

let shared: SharedSession;
beforeAll(async () => {
  shared = await openSession(tmpdir());
});
afterAll(() => shared.close());

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

async function seeksTo(body: string, ...frames: number[]): Promise<number> {
  const projectDir = project(composition(body, { duration: 2 }));
  const request: RenderRequest = { projectDir, format: 'png', fps: '10' };
  return inSession(shared, projectDir, async (place) => {
    const probed = await probe(request, await prepare(request), place);
    const { page } = await openReadyPage(probed, 'plain');
    const inner = page.tab.page.frames()[1];
    await inner?.evaluate(countSeeks);
    for (const frame of frames) await page.call('show', frame);
    const seeks = await inner?.evaluate(() => (window as unknown as { seeks: number }).seeks);
    await page.close();
    await probed.close();
    return Number(seeks);
  });
}

test('seeks once to each captured frame of a page without scripts', core, async () => {
  expect(await seeksTo(deck, 12)).toBe(1);
  expect(await seeksTo(deck, 3, 4, 15)).toBe(3);
});

describe('shows every frame of a page', () => {
  test.each([
    ['with a script', '<script></script>'],
    ['with a handler', '<img onload="this.alt = 1">'],
    ['with a transition', '<style>p { transition: translate 1s }</style>'],
    ['with SVG animation', '<svg><circle r="9"><animate attributeName="r" to="3" dur="1s"/></circle></svg>'],
    ['with a style sheet from a file', '<link rel="icon" href="data:,">'],
    ['whose style sheet is a variable', '<style data-var-text="css"></style>'],
    ['with container queries', '<style>@container (width > 10px) { p { animation: none } }</style>'],
  ])('%s', async (_, body) => {
    expect(await seeksTo(deck + body, 3)).toBe(4);
  });
});

test('takes the same snapshot with and without skipped frames', async () => {
  const projectDir = project(composition(deck, { duration: 2 }));
  const take = async (fastPaths: string) => {
    const output = join(temporaryFolder(), 'frame.png');
    const { capture } = await takeSnapshot({
      projectDir,
      at: ['5f', '9f', '17f'],
      sheet: true,
      fps: '10',
      output,
      fastPaths,
    });
    return { path: capture.path, image: readFileSync(output) };
  };
  const [on, off] = [await take(''), await take('-skipped-frames')];
  expect(on.path).toBe('paint');
  expect(on.image.equals(off.image)).toBe(true);
});
