// Characters that are emoji as well as symbols: in color, unless a variation selector asks for text.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { expect, test } from 'vitest';
import { composition, project, temporaryFolder } from '../../support/project.ts';
import { core } from '../../support/suites.ts';
import { warmRenderer } from '../../support/warmRender.ts';

const renderVideo = warmRenderer();

/** Whether a frame with the text has pixels that are not gray. */
async function isColored(text: string): Promise<boolean> {
  const style = 'margin:0;color:#000;background:#fff;font:60px Arial';
  const projectDir = project(composition(`<p style="${style}">${text}</p>`, { duration: 0.1 }));
  const output = join(temporaryFolder(), 'frames');
  await renderVideo({ projectDir, output, format: 'png', fps: '10' });
  const [first = ''] = readdirSync(output).filter((name) => name.endsWith('.png'));
  const { data } = PNG.sync.read(readFileSync(join(output, first)));
  for (let at = 0; at < data.length; at += 4) {
    const rgb = [...data.subarray(at, at + 3)];
    if (Math.max(...rgb) - Math.min(...rgb) > 60) return true;
  }
  return false;
}

test.each([
  ['📷', true],
  ['⌚', true],
  ['⚡', true],
  ['😀', true],
  ['☀\ufe0f', true],
  ['☀', false],
  ['☎', false],
  ['📷\ufe0e', false],
  ['12 ★ → ∑', false],
])('%s', async (text, colored) => {
  expect(await isColored(text)).toBe(colored);
});

test('an emoji of several characters, as one', core, async () => {
  const words = ['🐈\u200d⬛', '🏃\u200d♂\ufe0f', '👩\u200d🚀'];
  for (const word of words) expect(await isColored(word)).toBe(true);
});
