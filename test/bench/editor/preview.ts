// npm run bench:preview: the live preview's time to the first frame, from an edit to its frame, and its scrubbing speed.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { startPreview } from '../../../preview/preview.ts';
import { findBrowser } from '../../../renderer-core/capture/findBrowser.ts';
import { type LaunchedBrowser, launchBrowser } from '../../../renderer-core/capture/launch.ts';
import { startProgram } from '../../support/program.ts';

/** Milliseconds, and frames per second. */
const budgets = { first: 1000, edit: 100, scrub: 30 };
const examples = ['data-chart', 'launch-card', 'quote-story', 'speaker-cards'];
const rounds = 7;

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));
const middle = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Time from the start of the process to the first frame. */
async function firstFrame({ browser }: LaunchedBrowser, root: string): Promise<number> {
  const started = performance.now();
  const program = startProgram(['preview', root, '--no-open', '--json']);
  while (!program.texts.stdout.includes('\n')) await pause(5);
  const page = await browser.newPage();
  await page.goto(JSON.parse(program.texts.stdout).url);
  await page.waitForSelector('iframe.shown');
  const took = performance.now() - started;
  await page.close();
  program.child.kill();
  await program.done;
  return took;
}

async function editAndScrub({ browser }: LaunchedBrowser, root: string): Promise<{ edit: number; scrub: number }> {
  const controller = new AbortController();
  const preview = await startPreview({ root, signal: controller.signal, env: process.env });
  const page = await browser.newPage();
  await page.setViewport({ width: 1280, height: 800 });
  await page.goto(`${preview.url}?composition=index.html`);
  await page.waitForSelector('iframe.shown');
  await page.click('input.time');
  await page.keyboard.type('100f');
  await page.keyboard.press('Enter');
  await pause(3000);
  const html = readFileSync(join(root, 'index.html'), 'utf8');
  const edits: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const id = `edit-${round}`;
    const started = performance.now();
    preview.text('index.html', html.replace('</body>', `<i id="${id}"></i></body>`));
    await page.waitForFunction(
      (edit: string) =>
        [...document.querySelectorAll<HTMLIFrameElement>('iframe.shown')].some((one) =>
          one.contentDocument?.getElementById(edit),
        ),
      { polling: 'raf' },
      id,
    );
    edits.push(performance.now() - started);
    await pause(2000);
  }
  const scrub = await scrubbing(page);
  await page.close();
  controller.abort();
  await preview.close();
  return { edit: middle(edits), scrub };
}

/** Frames per second while the pointer moves over the timeline. The script is text because the runner would add helper names. */
const scrubbing = (page: Page): Promise<number> =>
  page.evaluate(`(async () => {
    const area = document.querySelector('.area');
    area.setPointerCapture = () => undefined;
    const { left, width } = area.getBoundingClientRect();
    const fire = (type, at) =>
      area.dispatchEvent(new PointerEvent(type, { bubbles: true, clientX: left + at * width, pointerId: 1, button: 0 }));
    const player = document.querySelector('iframe.shown').contentWindow[Symbol.for('framework.player')];
    const { settle } = player;
    let count = 0;
    player.settle = () => { count++; return settle.call(player); };
    fire('pointerdown', 0.9);
    const began = performance.now();
    for (let turn = 0; performance.now() - began < 3000; turn++) {
      fire('pointermove', 0.5 + 0.45 * Math.sin(turn / 15));
      await new Promise(requestAnimationFrame);
    }
    fire('pointerup', 0.5);
    return (count * 1000) / (performance.now() - began);
  })()`) as Promise<number>;

const folder = mkdtempSync(join(tmpdir(), 'framework-bench-'));
const { env } = process;
const launched = await launchBrowser(await findBrowser({ env }), folder, { graphics: 'plain', env });
try {
  for (const name of examples) {
    const root = join('examples', name);
    const firsts: number[] = [];
    for (let round = 0; round < 3; round++) firsts.push(await firstFrame(launched, root));
    const first = middle(firsts);
    const { edit, scrub } = await editAndScrub(launched, root);
    const share = (value: number, budget: number) =>
      `${value.toFixed(0)} (${(value / budget).toFixed(2)} of ${budget})`;
    console.log(
      `${name.padEnd(14)} first frame ${share(first, budgets.first)} ms, edit ${share(edit, budgets.edit)} ms, scrub ${share(scrub, budgets.scrub)} frames/s`,
    );
  }
} finally {
  await launched.close();
  rmSync(folder, { recursive: true, force: true });
}
