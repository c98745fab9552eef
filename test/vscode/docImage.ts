// Pictures for the documentation: of a window, with a palette of their own, which makes them a third as large.
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'puppeteer-core';
import { findFfmpeg } from '../../renderer-core/media/findFfmpeg.ts';

/** Writes `docs/images/<name>.png`. */
export async function docPicture(window: Page, name: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'fw-picture-'));
  try {
    const whole = join(folder, 'whole.png');
    await window.screenshot({ path: whole as `${string}.png` });
    const palette = 'split[a][b];[a]palettegen=stats_mode=full[p];[b][p]paletteuse=dither=sierra2_4a';
    const output = fileURLToPath(new URL(`../../docs/images/${name}.png`, import.meta.url));
    execFileSync((await findFfmpeg()).path, ['-v', 'error', '-y', '-i', whole, '-vf', palette, output]);
  } finally {
    await rm(folder, { recursive: true });
  }
}
