// Characters that are emoji as well as symbols: in color, unless a variation selector asks for text.
import { expect, test } from 'vitest';
import { composition } from '../../../support/project.ts';
import { renderFrames } from '../../../support/renders/frames.ts';
import { core } from '../../../support/suites.ts';

const lineHeight = 80;

/** Which of the texts have pixels that are not gray. Each text is a line. */
async function coloredOf(texts: readonly string[]): Promise<string[]> {
  const style = `margin:0;color:#000;background:#fff;height:${lineHeight}px;font:60px/${lineHeight}px Arial`;
  const lines = texts.map((text) => `<p style="${style}">${text}</p>`).join('');
  const size = { width: 320, height: texts.length * lineHeight, duration: 0.1 };
  const [frame] = await renderFrames({ 'index.html': composition(lines, size) });
  const isColored = (x: number, y: number): boolean => {
    const [r = 0, g = 0, b = 0] = frame?.at(x, y) ?? [];
    return Math.max(r, g, b) - Math.min(r, g, b) > 60;
  };
  return texts.filter((_, line) => {
    for (let y = line * lineHeight; y < (line + 1) * lineHeight; y++)
      for (let x = 0; x < size.width; x++) if (isColored(x, y)) return true;
    return false;
  });
}

test('shows emoji in color, also those of several characters, and symbols as text', core, async () => {
  const emoji = ['📷', '⌚', '⚡', '😀', '☀\ufe0f', '🐈\u200d⬛', '🏃\u200d♂\ufe0f', '👩\u200d🚀'];
  const symbols = ['☀', '☎', '📷\ufe0e', '12 ★ → ∑'];
  expect(await coloredOf([...emoji, ...symbols])).toEqual(emoji);
});
