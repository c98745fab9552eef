// Screenshots of the preview and the variables form for the documentation. Runs only when UPDATE_SCREENSHOTS is set.
import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test, vi } from 'vitest';
import { referenceFfmpeg } from '../support/renders/ffmpeg.ts';
import { frameWith, openFile, runCommand, selectors, waitForText, waitInFrame } from '../support/vscode/ui.ts';
import { remoteUri, saveScreenshot, startWorkbench } from '../support/vscode/workbench.ts';

const example = fileURLToPath(new URL('../../examples/launch-card', import.meta.url));
const images = fileURLToPath(new URL('../../docs/images/', import.meta.url));

describe.runIf(process.env.UPDATE_SCREENSHOTS)('screenshots for the documentation', () => {
  test.each([
    ['dark', 'Default Dark Modern'],
    ['light', 'Default Light Modern'],
    ['contrast', 'Default High Contrast'],
  ])('takes screenshots in the theme %s', async (name, theme) => {
    const root = await mkdtemp(join(tmpdir(), 'fw-ws-'));
    const folder = join(root, 'launch-card');
    await cp(example, folder, { recursive: true });
    const settings = { 'workbench.colorTheme': theme, 'editor.minimap.enabled': false };
    const workbench = await startWorkbench({ settings, forwardsPorts: true });
    try {
      const file = remoteUri(workbench.authority, join(folder, 'index.html'));
      const page = await workbench.open(folder, [['openFile', file]]);
      await page.waitForSelector(selectors.runButton, { timeout: 60_000 });
      await runCommand(page, 'Framework: Show Variables');
      const form = await frameWith(page, '.field');
      await form.click('.field[data-id="title"] input', { count: 3 });
      await page.keyboard.type('Halo Two');
      await runCommand(page, 'Framework: Open Preview to the Side');
      const preview = await frameWith(page, '.stage .screens iframe');
      await waitInFrame(preview, '.timeline', '0');
      // It opens at the poster frame.
      await new Promise((done) => setTimeout(done, 4000));
      await saveScreenshot(page, `shown-preview-${name}`);
      if (name === 'dark') {
        await saveDocImage(await page.screenshot(), 'preview.png');
      }
      if (name === 'dark') {
        await mkdir(join(folder, 'variables/index'), { recursive: true });
        await writeFile(
          join(folder, 'variables/index/paper.json'),
          JSON.stringify({ theme: 'paper', accent: '#d94f30' }),
        );
        await runCommand(page, 'View: Close All Editor Groups');
        await openFile(page, 'index.html');
        await runCommand(page, 'Framework: Compare Sets…');
        const sides = () => page.frames().filter((frame) => /[?&]view=(?:left|right)/.test(frame.url()));
        await vi.waitUntil(() => sides().length === 2, { timeout: 60_000 });
        await new Promise((done) => setTimeout(done, 4000));
        await saveDocImage(await page.screenshot(), 'compare.png');
      }
      // The dialog has the whole width.
      await runCommand(page, 'View: Close All Editor Groups');
      await openFile(page, 'index.html');
      await runCommand(page, 'Framework: Render…');
      await waitForText(page, '.tab.active', 'Render launch-card');
      const panel = await frameWith(page, 'body.panel .field');
      await waitInFrame(panel, '.count', '1 of 8 changed');
      await waitInFrame(panel, '.summary', '270 frames');
      await saveScreenshot(page, `shown-form-${name}`);
      if (name === 'dark') await saveDocImage(await page.screenshot(), 'form.png');
      expect(await page.$$('.tab')).not.toHaveLength(0);
    } finally {
      await workbench.close();
      await rm(root, { recursive: true, force: true, maxRetries: 5 });
    }
  });
});

/** Reduces the image to 256 colors, because gradients make PNG files large. */
async function saveDocImage(png: Uint8Array, name: string): Promise<void> {
  await mkdir(images, { recursive: true });
  const colors = 'split[a][b];[a]palettegen[p];[b][p]paletteuse=dither=sierra2_4a';
  execFileSync(referenceFfmpeg, ['-y', '-f', 'png_pipe', '-i', '-', '-vf', colors, join(images, name)], {
    input: png,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
}
