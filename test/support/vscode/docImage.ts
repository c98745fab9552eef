// Screenshots for the documentation, reduced to a palette, which makes the files a third as large.
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'puppeteer-core';
import { referenceFfmpeg } from '../renders/ffmpeg.ts';

/** Writes `docs/images/<name>.png`. */
export async function docImage(window: Page, name: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'fw-image-'));
  try {
    const full = join(folder, 'full.png');
    await window.screenshot({ path: full as `${string}.png` });
    const palette = 'split[a][b];[a]palettegen=stats_mode=full[p];[b][p]paletteuse=dither=sierra2_4a';
    const output = fileURLToPath(new URL(`../../../docs/images/${name}.png`, import.meta.url));
    execFileSync(referenceFfmpeg, ['-v', 'error', '-y', '-i', full, '-vf', palette, output]);
  } finally {
    await rm(folder, { recursive: true });
  }
}
