// The live preview in a real browser: edits, time, problems with locations, and the communication with an editor.
// One file, because one browser serves all tests.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { FromPage, FromProcess, ToProcess } from '../../preview/messages.ts';
import { type OpenedPreview, openPreview } from '../support/editor/previewPage.ts';
import { cliFile, startProgram } from '../support/program.ts';
import { composition, project } from '../support/project.ts';
import { referenceFfmpeg } from '../support/renders/ffmpeg.ts';
import { makeSound } from '../support/renders/sound.ts';
import { sharedBrowser } from '../support/renders/warmRender.ts';
import { core } from '../support/suites.ts';

const launched = sharedBrowser();
const patient = { timeout: 60_000 };

const titled = (title: string, more = '') =>
  composition(`<h1 id="title" data-var-text="title"></h1>${more}`, {
    duration: 2,
    variables: [{ id: 'title', type: 'string', label: 'Title', default: title }],
  });

const textOf = ({ shown }: OpenedPreview, selector = '#title') =>
  expect.poll(async () => (await shown()).$eval(selector, (one) => one.textContent).catch(() => ''), patient);

/** The frame number that the page shows. */
const frameNow = ({ page }: OpenedPreview) =>
  page.$eval('.frame', (one) => Number(/\d+/.exec(one.textContent ?? '')?.[0]));

test('lists the fonts of the text', async () => {
  const html = composition('<p style="font: 20px Arial">A <b style="font-family: monospace">B</b></p>');
  const { page, atRest } = await openPreview(launched(), project(html));
  await atRest();
  await page.click('button[aria-label="Fonts of the text"]');
  const rows = await page.$$eval('.fonts li', (items) =>
    items.map(({ children }) => [...children].map((child) => child.textContent)),
  );
  expect(rows).toEqual([
    ['Arial', '400', 'shown in Arimo'],
    ['Cousine', '700', 'included'],
  ]);
});

describe('the poster frame', () => {
  const shownFrom = (start: number, attributes = '') =>
    composition(`<p data-start="${start}" data-duration="9">Hi</p>`, { duration: 6, attributes });

  test('is where the preview opens', async () => {
    const declared = await openPreview(launched(), project(shownFrom(0, 'data-poster-time="4"')));
    expect(await declared.atRest()).toBe(120);
    const late = await openPreview(launched(), project(shownFrom(2.5)));
    // Checked at 1.5, 2.25 and 3 s.
    expect(await late.atRest()).toBe(90);
  });

  test('is not where an edit moves to', async () => {
    const opened = await openPreview(launched(), project(shownFrom(0)));
    expect(await opened.atRest()).toBe(45);
    await opened.goTo('100f');
    opened.preview.text('index.html', shownFrom(0, 'data-poster-time="1"'));
    await expect
      .poll(async () => (await opened.shown()).$('[data-poster-time]').catch(() => null), patient)
      .not.toBeNull();
    expect(await opened.atRest()).toBe(100);
  });
});

describe('updates', () => {
  test('shows unsaved text, and later the file on disk again', core, async () => {
    const opened = await openPreview(launched(), project(titled('One')));
    await textOf(opened).toBe('One');
    await opened.goTo('20f');
    opened.preview.text('index.html', titled('Two'));
    await textOf(opened).toBe('Two');
    expect(await opened.atRest()).toBe(20);
    opened.preview.text('index.html', null);
    await textOf(opened).toBe('One');
  });

  test('shows values for their composition only', async () => {
    const opened = await openPreview(launched(), project(titled('One')));
    await textOf(opened).toBe('One');
    opened.preview.show('index.html', { title: 'Given' });
    await textOf(opened).toBe('Given');
    opened.preview.show('other.html', { title: 'Not here' });
    opened.preview.show('index.html', {});
    await textOf(opened).toBe('One');
  });

  test('shows views of a composition with values of their own', async () => {
    const opened = await openPreview(launched(), project(titled('One')));
    await textOf(opened).toBe('One');
    const { page, preview } = opened;
    preview.show('index.html', { title: 'Left' }, { view: 'left' });
    const other = await page.browser().newPage();
    await other.goto(`${preview.url}?composition=index.html&view=left`);
    const shownIn = () =>
      other
        .frames()
        .at(-1)
        ?.evaluate(() => document.querySelector('#title')?.textContent);
    await expect.poll(shownIn, patient).toBe('Left');
    expect(await other.$$eval('body > :not(main)', (all) => all.some((one) => one.checkVisibility()))).toBe(false);
    // Browsers draw no frames of pages behind others.
    await page.bringToFront();
    preview.show('index.html', { title: 'Given' });
    await textOf(opened).toBe('Given');
    expect(await shownIn()).toBe('Left');
    await other.bringToFront();
    preview.text('index.html', titled('Two', '<p lang="en"></p>'));
    await expect
      .poll(
        () =>
          other
            .frames()
            .at(-1)
            ?.$eval('p', (one) => one.lang),
        patient,
      )
      .toBe('en');
    expect(await shownIn()).toBe('Left');
    // A hidden view is forgotten; a page that is still open shows the defaults.
    preview.hide('index.html', 'left');
    await expect.poll(shownIn, patient).toBe('Two');
    await other.close();
  });

  test('shows the last of many fast edits', async () => {
    const opened = await openPreview(launched(), project(titled('One')));
    await textOf(opened).toBe('One');
    for (let index = 0; index <= 30; index++) opened.preview.text('index.html', titled(`Edit ${index}`));
    await textOf(opened).toBe('Edit 30');
    await opened.atRest();
  });

  test('goes to a frame that is chosen while an edited page moves to the current one', async () => {
    // The player of the edited page waits at its first frame.
    const waiting = `<script>
      const player = window[Symbol.for('framework.player')];
      const { settle } = player;
      player.settle = () => new Promise((resolve) => {
        window.goOn = () => {
          player.settle = settle;
          resolve(player.settle());
        };
      });
    </script>`;
    const opened = await openPreview(launched(), project(titled('One')));
    await textOf(opened).toBe('One');
    await opened.goTo('10f');
    await opened.atRest();
    opened.preview.text('index.html', titled('Two', waiting));
    const waitingPage = async () => {
      for (const frame of opened.page.frames())
        if (await frame.evaluate(() => 'goOn' in window).catch(() => false)) return frame;
      return null;
    };
    await expect.poll(waitingPage, patient).not.toBeNull();
    await opened.goTo('20f');
    await (await waitingPage())?.evaluate('goOn()');
    await textOf(opened).toBe('Two');
    await expect.poll(() => frameNow(opened), patient).toBe(20);
  });

  test('shows an edit that fixes a page that never finishes loading', async () => {
    const waiting = '<script>new Response(new ReadableStream({})).text()</script>';
    const opened = await openPreview(launched(), project(titled('One', waiting)));
    await opened.page.waitForSelector('iframe', patient);
    opened.preview.text('index.html', titled('Two'));
    await textOf(opened).toBe('Two');
  });

  test('shows unsaved text of embedded and linked files', async () => {
    const host = composition(
      '<div data-composition-src="card.html" data-start="0" data-duration="1"></div><link rel="stylesheet" href="a.css">',
    );
    const card = (text: string) =>
      `<div data-composition-id="card" data-width="8" data-height="8"><p>${text}</p></div>`;
    const opened = await openPreview(
      launched(),
      project({ 'index.html': host, 'card.html': card('one'), 'a.css': 'p { color: red }' }),
    );
    await textOf(opened, 'p').toBe('one');
    opened.preview.text('card.html', card('two'));
    await textOf(opened, 'p').toBe('two');
    opened.preview.text('a.css', 'p { color: rgb(0, 0, 255) }');
    const color = async () => (await opened.shown()).$eval('p', (one) => getComputedStyle(one).color).catch(() => '');
    await expect.poll(color, patient).toBe('rgb(0, 0, 255)');
  });

  test('runs script files and handlers of an embedded file in each mount, also unsaved ones', async () => {
    const host = (n: number) => `<div data-composition-src="a/card.html" data-variable-values='{"n":${n}}'></div>`;
    const n = `data-composition-variables='[{"id":"n","type":"number"}]'`;
    const card = `<div data-composition-id="card" ${n}><p onclick="show(n, this)"></p></div><script src="card.js"></script>`;
    const script = (text: string) =>
      `const { n } = __framework.getVariables(); function show(n, p) { p.textContent += '${text}' + n } document.querySelector('p').click()`;
    const files = { 'index.html': composition(host(1) + host(2)), 'a/card.html': card, 'a/card.js': script('a') };
    const opened = await openPreview(launched(), project(files));
    const texts = async () => (await opened.shown()).$$eval('p', (all) => all.map((one) => one.textContent));
    await expect.poll(() => texts().catch(() => []), patient).toEqual(['a1', 'a2']);
    opened.preview.text('a/card.js', script('b'));
    await expect.poll(() => texts().catch(() => []), patient).toEqual(['b1', 'b2']);
    expect(await opened.problems()).toEqual([]);
  });

  test('reloads once for a style sheet that is edited, saved and reported several times', async () => {
    const files = { 'index.html': titled('One', '<link rel="stylesheet" href="a.css">'), 'a.css': 'h1 { color: red }' };
    const root = project(files);
    const { preview, shown, told } = await openPreview(launched(), root);
    const color = () =>
      expect.poll(
        async () => (await shown()).$eval('h1', (one) => getComputedStyle(one).color).catch(() => ''),
        patient,
      );
    const loads = () => told.filter(({ type }) => type === 'ready').length;
    await color().toBe('rgb(255, 0, 0)');
    preview.text('a.css', 'h1 { color: lime }');
    writeFileSync(join(root, 'a.css'), 'h1 { color: lime }');
    preview.text('a.css', null);
    for (let times = 0; times < 3; times++) preview.changed('a.css');
    await color().toBe('rgb(0, 255, 0)');
    expect(loads()).toBe(2);
    writeFileSync(join(root, 'a.css'), 'h1 { color: blue }');
    preview.changed('a.css');
    await color().toBe('rgb(0, 0, 255)');
    expect(loads()).toBe(3);
  });

  test('reloads an image that has changed on disk, and no other files', async () => {
    const square = (color: string) =>
      `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="${color === 'red' ? 40 : 20}"><rect width="40" height="40" fill="${color}"/></svg>`;
    const page = (text: string) => titled(text, '<img src="shape.svg"><img src="other.svg">');
    const root = project({ 'index.html': page('One'), 'shape.svg': square('red'), 'other.svg': square('red') });
    const opened = await openPreview(launched(), root);
    const heights = () =>
      expect.poll(
        async () =>
          (await opened.shown()).$$eval('img', (all) => all.map((one) => (one as HTMLImageElement).naturalHeight)),
        patient,
      );
    await heights().toEqual([40, 40]);
    const asked: string[] = [];
    opened.page.on('requestfinished', (request) => {
      if (!request.response()?.fromCache()) asked.push(request.url().replace(/^.*\//, ''));
    });
    opened.preview.text('index.html', page('Two'));
    await textOf(opened).toBe('Two');
    expect(asked.filter((name) => name.endsWith('.svg'))).toEqual([]);
    writeFileSync(join(root, 'shape.svg'), square('blue'));
    opened.preview.changed('shape.svg');
    await heights().toEqual([20, 40]);
  });

  test('resolves absolute paths of the page below the secret', async () => {
    const files = {
      'index.html': composition('<img src="/a/pixel.svg" id="image">'),
      'a/pixel.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>',
    };
    const opened = await openPreview(launched(), project(files));
    const width = async () =>
      (await opened.shown()).$eval('#image', (image) => (image as HTMLImageElement).naturalWidth);
    await expect.poll(width, patient).toBe(8);
    expect(await opened.problems()).toEqual([]);
  });
});

describe('time', () => {
  test('moves by frames and seconds, and to start and end, with keys', core, async () => {
    const opened = await openPreview(launched(), project(titled('One')));
    const { page, atRest } = opened;
    await atRest();
    const press = async (...keys: Parameters<typeof page.keyboard.press>[0][]) => {
      for (const key of keys) await page.keyboard.press(key);
      return atRest();
    };
    expect(await press('Home', 'ArrowRight', 'ArrowRight', 'ArrowLeft')).toBe(1);
    await page.keyboard.down('Shift');
    expect(await press('ArrowRight')).toBe(31);
    await page.keyboard.up('Shift');
    expect(await press('End')).toBe(59);
    expect(await press('Home')).toBe(0);
    expect(await press('ArrowLeft')).toBe(0);
  });

  test('plays the range repeatedly', async () => {
    const opened = await openPreview(launched(), project(titled('One')));
    const { page, atRest, goTo } = opened;
    await atRest();
    await goTo('12f');
    await page.keyboard.press('o');
    await goTo('4f');
    await page.keyboard.press('i');
    const seen = await page.evaluate(async () => {
      const frames: number[] = [];
      document.dispatchEvent(new KeyboardEvent('keydown', { key: ' ', bubbles: true }));
      const now = () => Number(/\d+/.exec(document.querySelector('.frame')?.textContent ?? '')?.[0]);
      for (let turns = 0, last = -1; turns < 3; last = now()) {
        await new Promise(requestAnimationFrame);
        if (now() < last) turns++;
        frames.push(now());
      }
      document.dispatchEvent(new KeyboardEvent('keydown', { key: ' ', bubbles: true }));
      return frames;
    });
    expect([Math.min(...seen), Math.max(...seen)].every((frame) => frame >= 4 && frame <= 12)).toBe(true);
  });

  test('stops at the end without the loop', async () => {
    const opened = await openPreview(launched(), project(titled('One')));
    const { page, atRest, goTo } = opened;
    await atRest();
    await page.keyboard.press('l');
    await goTo('50f');
    await page.keyboard.press('Space');
    await page.waitForSelector('button.main[aria-label="Pause"]', patient);
    await page.waitForSelector('button.main[aria-label="Play"]', patient);
    expect(await atRest()).toBe(59);
  });

  test('seeks with a click and by dragging on the timeline', async () => {
    const opened = await openPreview(launched(), project(titled('One')));
    const { page, atRest } = opened;
    await atRest();
    const { x = 0, y = 0, width = 0 } = (await (await page.$('.ruler'))?.boundingBox()) ?? {};
    await page.mouse.click(x + width / 2, y + 5);
    expect(await atRest()).toBe(30);
    await page.mouse.move(x + width / 2, y + 5);
    await page.mouse.down();
    await page.mouse.move(x + width / 4, y + 5, { steps: 4 });
    await page.mouse.up();
    expect(await atRest()).toBe(15);
    expect(await frameNow(opened)).toBe(15);
  });
});

describe('problems', () => {
  const lines = (...text: string[]) => text.join('\n');
  test.each<[string, Record<string, string>, RegExp]>([
    [
      'reports an exception with its line',
      { 'index.html': composition(lines('', '<script>', 'null.x', '</script>')) },
      /script of the composition failed: TypeError.* \| index\.html:\d+:\d+/,
    ],
    [
      'reports an exception in an embedded file',
      {
        'index.html': composition('<div data-composition-src="a/card.html" data-start="0" data-duration="1"></div>'),
        'a/card.html': lines(
          '<div data-composition-id="card" data-width="8" data-height="8">',
          'x',
          '<script>',
          "throw new Error('mine')",
          '</script></div>',
        ),
      },
      /mine \| a\/card\.html:4:7/,
    ],
    [
      'reports an exception in a script file of an embedded file',
      {
        'index.html': composition('<div data-composition-src="a/card.html" data-start="0" data-duration="1"></div>'),
        'a/card.html': '<div data-composition-id="card"></div><script src="card.js"></script>',
        'a/card.js': lines('', "setTimeout(() => { throw new Error('mine') })"),
      },
      /mine \| a\/card\.js:2:26/,
    ],
    [
      'reports an exception in a handler of an embedded file',
      {
        'index.html': composition('<div data-composition-src="a/card.html" data-start="0" data-duration="1"></div>'),
        'a/card.html': lines(
          '<div data-composition-id="card">',
          `<b onclick="throw new Error('mine')">x</b>`,
          "<script>document.querySelector('b').click()</script></div>",
        ),
      },
      /mine \| a\/card\.html:2:19/,
    ],
    [
      'reports an unhandled rejection',
      { 'index.html': composition("<script>Promise.reject(new Error('rejected'))</script>") },
      /rejected/,
    ],
    [
      'reports console.error',
      { 'index.html': composition("<script>console.error('size', { a: 1 })</script>") },
      /console\.error: size \{"a":1\} \| index\.html:\d+/,
    ],
    [
      'reports a missing file',
      { 'index.html': composition(lines('', '<img id="logo" src="logo.png">')) },
      /logo\.png does not exist, and <img id="logo"> needs it .*\| index\.html:\d+/,
    ],
    [
      'reports a file that is not an image',
      { 'index.html': composition('<img src="logo.png">'), 'logo.png': 'no' },
      /logo\.png is not an image/,
    ],
    [
      'reports an error of the project',
      { 'index.html': composition(lines('', '<div data-composition-src="gone.html"></div>')) },
      /gone\.html.*\| index\.html:\d+/,
    ],
  ])('%s', async (_, files, expected) => {
    const opened = await openPreview(launched(), project(files));
    await expect.poll(async () => (await opened.problems()).join('\n'), patient).toMatch(expected);
  });

  test('reports a value without a declaration', async () => {
    const opened = await openPreview(launched(), project(titled('One')));
    opened.preview.show('index.html', { titel: 'x' });
    await expect.poll(async () => (await opened.problems()).join(), patient).toMatch(/"titel" is not declared/);
  });

  test('locates a wrong value in the file that it was read from', async () => {
    const opened = await openPreview(launched(), project(titled('One')));
    opened.preview.show('index.html', { titel: 'x' }, { source: { file: 'values.json', text: '{"titel":"x"}' } });
    await expect.poll(async () => (await opened.problems()).join(), patient).toMatch(/values\.json:1/);
  });

  test('shows a page with a missing image', async () => {
    const opened = await openPreview(launched(), project(titled('One', '<img src="gone.png">')));
    await textOf(opened).toBe('One');
    await expect.poll(async () => (await opened.problems()).length, patient).toBe(1);
  });

  test('keeps the last version without errors until the problem is fixed', async () => {
    const opened = await openPreview(launched(), project(titled('One')));
    await textOf(opened).toBe('One');
    opened.preview.text('index.html', titled('Two', '<div data-composition-src="gone.html"></div>'));
    await expect.poll(async () => (await opened.problems()).join(), patient).toMatch(/gone\.html/);
    await textOf(opened).toBe('One');
    expect(opened.told).toContainEqual(expect.objectContaining({ type: 'problems', composition: 'index.html' }));
    opened.preview.text('index.html', titled('Three'));
    await textOf(opened).toBe('Three');
    await expect.poll(() => opened.problems(), patient).toEqual([]);
  });
});

describe('in an editor', () => {
  const html = composition(
    '<div class="a" style="width:40px;height:20px"><b id="inner" style="display:block;width:20px;height:20px">x</b></div>',
  );

  /** Opens the preview in a frame, as an editor does. Returns functions that read and post messages. */
  async function framed(markup: string) {
    const opened = await openPreview(launched(), project(markup));
    const page = await launched().browser.newPage();
    onTestFinished(() => page.close());
    await page.setContent(`<iframe style="width:900px;height:700px" src="${opened.preview.url}?composition=index.html"></iframe>
      <script>window.told = []; addEventListener('message', ({ data }) => told.push(data))</script>`);
    const told = (type: FromPage['type']) =>
      page.evaluate(
        (wanted) => (window as unknown as { told: FromPage[] }).told.filter((one) => one.type === wanted),
        type,
      );
    const tell = (message: object) =>
      page.evaluate(
        (one) => document.querySelector('iframe')?.contentWindow?.postMessage({ framework: 'preview', ...one }, '*'),
        message,
      );
    await expect.poll(async () => (await told('shown')).length, patient).toBeGreaterThan(0);
    const inside = await (await page.$('iframe'))?.contentFrame();
    if (!inside) throw new Error('the preview has no frame');
    return { page, told, tell, inside };
  }

  test('outlines the innermost element at the caret, and reveals an element that is clicked', core, async () => {
    const { tell, inside, told } = await framed(html);
    await tell({ type: 'select', at: { file: 'index.html', offset: html.indexOf('x</b>') } });
    await inside.waitForSelector('.outline', patient);
    expect(
      await inside.$eval('.outline', (outline) => {
        const { style, textContent } = outline as HTMLElement;
        return [style.width, style.height, textContent];
      }),
    ).toEqual(['20px', '20px', 'b#inner']);
    await tell({ type: 'select', at: null });
    await inside.waitForFunction(() => document.querySelector('.outline') === null, patient);
    const sheet = await (await inside.$('.sheet'))?.boundingBox();
    await inside.page().keyboard.down('Alt');
    await inside.page().mouse.click((sheet?.x ?? 0) + 10, (sheet?.y ?? 0) + 10);
    await inside.page().keyboard.up('Alt');
    await expect
      .poll(() => told('reveal'), patient)
      .toEqual([{ framework: 'preview', type: 'reveal', file: 'index.html', offset: html.indexOf('<b id="inner"') }]);
  });

  test('draws the findings of a check around their time, and lists them', async () => {
    const { page, tell, inside } = await framed(html);
    const place = { left: 10, top: 6, width: 20, height: 10 };
    const finding = { rule: 'low-contrast', severity: 'warning', message: 'Hard to read', seconds: 0.2, box: place };
    const silent = { rule: 'cut-sound', severity: 'info', message: 'Ends early', seconds: 0.9, box: null };
    const drawn = () =>
      inside.$$eval('.found', (boxes) =>
        boxes.map((one) => {
          const { style, textContent } = one as HTMLElement;
          return [style.left, style.top, style.width, style.height, textContent].join(' ');
        }),
      );
    await tell({ type: 'findings', findings: [finding, silent], width: 64, height: 48 });
    await tell({ type: 'seek', time: 0 });
    await expect.poll(drawn, patient).toEqual(['4px 0px 32px 22px low-contrast']);
    if (process.env.LOOK) await page.screenshot({ path: join(process.env.LOOK, 'findings.png') as `${string}.png` });
    await tell({ type: 'seek', time: 0.9 });
    await expect.poll(drawn, patient).toEqual([]);
    const [count] = await inside.$$('.findings button');
    expect(await count?.evaluate((button) => button.textContent)).toBe('2 findings');
    await count?.click();
    expect(await inside.$$eval('.findings li', (items) => items.map(({ textContent }) => textContent))).toEqual([
      '0:00.20 low-contrast Hard to read',
      '0:00.90 cut-sound Ends early',
    ]);
    await inside.click('.findings li button');
    await expect.poll(drawn, patient).toHaveLength(1);
    await inside.click('.findings header button:last-child');
    expect(await drawn()).toEqual([]);
    await tell({ type: 'findings', findings: [finding], width: 64, height: 48 });
    await expect.poll(drawn, patient).toHaveLength(1);
    await tell({ type: 'findings', findings: [], width: 64, height: 48 });
    await expect.poll(drawn, patient).toEqual([]);
    expect(await inside.$eval('.findings', (list) => (list as HTMLElement).hidden)).toBe(true);
  });

  test('compares the sizes on request, or says that there are no others', async () => {
    const sizes = await framed(composition('', { attributes: 'data-sizes="64x48 48x64"' }));
    const compared = () => sizes.inside.$$eval('.others iframe', (frames) => frames.map(({ title }) => title));
    for (const _twice of [1, 2]) {
      await sizes.tell({ type: 'compareSizes' });
      await expect.poll(compared, patient).toEqual(['3:4']);
    }
    const { tell, inside } = await framed(html);
    await tell({ type: 'compareSizes' });
    await expect
      .poll(() => inside.$eval('.note', (note) => note.textContent), patient)
      .toBe('This composition has only one size. List its sizes in data-sizes on its root.');
  });

  test('seeks, plays and pauses on request, and reports its state', async () => {
    const { tell, told } = await framed(html);
    await tell({ type: 'seek', time: 0.5 });
    await expect
      .poll(async () => (await told('state')).at(-1), patient)
      .toMatchObject({ state: { frame: 15, exact: true, width: 64, height: 48, fps: 30 } });
    await tell({ type: 'play' });
    await expect.poll(async () => (await told('state')).at(-1), patient).toMatchObject({ state: { playing: true } });
    await tell({ type: 'pause' });
    await expect.poll(async () => (await told('state')).at(-1), patient).toMatchObject({ state: { playing: false } });
  });

  test('plays once from the start and then shows the poster frame', async () => {
    const { page, tell, told } = await framed(html);
    const frames = async () => (await told('state')).flatMap((one) => (one.type === 'state' ? [one.state] : []));
    const [poster] = await frames();
    await tell({ type: 'playOnce' });
    await expect.poll(async () => (await frames()).some(({ playing }) => playing), patient).toBe(true);
    await expect
      .poll(async () => (await frames()).at(-1), patient)
      .toMatchObject({ playing: false, frame: poster?.frame });
    const played = (await frames()).filter(({ playing }) => playing).map(({ frame }) => frame);
    // The first state still has the frame that is shown.
    played.shift();
    expect(poster?.frame).toBeGreaterThan(0);
    expect([Math.min(...played), [...played].sort((a, b) => a - b)]).toEqual([0, played]);
    await page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }]);
    const before = (await frames()).length;
    await tell({ type: 'playOnce' });
    await tell({ type: 'seek', time: 0 });
    await expect.poll(async () => (await frames()).at(-1)?.frame, patient).toBe(0);
    expect((await frames()).slice(before).some(({ playing }) => playing)).toBe(false);
  });

  test('uses the colors and the language of the editor', async () => {
    const { tell, inside } = await framed(html);
    await tell({
      type: 'theme',
      kind: 'light',
      variables: { '--vscode-editor-background': 'rgb(1, 2, 3)', background: 'red' },
    });
    await tell({ type: 'strings', texts: { play: 'Abspielen' } });
    await inside.waitForSelector('button[aria-label="Abspielen"]', patient);
    expect(await inside.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(1, 2, 3)');
  });
});

test('plays sound in sync with the frames, and not while scrubbing', async () => {
  const ffmpeg = referenceFfmpeg;
  const root = project({
    'index.html': composition(
      '<audio id="tone" src="tone.wav" data-start="0.5" data-duration="3" data-volume="0.5"></audio>',
      { duration: 4 },
    ),
  });
  makeSound(ffmpeg, join(root, 'tone.wav'), '0.1*sin(600*t)', 4);
  const opened = await openPreview(launched(), root);
  const { page, atRest, goTo } = opened;
  await atRest();
  await page.evaluate(() => {
    const made: HTMLAudioElement[] = [];
    const { play } = HTMLMediaElement.prototype;
    HTMLMediaElement.prototype.play = function () {
      if (!made.includes(this as HTMLAudioElement)) made.push(this as HTMLAudioElement);
      return play.call(this);
    };
    Object.assign(window, { made });
  });
  await goTo('30f');
  await atRest();
  const playing = () =>
    page.evaluate(() =>
      (window as unknown as { made: HTMLAudioElement[] }).made.map(({ paused, volume }) => ({ paused, volume })),
    );
  expect(await playing()).toEqual([]);
  await page.keyboard.press('Space');
  await page.waitForFunction(
    () => ((window as unknown as { made: HTMLAudioElement[] }).made[0]?.currentTime ?? 0) > 0.9,
    patient,
  );
  const apart = await page.evaluate(() => {
    const [minutes = 0, seconds = 0] = (document.querySelector<HTMLInputElement>('input.time')?.value ?? '')
      .split(':')
      .map(Number);
    const sound = (window as unknown as { made: HTMLAudioElement[] }).made[0]?.currentTime ?? 0;
    return Math.abs(minutes * 60 + seconds - 0.5 - sound);
  });
  // One frame, plus the delays of a busy machine.
  expect(apart).toBeLessThan(0.35);
  expect(await playing()).toEqual([{ paused: false, volume: 0.5 }]);
  await page.keyboard.press('Space');
  await expect.poll(playing, patient).toEqual([{ paused: true, volume: 0.5 }]);
});

describe('the command', () => {
  test('prints its URL, rejects requests without the secret, and ends on SIGINT', async () => {
    const root = project(titled('One'));
    const program = startProgram(['preview', root, '--no-open', '--json']);
    await expect.poll(() => program.texts.stdout, patient).toContain('\n');
    const { url, composition: shown } = JSON.parse(program.texts.stdout);
    expect(shown).toBe('index.html');
    expect((await fetch(url)).status).toBe(200);
    const { origin } = new URL(url);
    for (const path of [
      '/',
      '/index.html',
      '/__framework/preview/',
      '/__framework/preview/status?composition=index.html',
    ]) {
      expect((await fetch(origin + path)).status).toBe(404);
    }
    program.child.kill('SIGINT');
    expect((await program.done).status).toBe(0);
    await expect(fetch(url)).rejects.toThrow();
  });

  test('communicates with the editor that started it, and ends with the channel', async () => {
    const root = project({ 'a/other.html': titled('Other') });
    const child = fork(cliFile, ['preview', root, '--no-open'], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    const told: FromProcess[] = [];
    child.on('message', (message) => told.push(message as FromProcess));
    const ended = once(child, 'exit');
    await expect.poll(() => told[0], patient).toMatchObject({ type: 'listening' });
    child.send({ type: 'show', composition: 'a/other.html', values: {} } satisfies ToProcess);
    await expect.poll(() => told, patient).toContainEqual({ type: 'ready', composition: 'a/other.html' });
    child.send({ type: 'text', path: 'a/other.html', text: '<p>' } satisfies ToProcess);
    const problems = expect.objectContaining({ type: 'problems', composition: 'a/other.html' });
    await expect.poll(() => told, patient).toContainEqual(problems);
    child.disconnect();
    expect(await ended).toEqual([0, null]);
  });

  test('reports a folder that does not exist', async () => {
    const { status, stderr } = await startProgram(['preview', '/nowhere/at/all', '--no-open']).done;
    expect([status, stderr]).toEqual([1, expect.stringContaining('does not exist')]);
  });
});

test('serves an image of a frame in the size of the composition', async () => {
  const root = project(titled('One'));
  const program = startProgram(['preview', root, '--no-open', '--json']);
  onTestFinished(() => void program.child.kill());
  await expect.poll(() => program.texts.stdout, patient).toContain('\n');
  const { url } = JSON.parse(program.texts.stdout);
  const answer = await fetch(new URL('picture?composition=index.html&frame=3', url));
  expect(answer.headers.get('content-type')).toBe('image/png');
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([64, 48]);
  expect(readFileSync(join(root, 'index.html'), 'utf8')).toBe(titled('One'));
});
