// Every block of the catalog has its files, no findings, and painted frames that show something with its defaults.
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import index from '../../../blocks/blocks.json' with { type: 'json' };
import { lintProject } from '../../../renderer-core/lintProject.ts';
import { captureProject } from '../../support/renders/frames.ts';
import { hex } from '../../support/renders/video.ts';

const folder = fileURLToPath(new URL('../../../blocks/', import.meta.url));

test('has no findings', async () => {
  const { findings } = await lintProject(folder);
  expect(findings).toEqual([]);
});

describe.each(index.blocks)('$name', ({ name, posterTime }) => {
  test('has a small image', () => {
    expect(existsSync(join(folder, `${name}.html`))).toBe(true);
    expect(statSync(join(folder, `${name}.webp`)).size).toBeLessThanOrEqual(12_000);
  });

  test('is painted, and shows several colors at its poster time', async () => {
    const fps = 3;
    const options = { composition: `${name}.html`, fps: `${fps}`, width: 480, strictVariables: true };
    const { frames, warnings, capture } = await captureProject({}, { projectDir: folder, ...options });
    expect([warnings, capture.path]).toEqual([[], 'paint']);
    const frame = frames[Math.round(posterTime * fps)];
    const colors = new Set<string>();
    for (let y = 2; frame && y < frame.height; y += 4)
      for (let x = 2; x < frame.width; x += 4) colors.add(hex(frame, x, y));
    expect(colors.size).toBeGreaterThanOrEqual(3);
  });
});
