// npm run bench:workbench: the activation of the packed extension in a window that has finished starting, and a key press in a
// large composition compared with the same text without one, both in a real workbench.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'puppeteer-core';
import manifest from '../../../package.json' with { type: 'json' };
import { goTo, openFile, runCommand, selectors, waitForText } from '../../support/vscode/ui.ts';
import { startWorkbench } from '../../support/vscode/workbench.ts';
import { figure, median, table } from '../table.ts';
import { compositionText } from './editorTexts.ts';

const vsix = fileURLToPath(new URL(`../../../framework-${manifest.version}.vsix`, import.meta.url));
const windows = 5;
const rounds = 5;
const keys = 30;

const composition = compositionText(200_000);
const texts = {
  composition,
  /** A file as long, but without an attribute of compositions. */
  plain: composition.replaceAll(' data-', ' info-'),
};
type Name = keyof typeof texts;

/** How long a window does other things after it is shown, such as activating the extensions of VS Code. */
const settledMs = 5000;

const folder = await mkdtemp(join(tmpdir(), 'framework-workbench-'));
const workbench = await startWorkbench({ vsix });
try {
  const activations: number[] = [];
  for (let count = 0; count < windows; count++) {
    const page = await openWindow();
    activations.push(await activationTime(page));
    await page.close();
  }
  for (const [name, text] of Object.entries(texts)) await writeFile(join(folder, `${name}.html`), text);
  const page = await openWindow();
  await openFile(page, 'composition.html');
  await waitForText(page, selectors.lens, 'Render');
  const times: Record<Name, number[]> = { composition: [], plain: [] };
  for (let round = 0; round < rounds; round++)
    for (const name of ['composition', 'plain'] as const) times[name].push(...(await typingTimes(page, name)));
  const [own, other] = [median(times.composition), median(times.plain)];
  const rows = [
    { what: `activation, ms (median of ${windows})`, value: median(activations), most: 50 },
    { what: 'activation, ms (longest)', value: Math.max(...activations), most: 50 },
    { what: 'key press in plain HTML of 200 KB, ms', value: other, most: undefined },
    { what: 'key press in a composition of 200 KB, ms', value: own, most: undefined },
    { what: 'ratio of the key presses', value: own / other, most: 1.2 },
  ];
  const columns = [
    { title: 'Measurement', text: ({ what }: (typeof rows)[number]) => what },
    { title: 'Value', numeric: true, text: ({ value }: (typeof rows)[number]) => figure(value, 2) },
    { title: 'Limit', numeric: true, text: ({ most }: (typeof rows)[number]) => figure(most) },
  ];
  console.log(table(columns, rows));
  if (rows.some(({ value, most }) => most !== undefined && value > most)) process.exitCode = 1;
} finally {
  await workbench.close();
  await rm(folder, { recursive: true, force: true });
}

/**
 * A window that has finished starting, and in which a command activates the extension. An HTML file would activate others at
 * the same time, and VS Code counts the time in which extensions wait for each other.
 */
async function openWindow(): Promise<Page> {
  const page = await workbench.open(folder, []);
  await page.waitForSelector('.activitybar [aria-label="Framework"]');
  await setTimeout(settledMs);
  await runCommand(page, 'Framework: Show Log');
  await page.waitForSelector('.part.panel .monaco-editor.focused');
  return page;
}

/** Milliseconds, as VS Code reports them. */
async function activationTime(page: Page): Promise<number> {
  // The editor has only the rows that are visible, and begins with the slowest.
  await page.setViewport({ width: 1280, height: 3000 });
  await runCommand(page, 'Developer: Show Running Extensions');
  await page.waitForSelector('.runtime-extensions-editor .activation-time');
  const texts = await page.$$eval('.runtime-extensions-editor .extension', (all) => all.map((one) => one.textContent));
  const own = texts.find((text) => text?.includes('Framework')) ?? '';
  const time = /Activation: (\d+)ms/.exec(own)?.[1];
  if (time === undefined) throw new Error(`No activation time in ${JSON.stringify(texts)}`);
  return Number(time);
}

/** Milliseconds from each key press until the next frame is drawn. */
async function typingTimes(page: Page, name: Name): Promise<number[]> {
  await openFile(page, `${name}.html`);
  await waitForText(page, '.tab.active', `${name}.html`);
  await goTo(page, texts[name], 'A heading that', 1);
  const measured = await page.evaluateHandle(() => {
    const found: number[] = [];
    const listener = {
      handleEvent() {
        const start = performance.now();
        requestAnimationFrame(() => globalThis.setTimeout(() => found.push(performance.now() - start)));
      },
    };
    addEventListener('keydown', listener, { capture: true });
    return { found, listener };
  });
  for (let count = 0; count < keys; count++) {
    await page.keyboard.press('x');
    // People type at this speed.
    await setTimeout(80);
  }
  return measured.evaluate(({ found, listener }) => {
    removeEventListener('keydown', listener, { capture: true });
    return found;
  });
}
