// Every example renders without a warning, shows something, moves, and shows the given values.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { exampleNames } from '../../../cli/commandTable.ts';
import { temporaryFolder } from '../../support/project.ts';
import { captureProject } from '../../support/renders/frames.ts';
import { hex, type Picture } from '../../support/renders/video.ts';
import { warmRenderer } from '../../support/renders/warmRender.ts';

const renderVideo = warmRenderer();

const examples = fileURLToPath(new URL('../../../examples/', import.meta.url));

const options = (name: string, variables: Record<string, unknown>) => ({
  projectDir: join(examples, name),
  variables,
  fps: '1',
  strictVariables: true,
});

const capture = (name: string, variables: Record<string, unknown>) => captureProject({}, options(name, variables));

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
  'sea-song': { variable: 'accent', frame: 3, atLeast: 50 },
  blank: { variable: 'ground', frame: 2, atLeast: 2000 },
};

describe.each(exampleNames)('%s', (name) => {
  const { variable, frame, atLeast } = seen[name];
  const color = '#2e9b57';

  test('shows a frame with several colors, and a different frame later', async () => {
    const { warnings, frames } = await capture(name, variable === '' ? {} : { [variable]: color });
    expect(warnings).toEqual([]);
    const shown = colors(frames[frame]);
    expect(shown.size).toBeGreaterThan(3);
    expect([...colors(frames[0])]).not.toEqual([...shown]);
    if (variable !== '') expect(shown.get(color) ?? 0).toBeGreaterThanOrEqual(atLeast);
  });
});

test('plays the ticks of the countdown unless they are turned off', async () => {
  const render = (variables: Record<string, unknown>) => {
    const output = join(temporaryFolder(), 'video.mp4');
    return renderVideo({ ...options('countdown', variables), output, width: 320, quality: 'draft' });
  };
  const [ticking, silent] = [await render({}), await render({ ticks: false })];
  expect(ticking.warnings).toEqual([]);
  expect(ticking.bytes).toBeGreaterThan(silent.bytes + 10_000);
});

test('renders a lower third without a backdrop with transparency around the words', async () => {
  const { frames } = await capture('lower-third', { backdrop: false });
  expect(frames[3]?.at(1800, 100)[3]).toBe(0);
  expect(frames[3]?.at(136, 900)[3]).toBe(255);
});
