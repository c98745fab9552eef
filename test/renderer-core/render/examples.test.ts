// Every example renders without a warning, shows something, moves, and shows the given values.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { exampleNames } from '../../../cli/commandTable.ts';
import type { RenderReport } from '../../../renderer-core/render/renderReport.ts';
import { temporaryFolder } from '../../support/project.ts';
import { hex, type Picture, readFrames } from '../../support/video.ts';
import { warmRenderer } from '../../support/warmRender.ts';

const renderVideo = warmRenderer();

const examples = fileURLToPath(new URL('../../../examples/', import.meta.url));

async function render(name: string, variables: Record<string, unknown>, format: 'png' | 'mp4' = 'png') {
  const output = join(temporaryFolder(), format === 'png' ? 'frames' : 'video.mp4');
  const report: RenderReport = await renderVideo({
    projectDir: join(examples, name),
    variables,
    output,
    format,
    fps: '1',
    quality: 'draft',
    capture: 'screenshot',
    strictVariables: true,
  });
  return { report, frames: format === 'png' ? readFrames(output) : [] };
}

/** The number of sample points of each color in a frame. */
function colors(picture: Picture | undefined): Map<string, number> {
  const found = new Map<string, number>();
  if (!picture) return found;
  const step = 12;
  for (let y = step / 2; y < picture.height; y += step) {
    for (let x = step / 2; x < picture.width; x += step) {
      const color = hex(picture, x, y);
      found.set(color, (found.get(color) ?? 0) + 1);
    }
  }
  return found;
}

/** A color that is no default value. It is given to `variable` and must be visible in frame `frame`. */
const seen: Record<(typeof exampleNames)[number], { variable: string; frame: number; atLeast: number }> = {
  'launch-card': { variable: 'accent', frame: 8, atLeast: 2000 },
  'lower-third': { variable: 'accent', frame: 3, atLeast: 5 },
  countdown: { variable: 'accent', frame: 6, atLeast: 2000 },
  'release-notes': { variable: 'ground', frame: 1, atLeast: 2000 },
  'data-chart': { variable: 'accent', frame: 7, atLeast: 100 },
  'speaker-cards': { variable: '', frame: 5, atLeast: 0 },
  'quote-story': { variable: 'accent', frame: 4, atLeast: 100 },
};

describe.each(exampleNames)('%s', (name) => {
  const { variable, frame, atLeast } = seen[name];
  const color = '#2e9b57';

  test('shows a frame with several colors, and a different frame later', async () => {
    const { report, frames } = await render(name, variable === '' ? {} : { [variable]: color });
    expect(report.warnings).toEqual([]);
    const shown = colors(frames[frame]);
    expect(shown.size).toBeGreaterThan(3);
    expect([...colors(frames[0])]).not.toEqual([...shown]);
    if (variable !== '') expect(shown.get(color) ?? 0).toBeGreaterThanOrEqual(atLeast);
  });
});

test('plays the ticks of the countdown unless they are turned off', async () => {
  const { report } = await render('countdown', {}, 'mp4');
  const silent = await render('countdown', { ticks: false }, 'mp4');
  expect(report.warnings).toEqual([]);
  expect(report.bytes).toBeGreaterThan(silent.report.bytes + 10_000);
});

test('renders a lower third without a backdrop with transparency around the words', async () => {
  const { frames } = await render('lower-third', { backdrop: false });
  expect(frames[3]?.at(1800, 100)[3]).toBe(0);
  expect(frames[3]?.at(136, 900)[3]).toBe(255);
});
