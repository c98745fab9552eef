// Accessibility of the preview page: keyboard, screen reader and themes.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { openPreview } from '../support/editor/previewPage.ts';
import { controlsOf, faint, type ThemeKind, tabOrder, themeKinds, themeVariables } from '../support/editor/webview.ts';
import { composition, project } from '../support/project.ts';
import { sharedBrowser } from '../support/renders/warmRender.ts';

const launched = sharedBrowser();
const examples = fileURLToPath(new URL('../../examples/', import.meta.url));
const small = () => project(composition('<h1 class="clip" data-start="0" data-duration="1">Hello</h1>'));

test('gives every control a name and a visible focus in tab order', async () => {
  const opened = await openPreview(launched(), small());
  await opened.atRest();
  expect(await controlsOf(opened.page)).toMatchInlineSnapshot(`
    [
      "button: Go to the start",
      "button: Previous frame",
      "button: Play",
      "button: Next frame",
      "button: Go to the end",
      "textbox: Time",
      "button: Set loop start",
      "button: Set loop end",
      "button: Loop",
      "combobox: Speed",
      "option: 0.25×",
      "option: 0.5×",
      "option: 1×",
      "option: 1.5×",
      "option: 2×",
      "option: 4×",
      "button: Mute",
      "slider: Volume",
      "button: Fonts of the text",
      "button: Pick an element to show its source",
      "combobox: Guides",
      "option: No guides",
      "option: Safe areas (90 %, 80 %)",
      "option: 9:16",
      "option: 1:1",
      "option: 4:5",
      "button: Transparency grid",
      "combobox: Zoom",
      "option: Fit",
      "option: 25 %",
      "option: 50 %",
      "option: 100 %",
      "option: 200 %",
      "option: 400 %",
      "button: Save frame as image",
      "button: Full screen",
      "slider: Playhead",
      "button: Hello, 0:00.00 – 0:01.00",
    ]
  `);
  expect(await tabOrder(opened.page)).toMatchInlineSnapshot(`
    [
      "div Preview of the composition",
      "button Go to the start",
      "button Previous frame",
      "button Play",
      "button Next frame",
      "button Go to the end",
      "input Time",
      "button Set loop start",
      "button Set loop end",
      "button Loop",
      "select Speed",
      "button Mute",
      "input Volume",
      "button Fonts of the text",
      "button Pick an element to show its source",
      "select Guides",
      "button Transparency grid",
      "select Zoom",
      "button Save frame as image",
      "button Full screen",
      "div Playhead",
      "button Hello, 0:00.00 – 0:01.00",
    ]
  `);
});

test('announces the frame when it is sought, and not while it plays', async () => {
  const { page, atRest, goTo } = await openPreview(launched(), small());
  await atRest();
  await goTo('12f');
  await atRest();
  expect(await page.$eval('.ruler', (ruler) => ruler.getAttribute('aria-valuetext'))).toBe('0:00.40, Frame 12');
  expect(await page.$$eval('[role="status"], [aria-live], output', (all) => all.map((one) => one.className))).toEqual([
    'clip-label',
    'note',
    'problems mild',
    'blocked',
  ]);
});

/** Opens a page that shows everything: a problem, an outline, a pressed button, guides. */
async function crowded(theme: ThemeKind) {
  const opened = await openPreview(launched(), join(examples, 'launch-card'));
  await opened.atRest();
  await opened.page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }]);
  await opened.page.evaluate(
    (kind: string, variables: Record<string, string>) => {
      document.documentElement.dataset.kind = kind;
      for (const [name, value] of Object.entries(variables)) document.documentElement.style.setProperty(name, value);
    },
    theme,
    themeVariables(theme),
  );
  opened.preview.show('index.html', { nothing: 1 });
  await opened.page.waitForSelector('.problems li');
  await opened.page.keyboard.press('g');
  await opened.page.mouse.click(600, 400, { count: 2 });
  await opened.page.waitForSelector('.outline span');
  return opened;
}

test.each(themeKinds)('has sufficient contrast: %s', async (theme) => {
  const { page } = await crowded(theme);
  if (process.env.LOOK)
    await page.screenshot({ path: join(process.env.LOOK, `preview-${theme}.png`) as `${string}.png` });
  expect(await faint(page)).toEqual([]);
  expect(await page.evaluate(() => String(getSelection()?.type))).not.toBe('Range');
  const [pressed, loose] = await page.$$eval('button[aria-pressed="true"], button[aria-pressed="false"]', (all) =>
    ['true', 'false'].map(
      (state) => getComputedStyle(all.find((one) => one.ariaPressed === state) as Element).backgroundColor,
    ),
  );
  expect(pressed).not.toBe(loose);
});
